import type { RunRecord } from '../pipeline/program-runs.ts'
import type { CallRecord } from './program/journal.ts'
import type { RunError } from './program/run-error.ts'

export interface ProgramRun extends RunRecord {
  calls: CallRecord[]
  outcome: 'succeeded' | RunError['type']
}

/** The maximum time that a record is buffered. A crash loses the buffered records. */
const GATHER_MS = 250
/** The number of buffered records at which they are written without further delay. */
const GATHERED_RUNS = 100

/** Writes the records of runs in batches, after the responses, because a commit blocks the process while the disk writes. */
export class RunLog {
  readonly #write: (runs: ProgramRun[]) => Promise<void>
  readonly #onFailure: (error: unknown) => void
  #gathered: ProgramRun[] = []
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(write: (runs: ProgramRun[]) => Promise<void>, onFailure: (error: unknown) => void) {
    this.#write = write
    this.#onFailure = onFailure
  }

  record(run: ProgramRun): void {
    this.#gathered.push(run)
    this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS)
    if (this.#gathered.length >= GATHERED_RUNS) this.#flush()
  }

  async settled(): Promise<void> {
    this.#flush()
    await this.#writing
  }

  #flush(): void {
    clearTimeout(this.#timer ?? undefined)
    this.#timer = null
    const runs = this.#gathered
    this.#gathered = []
    if (runs.length > 0) this.#writing = this.#writing.then(() => this.#write(runs)).catch(this.#onFailure)
  }
}
