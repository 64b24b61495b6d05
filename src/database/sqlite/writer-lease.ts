import type { TransactionOptions } from '../database.ts'

/** One holder's time with the writer. The holder calls `finish` or `fail`; the writer then calls `settle`. */
export class WriterLease {
  /** The account whose records the turn changes; undefined for bookkeeping. */
  readonly account: string | undefined
  /** Nobody waits for its result. */
  readonly lowPriority: boolean
  /** Resolves when the holder is done. */
  readonly finished: Promise<void>
  failed = false
  /** Why the holder failed, where he said so. */
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

  /** The work is done: resolves when it is on the disk, rejects when the commit failed. */
  async finish(): Promise<void> {
    this.#end()
    const error = await this.#settled
    if (error) throw error
  }

  /** The work failed: resolves when it is undone. */
  async fail(reason?: unknown): Promise<void> {
    this.failure = reason
    this.#fail()
    await this.#settled
  }

  /** Ends the turn against the holder's will, and tells him; does nothing when he is done already. */
  readonly takeAway = (): void => {
    if (this.#done) return
    this.#fail()
    this.#onTakenAway?.()
  }

  /** Ends the turn; only the first call counts. */
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
