interface Log {
  error(details: object, message: string): void
}

/** Runs jobs periodically. A job never overlaps with itself. */
export class Timers {
  readonly #log: Log
  readonly #timers: NodeJS.Timeout[] = []
  readonly #running = new Set<Promise<void>>()

  constructor(log: Log) {
    this.#log = log
  }

  /** Runs a job every `periodMs`. A failure is logged and does not end the repetition. */
  every(periodMs: number, name: string, job: () => Promise<void>): void {
    let busy = false
    const timer = setInterval(() => {
      if (busy) return
      busy = true
      const run = job()
        .catch((error: unknown) => this.#log.error({ err: error, job: name }, 'A job failed'))
        .finally(() => {
          busy = false
          this.#running.delete(run)
        })
      this.#running.add(run)
    }, periodMs)
    timer.unref()
    this.#timers.push(timer)
  }

  /** Ends all repetitions and waits for running jobs. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all(this.#running)
  }
}
