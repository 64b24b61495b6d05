/** An endpoint that fails rests longer with each failure, so that it is not hammered while it is down. */
const REST_MS = 20
const LONGEST_REST_MS = 1_000

/** Endpoints that have failed and whose next turn is not yet due. */
export class Resting {
  readonly #onRested: () => void
  readonly #timers = new Map<string, NodeJS.Timeout>()

  /** `onRested` is called whenever an endpoint may have its turn again. */
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
