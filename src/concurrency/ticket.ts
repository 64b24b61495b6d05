/** A request that waits in a queue until it is admitted, refused, or aborted by `signal`, whose listener is then removed. */
export class Ticket<Admission> {
  readonly admission: Admission
  /** Resolves with the admission. Rejects with the reason of the refusal or of the abort. */
  readonly admitted: Promise<Admission>
  readonly #signal: AbortSignal | undefined
  readonly #onAbort: (() => void) | undefined
  readonly #resolve: (admission: Admission) => void
  readonly #reject: (reason: unknown) => void

  /** `leave` removes the ticket from its queue. */
  constructor(admission: Admission, leave: (ticket: Ticket<Admission>) => void, signal?: AbortSignal) {
    const { promise, resolve, reject } = Promise.withResolvers<Admission>()
    this.admitted = promise
    this.admission = admission
    this.#resolve = resolve
    this.#reject = reject
    this.#signal = signal
    if (!signal) return
    this.#onAbort = () => {
      leave(this)
      this.refuse(signal.reason)
    }
    signal.addEventListener('abort', this.#onAbort)
  }

  admit(): Admission {
    this.#stopListening()
    this.#resolve(this.admission)
    return this.admission
  }

  refuse(reason: unknown): void {
    this.#stopListening()
    this.#reject(reason)
  }

  #stopListening(): void {
    if (this.#onAbort) this.#signal?.removeEventListener('abort', this.#onAbort)
  }
}
