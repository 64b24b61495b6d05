import type { TransactionOptions } from '../database.ts'

/** One turn with the writer. The holder calls `finish` or `fail`; the writer then calls `settle`. */
export class WriterLease {
  /** The account whose records the turn changes; undefined for bookkeeping. */
  readonly account: string | undefined
  /** Whether no caller waits for the result. */
  readonly lowPriority: boolean
  /** Resolves when the holder is done. */
  readonly finished: Promise<void>
  failed = false
  /** The reason that the holder passed to `fail`, if any. */
  failure: unknown
  readonly #onTakenAway: (() => void) | undefined
  readonly #settled: Promise<Error | undefined>
  #done = false
  #finish!: () => void
  #settle!: (error?: Error) => void

  constructor({ account, lowPriority: patient = false }: TransactionOptions, onTakenAway?: () => void) {
    this.account = account
    this.lowPriority = patient
    this.#onTakenAway = onTakenAway
    this.finished = new Promise((resolve) => {
      this.#finish = resolve
    })
    this.#settled = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  /** Ends the turn successfully. Resolves when its writes are on the disk, and rejects if the commit fails. */
  async finish(): Promise<void> {
    this.#end()
    const error = await this.#settled
    if (error) throw error
  }

  /** Ends the turn unsuccessfully. Resolves when its writes are rolled back. */
  async fail(reason?: unknown): Promise<void> {
    this.failure = reason
    this.#fail()
    await this.#settled
  }

  /** Revokes the turn and notifies its holder. Does nothing if the holder has already ended it. */
  readonly takeAway = (): void => {
    if (this.#done) return
    this.#fail()
    this.#onTakenAway?.()
  }

  /** Reports the result to the holder; only the first call counts. */
  settle(error?: Error): void {
    this.#settle(error)
  }

  #fail(): void {
    if (!this.#done) this.failed = true
    this.#end()
  }

  #end(): void {
    this.#done = true
    this.#finish()
  }
}
