import type { EndpointQueue } from './endpoint-queue.ts'

const MOST_AT_ONCE = 256
/**
 * The maximum number of simultaneous attempts for endpoints that have not acknowledged an event yet or have failed since, so that
 * the others have room.
 */
const MOST_UNPROVEN = MOST_AT_ONCE / 2
/** The maximum number of endpoints that this process has leased. */
const MOST_QUEUES = 512
const MOST_UNPROVEN_QUEUES = MOST_QUEUES / 2

/**
 * Decides which delivery is sent next. The account that has waited longest comes first and, within it, the endpoint that has
 * waited longest.
 */
export class DeliveryScheduler {
  readonly #queues = new Map<string, EndpointQueue>()
  readonly #accounts = new Map<string, number>()

  get queues(): EndpointQueue[] {
    return [...this.#queues.values()]
  }

  get(endpointId: string): EndpointQueue | undefined {
    return this.#queues.get(endpointId)
  }

  /** Returns how many more endpoints can be leased. `proven` endpoints have acknowledged an event and have not failed since. */
  room(proven: boolean): number {
    const room = MOST_QUEUES - this.#queues.size
    if (proven) return room
    const unproven = this.queues.filter(({ endpoint }) => !endpoint.proven).length
    return Math.min(room, MOST_UNPROVEN_QUEUES - unproven)
  }

  add(queue: EndpointQueue): void {
    this.#queues.set(queue.endpoint.id, queue)
    const { accountId } = queue.endpoint
    this.#accounts.set(accountId, this.#accounts.get(accountId) ?? queue.lastTurn)
  }

  remove(endpointId: string): void {
    const queue = this.#queues.get(endpointId)
    this.#queues.delete(endpointId)
    const accountId = queue?.endpoint.accountId
    if (accountId !== undefined && !this.queues.some(({ endpoint }) => endpoint.accountId === accountId))
      this.#accounts.delete(accountId)
  }

  /** Returns the queue that sends next, or undefined if none can send. `attemptMs` is the timeout of an attempt. */
  next(now: number, attemptMs: number): EndpointQueue | undefined {
    let sending = 0
    let unproven = 0
    for (const queue of this.#queues.values()) {
      sending += queue.sending
      if (!queue.endpoint.proven) unproven += queue.sending
    }
    if (sending >= MOST_AT_ONCE) return undefined
    let best: EndpointQueue | undefined
    for (const queue of this.#queues.values()) {
      if (!queue.canSend(now, attemptMs) || (!queue.endpoint.proven && unproven >= MOST_UNPROVEN)) continue
      if (!best || this.#isBefore(queue, best)) best = queue
    }
    return best
  }

  took({ endpoint }: EndpointQueue, now: number): void {
    this.#accounts.set(endpoint.accountId, now)
  }

  #isBefore(one: EndpointQueue, other: EndpointQueue): boolean {
    const difference = this.#accounts.get(one.endpoint.accountId)! - this.#accounts.get(other.endpoint.accountId)!
    return difference === 0 ? one.lastTurn < other.lastTurn : difference < 0
  }
}
