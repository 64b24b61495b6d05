/** One holder's time with the writer. The holder calls `finish` or `fail`; the writer then calls `settle`. */
export class Turn {
  /** Resolves when the holder is done. */
  readonly finished: Promise<void>
  failed = false
  readonly #settled: Promise<Error | undefined>
  #finish!: () => void
  #settle!: (error?: Error) => void

  constructor() {
    this.finished = new Promise((resolve) => {
      this.#finish = resolve
    })
    this.#settled = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  /** The work is done: resolves when it is on the disk, rejects when the commit failed. */
  async finish(): Promise<void> {
    this.#finish()
    const error = await this.#settled
    if (error) throw error
  }

  /** The work failed: resolves when it is undone. */
  async fail(): Promise<void> {
    this.failed = true
    this.#finish()
    await this.#settled
  }

  /** The holder has ended the transaction by itself. */
  release(): void {
    this.#finish()
  }

  /** Ends the turn; only the first call counts. */
  settle(error?: Error): void {
    this.#settle(error)
  }
}
