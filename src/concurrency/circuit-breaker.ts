/** Lets one call at a time through after an outage of the server, until it responds again. All other calls fail at once. */
export class CircuitBreaker {
  #failing = false
  #probing = false

  /** Calls `call`. `isOutage` returns whether an error means that the server did not respond. */
  async run<Result>(call: () => Promise<Result>, isOutage: (error: unknown) => boolean): Promise<Result> {
    if (!this.#failing) return this.#watch(call, isOutage)
    if (this.#probing) throw new Error('The server is not responding; another call is checking it.')
    this.#probing = true
    try {
      return await this.#watch(call, isOutage)
    } finally {
      this.#probing = false
    }
  }

  async #watch<Result>(call: () => Promise<Result>, isOutage: (error: unknown) => boolean): Promise<Result> {
    try {
      const result = await call()
      this.#failing = false
      return result
    } catch (error) {
      this.#failing = isOutage(error)
      throw error
    }
  }
}
