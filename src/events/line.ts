import type { Delivery, Endpoint } from './queue.ts'

/** The most deliveries that are under way to one endpoint at a time. */
const MOST_AT_ONCE = 4
/** Deliveries that were sent and not yet written down; no more are read while there are so many. */
const MOST_OPEN = 256
/** Deliveries that are read at once: fewer where they are large. */
const LEAST_READ = 4
const MOST_READ = 32
const READ_CHARACTERS = 256_000
/** Nothing more is read after this time, so that the next turn begins with the oldest again: with retries that are due now. */
const LONGEST_TURN_MS = 500

/** The turn of one endpoint in this process: the deliveries that wait to be sent, and those that are under way. */
export class Line {
  endpoint: Endpoint
  /** What opens the endpoint's secret only once. */
  secret: string | null = null
  /** Until this moment of `performance.now()` no other process delivers to the endpoint. */
  leasedUntil: number
  /** When it last began a delivery, or was found. */
  lastTurn: number
  /** The database had no more when it was last read. */
  drained = false
  /** It is being read from the database. */
  reading = false
  /** Its last turn ended with a failure; so many since the last success. */
  failed = false
  failureCount = 0
  /** Nothing more is sent before the endpoint has its next turn: it failed, or is another process's. */
  ended = false
  sending = 0
  /** Deliveries up to this id were read. */
  #readUntil: string
  /** More was found since the last time that it was read. */
  #foundAgain = false
  readonly #begunAt: number
  readonly #ready: Delivery[] = []
  /** The ids of what is ready, being sent, or sent and not yet written down. */
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

  /** What to read next. */
  get next(): { after: string; count: number } {
    return { after: this.#readUntil, count: this.#readCount }
  }

  canSend(now: number, attemptMs: number): boolean {
    if (this.ended || this.#ready.length === 0 || this.sending >= MOST_AT_ONCE) return false
    return now + attemptMs < this.leasedUntil
  }

  /** What is ready, being sent, or sent and not yet written down. */
  get open(): number {
    return this.#known.size
  }

  /** Nothing is under way, and nothing is left to be done. */
  get isOver(): boolean {
    return this.isIdle && this.#known.size === 0
  }

  /** As `isOver`, but for what is not written down yet. */
  get isIdle(): boolean {
    const takesNoMore = this.drained || this.#takesNoMore
    return takesNoMore && this.#ready.length === 0 && this.sending === 0 && !this.reading
  }

  get #takesNoMore(): boolean {
    return this.ended || performance.now() - this.#begunAt > LONGEST_TURN_MS
  }

  /** A look has found due deliveries, which may be ones that it does not know. */
  foundAgain(): void {
    this.#foundAgain = true
    this.drained = false
  }

  beginReading(): void {
    this.reading = true
    this.#foundAgain = false
  }

  /** What was read: the next due deliveries, and whether the database has more. */
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

  /** Leaves what is not under way for the next turn. */
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
