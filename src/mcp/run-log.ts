import type { RunRecord } from '../pipeline/program-runs.ts'
import type { CallRecord } from './program/journal.ts'
import type { RunError } from './program/run-error.ts'

/** A program run in the form in which both tools record it. */
export interface ProgramRun extends RunRecord {
  calls: CallRecord[]
  outcome: 'succeeded' | RunError['type']
}

/** How long a run's record may be buffered before it is written together with others. A crash loses the buffered records. */
const GATHER_MS = 250
/** When this many records are buffered, they are written at once, in one commit. */
const GATHERED_RUNS = 100

/**
 * Writes the records of runs without delaying callers. A commit blocks the process while the disk writes, so responses are sent first and
 * several records are written in one commit.
 */
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

  /** Resolves when the records of all runs so far are written. */
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
