import type { RunRecord } from '../pipeline/program-runs.ts'
import type { Committed } from './program/ending.ts'
import type { CallRecord } from './program/journal.ts'
import type { RunError } from './program/run-error.ts'

/** One run of a program, as the two tools tell it to the log of runs. */
export interface ProgramRun extends RunRecord {
  kind: 'search' | 'execute'
  calls: CallRecord[]
  outcome: 'succeeded' | RunError['type']
  committed: Committed
}

/** How long a run may wait for others to be written with; a crash loses those that wait. */
const GATHER_MS = 250
/** So many runs are written without waiting longer: they share one commit of the embedded database. */
const GATHERED_RUNS = 100

/** Hands runs to the log without making callers wait for it. */
export class RunLog {
  readonly #write: (run: ProgramRun) => Promise<void>
  readonly #onFailure: (error: unknown) => void
  readonly #pending = new Set<Promise<void>>()
  #next: Promise<void> | null = null
  #wake: () => void = () => {}

  constructor(write: (run: ProgramRun) => Promise<void>, onFailure: (error: unknown) => void) {
    this.#write = write
    this.#onFailure = onFailure
  }

  record(run: ProgramRun): void {
    const writing = this.#soon()
      .then(() => this.#write(run))
      .catch(this.#onFailure)
      .finally(() => this.#pending.delete(writing))
    this.#pending.add(writing)
    if (this.#pending.size >= GATHERED_RUNS) this.#wake()
  }

  /** Resolves when everything handed over so far is written. */
  async settled(): Promise<void> {
    this.#wake()
    await Promise.all(this.#pending)
  }

  /** A commit holds up the process for as long as the disk does: answers leave first, and runs are written together. */
  #soon(): Promise<void> {
    if (!this.#next) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#next = promise
      this.#wake = () => {
        this.#next = null
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(this.#wake, GATHER_MS)
    }
    return this.#next
  }
}
