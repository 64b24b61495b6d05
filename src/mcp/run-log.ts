import type { Committed } from './program/ending.ts'
import type { CallRecord } from './program/journal.ts'
import type { RunError } from './program/run-error.ts'

/** One run of a program, as the log of runs keeps it. */
export interface ProgramRun {
  accountId: string
  userId: string
  callerId: string
  kind: 'search' | 'execute'
  /** The program as it was run, without a Markdown fence. */
  code: string
  /** The last calls; `callCount` says how many there were. */
  calls: CallRecord[]
  callCount: number
  outcome: 'succeeded' | RunError['type']
  errorMessage: string | null
  committed: Committed
  dryRun: boolean
  /** Times the program ran until no other transaction got there first. */
  runs: number
  /** ISO 8601, UTC. */
  startedAt: string
  durationMs: number
}

/** How long a run may wait for others to be written with. */
const GATHER_MS = 20

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
