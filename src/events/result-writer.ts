import { setTimeout as delay } from 'node:timers/promises'
import type { ShopScope } from '../resources/tables.ts'
import type { DeliveryScheduler } from './delivery-scheduler.ts'
import type { EndpointQueue } from './endpoint-queue.ts'
import { type CompletedAttempt, type EndpointState, type Leases, writeResults } from './results.ts'

const BATCH = 200
/** While this many results are waiting to be written, no deliveries are sent. */
const MOST_UNWRITTEN = 1_000
/** The pause after a write, as a multiple of its duration. Makes batches larger on slow disks, whose writes block the process. */
const REST_SHARE = 3
const LONGEST_REST_MS = 50
const PAUSE_MS = 1_000

interface WriterParts {
  database: ShopScope
  leases: Leases
  gapsMs: readonly number[]
  log: { warn(details: object, message: string): void; error(details: object, message: string): void }
}

interface WriterListener {
  /** Called when the turn of an endpoint has ended and its lease is released. */
  over(queue: EndpointQueue): void
  /** Called after results were written, because queues may have waited for that. */
  written(): void
}

/** Writes the results of attempts in batches, and ends the turns of endpoints. */
export class ResultWriter {
  readonly #parts: WriterParts
  readonly #scheduler: DeliveryScheduler
  readonly #listener: WriterListener
  readonly #results: CompletedAttempt[] = []
  /** Endpoints that have nothing left to send or write, but whose leases are not released yet. */
  readonly #idle = new Set<EndpointQueue>()
  #writing: Promise<void> | null = null
  #finishing = false

  constructor(parts: WriterParts, scheduler: DeliveryScheduler, listener: WriterListener) {
    this.#parts = parts
    this.#scheduler = scheduler
    this.#listener = listener
  }

  get isBehind(): boolean {
    return this.#results.length >= MOST_UNWRITTEN
  }

  add(attempted: CompletedAttempt): void {
    this.#results.push(attempted)
    this.#write()
  }

  settle(queue: EndpointQueue): void {
    if (!queue.isOver || this.#scheduler.get(queue.endpoint.id) !== queue) return
    this.#idle.add(queue)
    this.#write()
  }

  /** Writes the remaining results. Gives up if the database fails. */
  async finish(): Promise<void> {
    this.#finishing = true
    for (const queue of this.#scheduler.queues) this.#idle.add(queue)
    this.#write()
    await this.#writing
  }

  #write(): void {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null
      if (!this.#finishing && this.#results.length + this.#idle.size > 0) this.#write()
    })
  }

  async #writeAll(): Promise<void> {
    while (this.#results.length + this.#idle.size > 0) {
      const batch = this.#results.slice(0, BATCH)
      const ending = this.#endingWith(batch)
      const released = ending.map(({ endpoint }) => endpoint.id)
      // The turn ends before the lease is released, because another process may deliver after the release.
      for (const queue of ending) queue.end()
      const began = performance.now()
      try {
        const nothing = batch.length === 0 && !this.#parts.leases.shared
        const states = nothing ? [] : await writeResults(this.#parts.database, batch, { ...this.#parts, released })
        this.#written(batch, ending, states)
        if (!this.#finishing) await delay(Math.min(LONGEST_REST_MS, REST_SHARE * (performance.now() - began)))
      } catch (error) {
        this.#parts.log.error({ err: error }, 'Delivery results could not be saved')
        if (this.#finishing) return
        await delay(PAUSE_MS)
      }
    }
  }

  /** Returns the queues that have nothing left to do once these results are written. */
  #endingWith(batch: CompletedAttempt[]): EndpointQueue[] {
    const written = Map.groupBy(batch, ({ delivery }) => delivery.endpointId)
    const ending = new Set(this.#idle)
    for (const [endpointId, some] of written) {
      const queue = this.#scheduler.get(endpointId)
      if (queue?.isIdle && queue.open === some.length) ending.add(queue)
    }
    return [...ending]
  }

  #written(batch: CompletedAttempt[], ending: EndpointQueue[], states: EndpointState[]): void {
    this.#results.splice(0, batch.length)
    for (const { delivery } of batch) this.#scheduler.get(delivery.endpointId)?.written(delivery.id)
    for (const { disabled, accountId, endpointId, failureCount } of states) {
      const queue = this.#scheduler.get(endpointId)
      if (queue) queue.failureCount = failureCount
      if (disabled) this.#parts.log.warn({ accountId, endpointId, reason: disabled }, 'A webhook endpoint was disabled')
    }
    for (const queue of ending) {
      this.#idle.delete(queue)
      this.#scheduler.remove(queue.endpoint.id)
      this.#listener.over(queue)
    }
    this.#listener.written()
  }
}
