import type { Delivery, Endpoint } from './queue.ts'

const MOST_AT_ONCE = 4
/** The maximum number of deliveries that were read but whose results are not written yet. */
const MOST_OPEN = 256
/** The minimum and maximum number of deliveries that are read at once. Fewer are read if they are large. */
const LEAST_READ = 4
const MOST_READ = 32
const READ_CHARACTERS = 256_000
/** After this time, a turn reads no more deliveries. The next turn starts again with the oldest one, which may be a retry. */
const LONGEST_TURN_MS = 500

/** One turn of an endpoint in this process: the deliveries that are ready to be sent or are being sent. */
export class EndpointQueue {
  endpoint: Endpoint
  /** The decrypted secret of the endpoint; null until it is needed. */
  secret: string | null = null
  /** The end of the lease on the clock of `performance.now()`. Until then, no other process delivers to the endpoint. */
  leasedUntil: number
  /** When the endpoint last started a delivery or, before its first one, when it was leased. */
  lastTurn: number
  /** Whether the last read from the database found no more due deliveries. */
  drained = false
  reading = false
  failed = false
  failureCount = 0
  /** Whether nothing more is sent in this turn, for example because a delivery has failed or the endpoint was disabled. */
  ended = false
  sending = 0
  #readUntil: string
  /** Whether a poll has found due deliveries of the endpoint since the last read began. */
  #foundAgain = false
  readonly #begunAt: number
  readonly #ready: Delivery[] = []
  /** The ids of deliveries that are ready, are being sent, or were sent but have no written result yet. */
  readonly #known = new Set<string>()
  #readCount = LEAST_READ

  constructor(endpoint: Endpoint, leasedUntil: number, now: number) {
    this.endpoint = endpoint
    this.leasedUntil = leasedUntil
    this.lastTurn = now
    this.#begunAt = now
    this.#readUntil = endpoint.startsAfter
  }

  get wantsMore(): boolean {
    const fewReady = this.#ready.length < MOST_AT_ONCE && this.#known.size < MOST_OPEN
    return fewReady && !this.drained && !this.reading && !this.#takesNoMore
  }

  get next(): { after: string; count: number } {
    return { after: this.#readUntil, count: this.#readCount }
  }

  canSend(now: number, attemptMs: number): boolean {
    if (this.ended || this.#ready.length === 0 || this.sending >= MOST_AT_ONCE) return false
    return now + attemptMs < this.leasedUntil
  }

  get open(): number {
    return this.#known.size
  }

  /** Whether nothing is in progress, nothing is left to send, and all results are written. */
  get isOver(): boolean {
    return this.isIdle && this.#known.size === 0
  }

  /** Whether nothing is in progress and nothing is left to send. Results may not be written yet. */
  get isIdle(): boolean {
    const takesNoMore = this.drained || this.#takesNoMore
    return takesNoMore && this.#ready.length === 0 && this.sending === 0 && !this.reading
  }

  get #takesNoMore(): boolean {
    return this.ended || performance.now() - this.#begunAt > LONGEST_TURN_MS
  }

  /** Records that a poll found due deliveries of the endpoint, possibly some that were added since the last poll. */
  foundAgain(): void {
    this.#foundAgain = true
    this.drained = false
  }

  beginReading(): void {
    this.reading = true
    this.#foundAgain = false
  }

  /** Adds deliveries that were read. `more` means that the database has more due deliveries. */
  add(deliveries: Delivery[], more: boolean): void {
    this.drained = !more && !this.#foundAgain
    if (this.ended) return
    this.#readCount = fittingCount(deliveries)
    this.#readUntil = deliveries.at(-1)?.id ?? this.#readUntil
    for (const { id } of deliveries) this.#known.add(id)
    this.#ready.push(...deliveries)
  }

  begin(now: number): Delivery {
    this.sending += 1
    this.lastTurn = now
    return this.#ready.shift()!
  }

  written(id: string): void {
    this.#known.delete(id)
  }

  /** Ends the turn. Deliveries that are not being sent yet are left for the next turn. */
  end(): void {
    this.ended = true
    if (this.#ready.length > 0) this.drained = false
    for (const { id } of this.#ready.splice(0)) this.#known.delete(id)
  }
}

function fittingCount(deliveries: Delivery[]): number {
  const characters = deliveries.reduce((sum, { payload }) => sum + payload.length, 0)
  if (characters === 0) return LEAST_READ
  const fitting = Math.floor((READ_CHARACTERS * deliveries.length) / characters)
  return Math.max(LEAST_READ, Math.min(MOST_READ, fitting))
}
