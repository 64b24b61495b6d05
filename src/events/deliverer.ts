import { setTimeout as delay } from 'node:timers/promises'
import type { DeliveryRecord } from '../monitoring/records.ts'
import type { Vault } from '../records/services.ts'
import type { ShopDatabase } from '../resources/tables.ts'
import { cancelPending, EVERY_DELIVERY } from './cancel.ts'
import { DeliveryScheduler } from './delivery-scheduler.ts'
import { EndpointBackoff } from './endpoint-backoff.ts'
import { EndpointQueue } from './endpoint-queue.ts'
import {
  type Delivery,
  dueDeliveries,
  dueEndpoints,
  type Endpoint,
  endpointNow,
  makeDue,
  type Subscription,
} from './queue.ts'
import { ResultWriter } from './result-writer.ts'
import { type Leases, localLeases, sharedLeases } from './results.ts'
import type { AttemptResult, WebhookSender } from './sender.ts'
import { SECRET_PURPOSE } from './signing.ts'

/** The time between polls, which find retries and the deliveries that other processes have committed. */
const POLL_MS = 500
/** A lease lasts this much longer than the timeout of an attempt. It is renewed while the endpoint has deliveries. */
const LEASE_MARGIN_MS = 5_000
const RENEW_MS = 2_000
/**
 * After a poll that took longer than this, the deliverer pauses for `PAUSE_SHARE` times the duration of the poll, so that other
 * work can continue.
 */
const LONG_LOOK_MS = 5
const PAUSE_SHARE = 4
const LONGEST_PAUSE_MS = 250
/** How long a stopping process waits for the responses to deliveries that it has sent. */
const STOP_MS = 2_000
const STEP_MS = 10

export interface DelivererParts {
  database: ShopDatabase
  /** Reports the deliveries that this process has committed. */
  board: { onWake(waker: (left: { deliveries?: number }) => void): void }
  sender: WebhookSender
  vault: Vault
  /** Whether the token of a subscription may read its event now. */
  mayReceive(endpoint: SubscribedEndpoint): Promise<boolean>
  /** The milliseconds between the attempts of a delivery. */
  gapsMs: readonly number[]
  timeoutMs: number
  log: Log
  attempted?: (record: DeliveryRecord) => void
}

export type SubscribedEndpoint = Pick<Endpoint, 'accountId'> & { subscription: Subscription }

interface Log {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/**
 * Sends webhook deliveries after the commit of their change. It polls for endpoints with due deliveries, leases them, and sends each
 * endpoint's deliveries in order of creation, a few at a time. Results are written in batches while other deliveries are being sent. A
 * delivery whose result is lost in a crash is sent again.
 */
export class Deliverer {
  readonly #parts: DelivererParts
  readonly #leases: Leases
  readonly #scheduler = new DeliveryScheduler()
  readonly #backoff: EndpointBackoff
  readonly #writer: ResultWriter
  readonly #stop = new AbortController()
  readonly #timers: NodeJS.Timeout[] = []
  #stopping = false
  #looking: Promise<void> | null = null
  #renewing: Promise<void> | null = null
  #again = false
  /** The endpoint id after which the next poll starts, so that endpoints for which there was no room come first. */
  #after = ''

  constructor(parts: DelivererParts) {
    const { database, timeoutMs, gapsMs, log, board } = parts
    this.#parts = parts
    this.#leases = database.engine === 'sqlite' ? localLeases() : sharedLeases(database, timeoutMs + LEASE_MARGIN_MS)
    this.#backoff = new EndpointBackoff(() => this.#look())
    const writing = { database, leases: this.#leases, gapsMs, log }
    this.#writer = new ResultWriter(writing, this.#scheduler, {
      over: (queue) => this.#turnEnded(queue),
      written: () => this.#send(),
    })
    board.onWake(({ deliveries }) => {
      if (deliveries !== 0) this.#look()
    })
  }

  start(): void {
    this.#timers.push(
      setInterval(() => this.#look(), POLL_MS),
      setInterval(() => this.#renewSoon(), RENEW_MS),
    )
    for (const timer of this.#timers) timer.unref()
    this.#look()
  }

  /** Waits up to `graceMs` for the responses to deliveries that were sent. Those without a response are sent again later. */
  async stop(graceMs = STOP_MS): Promise<void> {
    this.#stopping = true
    for (const timer of this.#timers) clearInterval(timer)
    this.#backoff.clear()
    for (const queue of this.#scheduler.queues) queue.end()
    await this.#untilQuiet(graceMs)
    this.#stop.abort()
    await this.#untilQuiet(STOP_MS)
    await Promise.all([this.#looking, this.#renewing])
    await this.#writer.finish()
  }

  async #untilQuiet(withinMs: number): Promise<void> {
    const until = performance.now() + withinMs
    const isBusy = () => this.#scheduler.queues.some(({ sending, reading }) => sending > 0 || reading)
    while (performance.now() < until && isBusy()) await delay(STEP_MS)
  }

  /** Starts a poll, or a second one after the poll that is running. After a long poll, it pauses for other work. */
  #look(): void {
    if (this.#stopping) return
    if (this.#looking) {
      this.#again = true
      return
    }
    this.#again = false
    const began = performance.now()
    this.#looking = this.#lookRound()
      .catch((error: unknown) => this.#parts.log.error({ err: error }, 'Due deliveries could not be found'))
      .then(() => this.#pause(performance.now() - began))
      .finally(() => {
        this.#looking = null
        if (this.#again) this.#look()
      })
  }

  async #pause(tookMs: number): Promise<void> {
    if (tookMs > LONG_LOOK_MS) await delay(Math.min(LONGEST_PAUSE_MS, tookMs * PAUSE_SHARE), undefined, { ref: false })
  }

  /** Polls for all endpoints with due deliveries. Starts with those for which the last poll had no room. */
  async #lookRound(): Promise<void> {
    const { read } = this.#parts.database
    await makeDue(this.#parts.database, Date.now())
    const start = this.#after
    this.#after = ''
    for (let after = start; ; ) {
      const { endpoints, last } = await dueEndpoints(read, after)
      await this.#leaseFound(endpoints)
      this.#send()
      if (last === null) break
      after = last
    }
    for (let after = ''; start !== '' && after < start; ) {
      const { endpoints, last } = await dueEndpoints(read, after)
      await this.#leaseFound(endpoints.filter(({ id }) => id <= start))
      this.#send()
      after = last ?? start
    }
  }

  /** Leases the endpoints that the poll has found, as far as there is room. */
  async #leaseFound(endpoints: Endpoint[]): Promise<void> {
    const room = { proven: this.#scheduler.room(true), unproven: this.#scheduler.room(false) }
    const fitting: Endpoint[] = []
    for (const endpoint of endpoints) {
      const queue = this.#scheduler.get(endpoint.id)
      queue?.foundAgain()
      if (queue || this.#backoff.has(endpoint.id) || room.proven <= 0) continue
      if (!endpoint.proven && room.unproven <= 0) continue
      fitting.push(endpoint)
      room.proven -= 1
      if (!endpoint.proven) room.unproven -= 1
    }
    if (fitting.length === 0) return
    if (room.proven <= 0 || room.unproven <= 0) this.#after = fitting.at(-1)!.id
    await this.#take(fitting)
  }

  async #take(endpoints: Endpoint[]): Promise<void> {
    const taken = await this.#leases.take(endpoints)
    for (const endpoint of endpoints) {
      const leasedUntil = taken.get(endpoint.id)
      if (leasedUntil === undefined) continue
      if (endpoint.active && (await this.#mayReceive(endpoint)))
        this.#scheduler.add(new EndpointQueue(endpoint, leasedUntil, performance.now()))
      else await this.#cancel(endpoint)
    }
  }

  async #mayReceive({ accountId, subscription }: Endpoint): Promise<boolean> {
    return subscription === null || this.#parts.mayReceive({ accountId, subscription })
  }

  /** Whether a subscription has ended or its token may no longer read the event. This is checked before each attempt. */
  async #isRefused({ endpoint }: EndpointQueue): Promise<boolean> {
    if (endpoint.subscription === null) return false
    try {
      const current = await endpointNow(this.#parts.database.read, endpoint)
      return !current?.active || !(await this.#mayReceive(current))
    } catch (error) {
      this.#parts.log.error({ err: error, endpointId: endpoint.id }, 'The rights of a subscription could not be read')
      return true
    }
  }

  /**
   * Cancels the deliveries of an endpoint that may not receive them: it was disabled while an event for it was written, or it
   * belongs to a subscription that has ended or may no longer read the event.
   */
  async #cancel({ accountId, id }: Endpoint): Promise<void> {
    await this.#parts.database.transaction(
      async ({ db }) => {
        await cancelPending({ db, accountId }, { endpoint: id, until: EVERY_DELIVERY })
        await this.#leases.release(db, [id])
      },
      { lowPriority: true },
    )
  }

  /** Starts as many attempts as the limits allow, loads more deliveries, and releases endpoints that have none left. */
  #send(): void {
    if (this.#stopping) return
    this.#readAhead()
    if (!this.#writer.isBehind) this.#beginAttempts()
    for (const queue of this.#scheduler.queues) this.#writer.settle(queue)
  }

  #readAhead(): void {
    for (const queue of this.#scheduler.queues) if (queue.wantsMore) void this.#read(queue)
  }

  #beginAttempts(): void {
    for (;;) {
      const now = performance.now()
      const queue = this.#scheduler.next(now, this.#parts.timeoutMs)
      if (!queue) return
      this.#scheduler.took(queue, now)
      void this.#attempt(queue, queue.begin(now))
      if (queue.wantsMore) void this.#read(queue)
    }
  }

  async #read(queue: EndpointQueue): Promise<void> {
    const { read } = this.#parts.database
    queue.beginReading()
    try {
      const endpoint = await endpointNow(read, queue.endpoint)
      if (endpoint?.active) {
        queue.endpoint = { ...endpoint, proven: queue.endpoint.proven }
        const { deliveries, more } = await dueDeliveries(read, endpoint, queue.next)
        queue.add(deliveries, more)
      } else queue.end()
    } catch (error) {
      queue.end()
      this.#parts.log.error({ err: error, endpointId: queue.endpoint.id }, 'Deliveries could not be read')
    } finally {
      queue.reading = false
    }
    this.#send()
  }

  async #attempt(queue: EndpointQueue, delivery: Delivery): Promise<void> {
    if (await this.#isRefused(queue)) {
      queue.sending -= 1
      queue.written(delivery.id)
      queue.end()
      return this.#send()
    }
    const beganMs = Date.now()
    const result = await attempt(this.#parts, queue, delivery, this.#stop.signal)
    this.#parts.attempted?.(recordOf(delivery, result, beganMs))
    queue.sending -= 1
    if (this.#stop.signal.aborted && !result.delivered) queue.written(delivery.id)
    else {
      if (result.delivered) queue.endpoint.proven = true
      else this.#fail(queue)
      const { payload: _, ...sent } = delivery
      this.#writer.add({ delivery: sent, result, endedMs: Date.now() })
    }
    this.#send()
  }

  #fail(queue: EndpointQueue): void {
    queue.failed = true
    queue.end()
  }

  /** Starts the endpoint's pause if its turn ended with a failure. Otherwise polls again if it has deliveries left. */
  #turnEnded({ endpoint, failed, failureCount, drained }: EndpointQueue): void {
    if (failed) this.#backoff.begin(endpoint.id, failureCount)
    else if (!drained) this.#look()
  }

  #renewSoon(): void {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null
    })
  }

  async #renew(): Promise<void> {
    const { log } = this.#parts
    const ids = this.#scheduler.queues.map(({ endpoint }) => endpoint.id)
    try {
      const renewed = await this.#leases.renew(ids)
      for (const id of ids) {
        const [queue, until] = [this.#scheduler.get(id), renewed.get(id)]
        if (queue && until !== undefined) queue.leasedUntil = until
        // The lease was not renewed, because another process has leased the endpoint meanwhile.
        else queue?.end()
      }
      this.#send()
    } catch (error) {
      log.error({ err: error }, 'Leases of webhook endpoints could not be renewed')
    }
  }
}

/** Sends a webhook delivery, signed with the secret of its endpoint. Never rejects. */
async function attempt(
  { sender, vault }: DelivererParts,
  queue: EndpointQueue,
  { id, type, attempts, payload, subscription }: Delivery,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { url, sealedSecret } = queue.endpoint
  try {
    queue.secret ??= vault.open(SECRET_PURPOSE, sealedSecret)
  } catch {
    return UNREADABLE_SECRET
  }
  const number = attempts + 1
  return sender.send({ url, secret: queue.secret, id, type, number, body: payload, subscription, signal })
}

const UNREADABLE_SECRET: AttemptResult = {
  delivered: false,
  status: null,
  body: null,
  error: 'The signing secret of the endpoint cannot be read any more. Delete the endpoint, and create it again.',
  retryAfterMs: 0,
  durationMs: 0,
}

function recordOf(delivery: Delivery, result: AttemptResult, beganMs: number): DeliveryRecord {
  const { id: deliveryId, endpointId, accountId, attempts, dueMs } = delivery
  const { delivered, status, durationMs } = result
  const outcome = delivered ? 'delivered' : 'failed'
  return {
    deliveryId,
    endpointId,
    accountId,
    attempt: attempts + 1,
    outcome,
    status,
    durationMs,
    lagMs: beganMs - dueMs,
  }
}
