import type { Delivery, Endpoint } from './queue.ts'

/** The maximum number of concurrent deliveries to one endpoint. */
const MOST_AT_ONCE = 4
/** The maximum number of deliveries whose results are not written yet; no more are read until some are. */
const MOST_OPEN = 256
/** The range for the number of deliveries that are read at once: fewer if they are large. */
const LEAST_READ = 4
const MOST_READ = 32
const READ_CHARACTERS = 256_000
/** After this time nothing more is read, so that the next turn starts with the oldest delivery again, which may be a retry. */
const LONGEST_TURN_MS = 500

/** The turn of an endpoint in this process: its deliveries that are ready to be sent or being sent. */
export class EndpointQueue {
  endpoint: Endpoint
  /** The opened secret of the endpoint, cached. */
  secret: string | null = null
  /** Until this time of `performance.now()`, no other process delivers to the endpoint. */
  leasedUntil: number
  /** The time at which it last started a delivery, or was found. */
  lastTurn: number
  /** Whether the last read found no further due deliveries in the database. */
  drained = false
  /** Whether a read is in progress. */
  reading = false
  /** Whether its last turn ended with a failure, and the number of failures since the last success. */
  failed = false
  failureCount = 0
  /** Whether sending has stopped until the endpoint's next turn: it failed, or another process has it. */
  ended = false
  sending = 0
  /** The id up to which deliveries were read. */
  #readUntil: string
  /** Whether a look has found the endpoint again since the last read began. */
  #foundAgain = false
  readonly #begunAt: number
  readonly #ready: Delivery[] = []
  /** The ids of deliveries that are ready, being sent, or sent but not written yet. */
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

  /** The arguments of the next read. */
  get next(): { after: string; count: number } {
    return { after: this.#readUntil, count: this.#readCount }
  }

  canSend(now: number, attemptMs: number): boolean {
    if (this.ended || this.#ready.length === 0 || this.sending >= MOST_AT_ONCE) return false
    return now + attemptMs < this.leasedUntil
  }

  /** The number of deliveries that are ready, being sent, or sent but not written yet. */
  get open(): number {
    return this.#known.size
  }

  /** Whether nothing is in progress and nothing is left to do. */
  get isOver(): boolean {
    return this.isIdle && this.#known.size === 0
  }

  /** Like `isOver`, except that results may not be written yet. */
  get isIdle(): boolean {
    const takesNoMore = this.drained || this.#takesNoMore
    return takesNoMore && this.#ready.length === 0 && this.sending === 0 && !this.reading
  }

  get #takesNoMore(): boolean {
    return this.ended || performance.now() - this.#begunAt > LONGEST_TURN_MS
  }

  /** Records that polling the database found due deliveries, possibly ones added since the last poll. */
  foundAgain(): void {
    this.#foundAgain = true
    this.drained = false
  }

  beginReading(): void {
    this.reading = true
    this.#foundAgain = false
  }

  /** Adds the deliveries of a read; `more` means that the database has further due ones. */
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

  /** Ends the turn and leaves deliveries that are not being sent for the next one. */
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
