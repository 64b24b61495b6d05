import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withDatabase } from '../../src/cli/with-database.ts'
import { requestAdvance, requestState } from '../../src/clock/requests.ts'
import { laterBy } from '../../src/contract/values/values.ts'
import type { Database } from '../../src/database/database.ts'
import { openAccount } from '../../src/resources/company/account/life/open.ts'
import type { Tables } from '../../src/resources/tables.ts'
import { readSettings } from '../../src/settings/config.ts'
import { testServerUrl } from '../database/engines.ts'
import { times } from '../support/depth.ts'
import { prepareShop } from '../support/prepared.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { type Environment, type Server, startServer } from '../support/server.ts'
import { freshEnvironments } from './environments.ts'
import { booksOf, problemsOf } from './sales/books.ts'
import { type Acknowledged, Buyers, type Wares } from './sales/buyers.ts'
import { problemsOfDeliveries, problemsOfEvents } from './sales/heard.ts'

const ROUNDS = { sqlite: times({ gate: 2, deep: 20 }), postgres: times({ gate: 1, deep: 6 }) }
/** Answers of a round, so that the kill comes in the middle of others. */
const ENOUGH = 40
const BUYERS = 9
const STOCK = 1_000_000
const DAY_MS = 24 * 60 * 60 * 1000
const SECRET_KEY = 'a key that the server keeps'
const SETTINGS = {
  ...{ SECRET_KEY, WEBHOOKS_ALLOW_LOOPBACK: 'true', WEBHOOK_TIMEOUT_SECONDS: '1' },
  // On a busy machine, the receiver can miss the timeout several times.
  WEBHOOK_RETRY_GAPS: '1,1,1,1,1,1,1,1,1',
  ...{ RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_BURST: '1000000', CHECKOUT_POSTS_PER_MINUTE: '1000000' },
}

const prepare = freshEnvironments()
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

/** A shop of a test account that is killed again and again. */
class CrashingShop {
  readonly #environment: Environment
  readonly #path: string
  readonly seen: Acknowledged = { checkouts: new Set(), paid: new Set(), refunds: new Map(), keys: new Map() }
  /** That of the opening, until it is killed. */
  #server: Server | null = null
  #token = ''
  #accountId = ''
  #wares!: Wares
  /** The last event that the endpoint does not hear of: that of its own making. */
  #since = ''

  constructor(environment: Environment, path: string) {
    this.#environment = environment
    this.#path = path
    receiver.answers.set(path, (response) => setTimeout(() => response.writeHead(200).end(), 2))
  }

  /** Looks into the database, whether a server runs on it or not. */
  #within = <Result>(work: (database: Database<Tables>) => Promise<Result>) =>
    withDatabase(readSettings(this.#environment), work)

  async open(): Promise<void> {
    await prepareShop(this.#environment)
    const server = await startServer(this.#environment)
    this.#server = server
    const owner = { name: 'Ada', email: 'ada@example.com' }
    const request = { name: 'Rehearsal', subdomain: 'rehearsal', owner, test: true }
    const account = await this.#within((database) => openAccount(database, SECRET_KEY, request))
    this.#token = account!.token
    this.#accountId = account!.accountId
    const post = async (path: string, body: object) =>
      (await server.api('POST', path, body, { token: this.#token })).body
    const product = await post('/products', { name: 'Tea', status: 'active' })
    const goods = await post('/price_variants', { product_id: product.id, amount: 700, quantity_available: STOCK })
    const monthly = { billing_type: 'subscription', recurring_interval: 'month' }
    const club = await post('/price_variants', { product_id: product.id, amount: 1500, ...monthly })
    const { code } = await post('/discounts', { code: 'TEA', discount_type: 'percent_off', percent_off: 10 })
    this.#wares = { goods: goods.id, club: club.id, code }
    await post('/webhook_endpoints', { url: receiver.url + this.#path, enabled_events: ['*'] })
    const { events } = await this.#within((database) => booksOf(database, this.#accountId))
    this.#since = events!
      .map(({ id }) => id)
      .sort()
      .at(-1)
  }

  /** Sells until the server is killed, while the clock is moved by most of a month. */
  async sellUntilKilled(): Promise<void> {
    const server = this.#server ?? (await startServer(this.#environment))
    this.#server = null
    const buyers = new Buyers(server, this.#token, { wares: this.#wares, seen: this.seen })
    const acts = [() => buyers.buy(), () => buyers.refund(), () => buyers.subscribe()]
    let [killed, clockMoves] = [false, false]
    const repeat = async (act: () => Promise<void>, buyer: number) => {
      while (!killed) {
        try {
          // The clock moves on between the jobs that a crowd leaves, so that only a few go on meanwhile.
          if (clockMoves) await sleep(200)
          if (!clockMoves || buyer < acts.length) await act()
        } catch (error) {
          // What was cut off counts for nothing: it may have happened or not.
          if (!killed) throw error
        }
      }
    }
    const crowd = Promise.all(Array.from({ length: BUYERS }, (_, n) => repeat(acts[n % acts.length]!, n)))
    while (buyers.answers < ENOUGH) await Promise.race([sleep(10), crowd])
    const from = await this.#askClock(20 * DAY_MS)
    clockMoves = true
    while (!(await this.#hasMoved(from))) await Promise.race([sleep(10), crowd])
    await sleep(Math.random() * 500)
    killed = true
    expect(await server.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL', stderr: '' })
    await crowd
    await this.#letLeasesPass()
  }

  /** Asks the server to move the clock. Gives where it was. */
  async #askClock(byMs: number): Promise<string> {
    return this.#within(async (database) => {
      const { shown } = await requestState(database, this.#accountId)
      await requestAdvance(database, this.#accountId, laterBy(shown, byMs))
      return shown
    })
  }

  async #hasMoved(from: string): Promise<boolean> {
    const { state, shown } = await this.#within((database) => requestState(database, this.#accountId))
    return state !== 'requested' && shown > laterBy(from, DAY_MS / 2)
  }

  /** What the dead server had leased is free for the next one at once, as it would be a minute later. */
  #letLeasesPass(): Promise<void> {
    const past = '2000-01-01T00:00:00Z'
    return this.#within((database) =>
      database.transaction(async ({ db }) => {
        await db.updateTable('jobs').set({ leased_until: past }).where('state', '=', 'working').execute()
        await db.updateTable('account_clocks').set({ leased_until: past }).where('advance_id', 'is not', null).execute()
        await db.updateTable('idempotency_keys').set({ claimed_at: past }).where('status', 'is', null).execute()
      }),
    )
  }

  /** Lives on until everything that was under way has its end, and asks for everything again whose answer was cut off. */
  async settle(): Promise<void> {
    const server = await startServer(this.#environment)
    const buyers = new Buyers(server, this.#token, { wares: this.#wares, seen: this.seen })
    for (const key of this.seen.keys.keys()) await buyers.ask(key)
    await this.#askClock(2 * DAY_MS)
    while (await this.#within((database) => isUnderWay(database, this.#accountId))) await sleep(50)
    expect(await server.stop()).toMatchObject({ code: 0, stderr: '' })
  }

  async problems(): Promise<string[]> {
    const books = await this.#within((database) => booksOf(database, this.#accountId))
    const heard = receiver.at(this.#path).map(({ body }) => body)
    return [
      ...problemsOf(books, { price: this.#wares.goods, initial: STOCK }),
      ...problemsOfEvents(books),
      ...problemsOfDeliveries(books, heard, this.#since),
      ...this.#lost(books),
    ]
  }

  /** What was answered, and is not there. */
  #lost({ checkouts, refunds }: Awaited<ReturnType<typeof booksOf>>): string[] {
    const status = new Map([...checkouts!, ...refunds!].map((row) => [row.id, row.status]))
    const made = Map.groupBy(refunds!, ({ metadata }) => JSON.parse(metadata).key)
    return [
      ...[...this.seen.checkouts].filter((id) => !status.has(id)).map((id) => `${id} is lost`),
      ...[...this.seen.paid].filter((id) => status.get(id) !== 'complete').map((id) => `${id} was paid`),
      ...[...this.seen.refunds].filter(([id, one]) => status.get(id) !== one).map(([id, one]) => `${id} was ${one}`),
      ...[...made].filter(([, rows]) => rows.length > 1).map(([key]) => `the refund ${key} was made twice`),
    ]
  }

  async counts(): Promise<Record<string, number>> {
    const books = await this.#within((database) => booksOf(database, this.#accountId))
    return Object.fromEntries(Object.entries(books).map(([table, rows]) => [table, rows.length]))
  }
}

/** Whether a clock still moves, or jobs or deliveries are to be done at this moment. */
async function isUnderWay(database: Database<Tables>, accountId: string): Promise<boolean> {
  if ((await requestState(database, accountId)).state !== 'ended') return true
  const jobs = database.read.selectFrom('jobs').select('id').where('account_id', '=', accountId)
  const deliveries = database.read.selectFrom('webhook_events').select('id').where('account_id', '=', accountId)
  const left = await Promise.all([
    jobs.where('state', 'in', ['due', 'working']).limit(1).execute(),
    deliveries.where('status', '=', 'pending').limit(1).execute(),
  ])
  return left.some((rows) => rows.length > 0)
}

describe.each(['sqlite', 'postgres'] as const)('a shop on %s whose server is killed while it sells', (engine) => {
  it.skipIf(engine === 'postgres' && !testServerUrl)(
    'has books that agree, tells of everything that happened, and of nothing else',
    { timeout: 1_200_000 },
    async () => {
      const shop = new CrashingShop(await prepare(engine, SETTINGS), `/books-${engine}`)
      await shop.open()
      for (let round = 0; round < ROUNDS[engine]; round++) await shop.sellUntilKilled()
      await shop.settle()
      expect(await shop.problems()).toEqual([])
      const { orders, subscriptions, refunds } = await shop.counts()
      expect([orders! > ROUNDS[engine], subscriptions! > ROUNDS[engine], refunds! > 0]).toEqual([true, true, true])
    },
  )
})
