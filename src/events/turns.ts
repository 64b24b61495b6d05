import type { EndpointQueue } from './line.ts'

/** The maximum number of concurrent attempts of this process. */
const MOST_AT_ONCE = 256
/** The maximum for endpoints that have not proven to work, which leaves room for the others. */
const MOST_UNPROVEN = MOST_AT_ONCE / 2
/** The maximum number of endpoints that this process has at a time. */
const MOST_LINES = 512
const MOST_UNPROVEN_LINES = MOST_LINES / 2

/** Schedules deliveries: the account that has waited longest is next, and within it the endpoint that has waited longest. */
export class DeliveryScheduler {
  readonly #lines = new Map<string, EndpointQueue>()
  /** The time of each account's last turn. */
  readonly #accounts = new Map<string, number>()

  get lines(): EndpointQueue[] {
    return [...this.#lines.values()]
  }

  get(endpointId: string): EndpointQueue | undefined {
    return this.#lines.get(endpointId)
  }

  /** Returns how many more endpoints there is room for. */
  room(proven: boolean): number {
    const room = MOST_LINES - this.#lines.size
    if (proven) return room
    const unproven = this.lines.filter(({ endpoint }) => !endpoint.proven).length
    return Math.min(room, MOST_UNPROVEN_LINES - unproven)
  }

  add(line: EndpointQueue): void {
    this.#lines.set(line.endpoint.id, line)
    const { accountId } = line.endpoint
    this.#accounts.set(accountId, this.#accounts.get(accountId) ?? line.lastTurn)
  }

  remove(endpointId: string): void {
    const line = this.#lines.get(endpointId)
    this.#lines.delete(endpointId)
    const accountId = line?.endpoint.accountId
    if (accountId !== undefined && !this.lines.some(({ endpoint }) => endpoint.accountId === accountId))
      this.#accounts.delete(accountId)
  }

  /** Returns the next line that can send. `attemptMs` is the timeout of an attempt. */
  next(now: number, attemptMs: number): EndpointQueue | undefined {
    let sending = 0
    let unproven = 0
    for (const line of this.#lines.values()) {
      sending += line.sending
      if (!line.endpoint.proven) unproven += line.sending
    }
    if (sending >= MOST_AT_ONCE) return undefined
    let best: EndpointQueue | undefined
    for (const line of this.#lines.values()) {
      if (!line.canSend(now, attemptMs) || (!line.endpoint.proven && unproven >= MOST_UNPROVEN)) continue
      if (!best || this.#isBefore(line, best)) best = line
    }
    return best
  }

  /** Records that a line has its turn now. */
  took({ endpoint }: EndpointQueue, now: number): void {
    this.#accounts.set(endpoint.accountId, now)
  }

  #isBefore(one: EndpointQueue, other: EndpointQueue): boolean {
    const difference = this.#accounts.get(one.endpoint.accountId)! - this.#accounts.get(other.endpoint.accountId)!
    return difference === 0 ? one.lastTurn < other.lastTurn : difference < 0
  }
}
