import type { Delivery, Endpoint } from './queue.ts'

/** Deliveries under way to one endpoint (contract 3.3). */
const MOST_AT_ONCE = 4
/** Deliveries that were sent and not yet written down; no more are read while there are so many. */
const MOST_OPEN = 32
/** Deliveries that are read at once: fewer where they are large. */
const LEAST_READ = 4
const MOST_READ = 32
const READ_CHARACTERS = 256_000

/** The deliveries of one endpoint in this process: those that wait to be sent, and those that are under way. */
export class Line {
  endpoint: Endpoint
  /** What opens the endpoint's secret only once. */
  secret: string | null = null
  /** Until this moment of `performance.now()` no other process delivers to the endpoint. */
  leasedUntil: number
  /** When it last began a delivery, or was found. */
  lastTurn: number
  /** The database has no more than is here already. */
  drained = false
  /** It is being read from the database. */
  reading = false
  /** Its last turn ended with a failure; so many since the last success. */
  failed = false
  failureCount = 0
  /** Nothing more is sent before the endpoint has its next turn: it failed, or is another process's. */
  ended = false
  sending = 0
  /** More was found since the last time that it was read. */
  #foundAgain = false
  readonly #ready: Delivery[] = []
  /** The ids of what is ready, being sent, or sent and not yet written down. */
  readonly #known = new Set<string>()
  #readCount = LEAST_READ

  constructor(endpoint: Endpoint, leasedUntil: number, now: number) {
    this.endpoint = endpoint
    this.leasedUntil = leasedUntil
    this.lastTurn = now
  }

  get wantsMore(): boolean {
    const fewReady = this.#ready.length < MOST_AT_ONCE
    return fewReady && !this.drained && !this.reading && !this.ended && this.#known.size < MOST_OPEN
  }

  /** How many deliveries to ask for: those that are known already come first in the answer. */
  get readCount(): number {
    return this.#known.size + this.#readCount
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
    const nothingToSend = this.ended || (this.drained && this.#ready.length === 0)
    return nothingToSend && this.sending === 0 && !this.reading
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

  /** What was read: the first due deliveries, and whether the database has more. */
  add(deliveries: Delivery[], more: boolean): void {
    const fresh = deliveries.filter(({ id }) => !this.#known.has(id))
    this.drained = !more && !this.#foundAgain
    this.#readCount = fittingCount(deliveries)
    if (this.ended) return
    for (const delivery of fresh) this.#known.add(delivery.id)
    this.#ready.push(...fresh)
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
