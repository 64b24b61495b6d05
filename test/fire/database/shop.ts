import { setTimeout as delay } from 'node:timers/promises'
import { requestAdvance, requestState } from '../../../src/clock/requests.ts'
import { laterBy } from '../../../src/contract/values/values.ts'
import type { Database } from '../../../src/database/database.ts'
import type { Tables } from '../../../src/resources/tables.ts'
import { booksOf, problemsOf } from '../../process/sales/books.ts'
import { type Acknowledged, Buyers, type Wares } from '../../process/sales/buyers.ts'
import { problemsOfDeliveries, problemsOfEvents } from '../../process/sales/heard.ts'
import type { Receiver } from '../../support/receiver.ts'
import { type Answer, type RequestOptions, request } from '../../support/request.ts'
import type { Server } from '../../support/server.ts'
import { Heard } from './heard.ts'
import { problemsOfReceipts, receiptsIn } from './letters.ts'
import { Once } from './once.ts'
import type { Replicas } from './replicas.ts'
import { Uploads } from './uploads.ts'

const STOCK = 10_000_000
const PAUSE_MS = 40
/** Clients come again sooner than they are asked to, so that the end of a refusal is seen. */
const REFUSED_PAUSE_MS = 300
const PROBE_MS = 100
const KEY_LIMIT_MS = 90_000
const DAY_MS = 24 * 60 * 60 * 1000
const SETTLE_LIMIT_MS = 180_000

interface ShopParts {
  replicas: Replicas
  receiver: Receiver
  /** A way to the database that nothing disturbs. */
  url: () => string
}

/** A shop with clients of every kind, at replicas whose database is being broken. */
export class BurningShop {
  heard = new Heard()
  readonly #parts: ShopParts
  readonly #seen: Acknowledged = { checkouts: new Set(), paid: new Set(), refunds: new Map(), keys: new Map() }
  #account = { accountId: '', token: '' }
  #wares!: Wares
  #since = ''
  #path = ''
  #once!: Once
  #uploads!: Uploads
  #over = false
  #clients: Promise<unknown> = Promise.resolve()

  constructor(parts: ShopParts) {
    this.#parts = parts
  }

  async open(name: string): Promise<void> {
    const { replicas, receiver, url } = this.#parts
    this.#account = await replicas.openAccount(name, url())
    const post = async (path: string, body: object) => (await this.api('POST', path, body)).body
    const product = await post('/products', { name: 'Tea', status: 'active' })
    const goods = await post('/price_variants', { product_id: product.id, amount: 700, quantity_available: STOCK })
    const monthly = { billing_type: 'subscription', recurring_interval: 'month' }
    const club = await post('/price_variants', { product_id: product.id, amount: 1500, ...monthly })
    const { code } = await post('/discounts', { code: 'TEA', discount_type: 'percent_off', percent_off: 10 })
    this.#wares = { goods: goods.id, club: club.id, code }
    this.#path = `/heard-${name}`
    await post('/webhook_endpoints', { url: receiver.url + this.#path, enabled_events: ['*'] })
    const { events } = await this.#within((database) => booksOf(database, this.#account.accountId))
    this.#since = events!
      .map(({ id }) => id)
      .sort()
      .at(-1)
    this.#once = new Once(this)
    this.#uploads = new Uploads(this)
  }

  #within<Result>(work: (database: Database<Tables>) => Promise<Result>): Promise<Result> {
    return this.#parts.replicas.within(work, this.#parts.url())
  }

  get accountId(): string {
    return this.#account.accountId
  }

  get token(): string {
    return this.#account.token
  }

  get anyServer(): Server {
    const { servers } = this.#parts.replicas
    return servers[Math.floor(Math.random() * servers.length)]!
  }

  /** One REST request to any replica, whose answer is noted. */
  api = async (
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions & { probe?: boolean } = {},
  ): Promise<Answer> => {
    const { probe = false, ...rest } = options
    const beganMs = performance.now()
    const answer = await request(this.anyServer.url, this.#account.token, method, path, body, rest)
    this.heard.note(`${method} ${path}`, answer, { beganMs, probe })
    return answer
  }

  /** Clients that go on until `stop`. */
  start(): void {
    this.#over = false
    const acts = [() => this.#buyers().buy(), () => this.#buyers().refund(), () => this.#buyers().subscribe()]
    const others = [() => this.#once.run(), () => this.#once.post(), () => this.#uploads.run()]
    this.#clients = Promise.all(
      [...acts, ...acts, ...others].map((act) => this.#repeat(act, PAUSE_MS)).concat(this.#probe()),
    )
  }

  async stop(): Promise<void> {
    this.#over = true
    await this.#clients
  }

  #buyers(): Buyers {
    const { url } = this.anyServer
    return new Buyers({ url, api: this.api }, this.#account.token, { wares: this.#wares, seen: this.#seen })
  }

  async #repeat(act: () => Promise<void>, pauseMs: number): Promise<void> {
    while (!this.#over) {
      const refused = await act().then(
        () => false,
        () => true,
      )
      await delay(refused ? REFUSED_PAUSE_MS : pauseMs)
    }
  }

  /** A write each tenth of a second, by whose answers the time of refusal is measured. */
  async #probe(): Promise<void> {
    for (let count = 0; !this.#over; count++) {
      await this.api('POST', '/tags', { name: `probe ${count} ${Math.random()}` }, { probe: true }).catch(() => null)
      await delay(PROBE_MS)
    }
  }

  /** Resolves with the seconds until a write is taken again. */
  async recovered(limitSeconds = 60): Promise<number> {
    const began = performance.now()
    for (;;) {
      const answer = await this.api('POST', '/tags', { name: `again ${Math.random()}` }, { probe: true }).catch(
        () => null,
      )
      const seconds = (performance.now() - began) / 1000
      if (answer?.status === 201) return seconds
      if (seconds > limitSeconds) throw new Error(`After ${limitSeconds} s: ${answer?.text ?? 'no answer'}`)
      await delay(PROBE_MS)
    }
  }

  /** Asks for everything again whose answer was cut off, and waits until nothing is under way any more. */
  async settle(): Promise<void> {
    const buyers = this.#buyers()
    for (const key of this.#seen.keys.keys()) await this.#untilAnswered(() => buyers.ask(key))
    await this.#moveClock()
    const until = Date.now() + SETTLE_LIMIT_MS
    for (;;) {
      const left = await this.#within((database) => underWay(database, this.#account.accountId))
      if (left.length === 0) return
      if (Date.now() > until) throw new Error(`Still under way: ${left.slice(0, 5).join(', ')}`)
      await delay(500)
    }
  }

  /** A key whose first request was cut off may be in use for a minute. */
  async #untilAnswered(ask: () => Promise<void>): Promise<void> {
    const until = Date.now() + KEY_LIMIT_MS
    for (;;) {
      try {
        return await ask()
      } catch (error) {
        if (Date.now() > until) throw error
      }
      await delay(1_000)
    }
  }

  /** Two days, after which nobody waits any more for buyers who have left the page of their bank. */
  async #moveClock(): Promise<void> {
    const { accountId } = this.#account
    await this.#within(async (database) => {
      const { shown } = await requestState(database, accountId)
      await requestAdvance(database, accountId, laterBy(shown, 2 * DAY_MS))
    })
    const until = Date.now() + SETTLE_LIMIT_MS
    while ((await this.#within((database) => requestState(database, accountId))).state !== 'ended') {
      if (Date.now() > until) throw new Error('The clock of the account has not arrived.')
      await delay(200)
    }
  }

  /** What was lost, done twice or does not agree: one sentence for each. */
  async problems(): Promise<string[]> {
    const books = await this.#within((database) => booksOf(database, this.#account.accountId))
    const heard = this.#parts.receiver.at(this.#path).map(({ body }) => body)
    const status = new Map([...books.checkouts!, ...books.refunds!].map((row) => [row.id, row.status]))
    const made = Map.groupBy(books.refunds!, ({ metadata }) => JSON.parse(metadata).key)
    return [
      ...problemsOf(books, { price: this.#wares.goods, initial: STOCK }),
      ...problemsOfEvents(books),
      ...problemsOfDeliveries(books, heard, this.#since),
      ...[...this.#seen.checkouts].filter((id) => !status.has(id)).map((id) => `${id} is lost`),
      ...[...this.#seen.paid].filter((id) => status.get(id) !== 'complete').map((id) => `${id} was paid`),
      ...[...this.#seen.refunds].filter(([id, one]) => status.get(id) !== one).map(([id, one]) => `${id} was ${one}`),
      ...[...made].filter(([, rows]) => rows.length > 1).map(([key]) => `the refund ${key} was made twice`),
      ...(await this.#once.problems()),
      ...(await this.#uploads.problems()),
      ...problemsOfReceipts(books.orders!, await receiptsIn(this.#parts.replicas.outboxes)),
    ]
  }

  /** How much happened. A delivery that was cut off may be heard again, with the same id. */
  async counts(): Promise<Record<string, number>> {
    const books = await this.#within((database) => booksOf(database, this.#account.accountId))
    const heard = this.#parts.receiver.at(this.#path).map(({ body }) => body.id)
    const rows = Object.fromEntries(
      ['orders', 'refunds', 'subscriptions', 'events'].map((name) => [name, books[name]!.length]),
    )
    const again = heard.length - new Set(heard).size
    const { letters, again: sentAgain } = await receiptsIn(this.#parts.replicas.outboxes)
    const sent = { deliveries: heard.length, 'heard again': again, letters, 'letters handed over again': sentAgain }
    return { ...rows, ...this.#once.counts, ...this.#uploads.counts, ...sent }
  }
}

async function underWay({ read }: Database<Tables>, accountId: string): Promise<string[]> {
  const jobs = read.selectFrom('jobs').select(['name', 'state', 'last_error']).where('account_id', '=', accountId)
  const deliveries = read.selectFrom('webhook_events').select('id').where('account_id', '=', accountId)
  const [waiting, pending] = await Promise.all([
    jobs.where('state', 'in', ['due', 'working', 'waiting']).limit(20).execute(),
    deliveries.where('status', '=', 'pending').limit(20).execute(),
  ])
  return [
    ...waiting.map(({ name, state, last_error }) => `${name} is ${state}: ${last_error}`),
    ...pending.map(({ id }) => id),
  ]
}
