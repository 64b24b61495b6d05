import { FairQueue } from './fair-queue.ts'
import { Ticket } from './ticket.ts'

/** Releases a place in the semaphore. Only the first call has an effect. */
export type Leave = () => void

interface Admission {
  key: string
  leave: Leave
}

export interface PlacesOptions {
  count?: number
  each?: number
}

/** A semaphore with keys, such as accounts. Waiting keys take turns; requests with the same key are admitted in order of arrival. */
export class Places {
  readonly #options: Required<PlacesOptions>
  readonly #taken = new Map<string, number>()
  readonly #waiting = new FairQueue<Ticket<Admission>>()
  #count = 0

  constructor(options: PlacesOptions) {
    this.#options = { count: Number.POSITIVE_INFINITY, each: Number.POSITIVE_INFINITY, ...options }
  }

  /** The number of places that are taken, plus the number of requests that wait for one. */
  get size(): number {
    return this.#count + this.#waiting.size
  }

  /** Waits for a place and takes it. Rejects with the signal's reason if the signal is aborted first. */
  async take(key: string, signal?: AbortSignal): Promise<Leave> {
    signal?.throwIfAborted()
    const place = { key, leave: this.#leaving(key) }
    const ticket = new Ticket(place, (left) => this.#waiting.remove(key, left), signal)
    this.#waiting.add(key, ticket)
    this.#admit()
    return (await ticket.admitted).leave
  }

  #leaving(key: string): Leave {
    let left = false
    return () => {
      if (left) return
      left = true
      this.#change(key, -1)
      this.#admit()
    }
  }

  #admit(): void {
    const { count, each } = this.#options
    while (this.#count < count) {
      const next = this.#waiting.take((key) => this.#takenBy(key) < each)
      if (!next) return
      this.#change(next.admission.key, 1)
      next.admit()
    }
  }

  #takenBy(key: string): number {
    return this.#taken.get(key) ?? 0
  }

  #change(key: string, by: 1 | -1): void {
    this.#count += by
    const taken = this.#takenBy(key) + by
    if (taken === 0) this.#taken.delete(key)
    else this.#taken.set(key, taken)
  }
}
