/**
 * Keeps a server that does not answer from holding up everyone who wants something of it: from its first failure to its next
 * answer, one call at a time tries it, and the others fail at once.
 */
export class Probing {
  #failing = false
  #probing = false

  /** Runs a call. `isOutage` says whether an error means that the server did not answer. */
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
