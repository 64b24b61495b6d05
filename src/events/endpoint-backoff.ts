/** The pause after an endpoint's first failure. It grows with each failure, so that an endpoint that is down is not overloaded. */
const REST_MS = 20
const LONGEST_REST_MS = 1_000

export class EndpointBackoff {
  readonly #onRested: () => void
  readonly #timers = new Map<string, NodeJS.Timeout>()

  constructor(onRested: () => void) {
    this.#onRested = onRested
  }

  has(endpointId: string): boolean {
    return this.#timers.has(endpointId)
  }

  begin(endpointId: string, failureCount: number): void {
    clearTimeout(this.#timers.get(endpointId))
    const timer = setTimeout(
      () => {
        this.#timers.delete(endpointId)
        this.#onRested()
      },
      Math.min(REST_MS * failureCount, LONGEST_REST_MS),
    )
    timer.unref()
    this.#timers.set(endpointId, timer)
  }

  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }
}
