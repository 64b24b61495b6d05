import type { RunRecord } from '../pipeline/program-runs.ts'
import type { CallRecord } from './program/journal.ts'
import type { RunError } from './program/run-error.ts'

/** A run of a program, as the two tools record it. */
export interface ProgramRun extends RunRecord {
  calls: CallRecord[]
  outcome: 'succeeded' | RunError['type']
}

/** How long a run may wait to be written with others; a crash loses the waiting ones. */
const GATHER_MS = 250
/** When this many runs wait, they are written at once, in one commit of the embedded database. */
const GATHERED_RUNS = 100

/**
 * Writes runs without delaying callers. A commit blocks the process for as long as the disk takes, so responses are sent first and runs are
 * written together.
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

  /** Resolves when all runs recorded so far are written. */
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
