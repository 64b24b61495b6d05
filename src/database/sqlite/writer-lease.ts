import type { TransactionOptions } from '../database.ts'

/** One use of the writer lock. The holder calls `finish` or `fail` to end it; the writer then calls `settle` with the result. */
export class WriterLease {
  /** The account whose records the holder changes; undefined if it changes only rows that no program reads. */
  readonly account: string | undefined
  readonly lowPriority: boolean
  /** Resolves when the holder has called `finish` or `fail`. */
  readonly finished: Promise<void>
  failed = false
  failure: unknown
  readonly #onTakenAway: (() => void) | undefined
  readonly #settled: Promise<Error | undefined>
  #done = false
  #finish!: () => void
  #settle!: (error?: Error) => void

  constructor({ account, lowPriority = false }: TransactionOptions, onTakenAway?: () => void) {
    this.account = account
    this.lowPriority = lowPriority
    this.#onTakenAway = onTakenAway
    this.finished = new Promise((resolve) => {
      this.#finish = resolve
    })
    this.#settled = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  /** Resolves when the writes are on disk. Rejects if the commit fails. */
  async finish(): Promise<void> {
    this.#end()
    const error = await this.#settled
    if (error) throw error
  }

  /** Resolves when the writes are rolled back. */
  async fail(reason?: unknown): Promise<void> {
    this.failure = reason
    this.#fail()
    await this.#settled
  }

  /** Takes the lock away and notifies the holder. Does nothing if the holder has already ended its use. */
  readonly takeAway = (): void => {
    if (this.#done) return
    this.#fail()
    this.#onTakenAway?.()
  }

  /** Reports the result to the holder. Only the first call has an effect. */
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
