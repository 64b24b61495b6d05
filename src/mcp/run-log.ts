import type { RunRecord } from '../pipeline/program-runs.ts'
import type { CallRecord } from './program/journal.ts'
import type { RunError } from './program/run-error.ts'

/** One run of a program, as the two tools tell it to the log of runs. */
export interface ProgramRun extends RunRecord {
  calls: CallRecord[]
  outcome: 'succeeded' | RunError['type']
}

/** How long a run may wait for others to be written with; a crash loses those that wait. */
const GATHER_MS = 250
/** So many runs are written without waiting longer: they share one commit of the embedded database. */
const GATHERED_RUNS = 100

/**
 * Hands runs to the log without making callers wait for it. A commit holds up the process for as long as the disk does, so
 * answers leave first, and runs are written together.
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

  /** Resolves when everything handed over so far is written. */
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
