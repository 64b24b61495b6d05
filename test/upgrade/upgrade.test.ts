import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { withDatabase } from '../../src/cli/with-database.ts'
import { readSettings } from '../../src/config.ts'
import { VERSION } from '../../src/version.ts'
import { engines, freshDirectory, freshPostgresUrl, testServerUrl } from '../database/engines.ts'
import { booksOf, problemsOf } from '../process/sales/books.ts'
import { type Acknowledged, Buyers, type Wares } from '../process/sales/buyers.ts'
import { times } from '../support/depth.ts'
import { type Environment, environmentOf, killAll, type Server, startServer } from '../support/server.ts'
import { answersOf, lostBetween } from './answers.ts'
import { hasLastRelease, type LastRelease, unpackLastRelease } from './last-release.ts'

const STOCK = 1_000_000
/** Answers of the buyers of each server in each phase. */
const ENOUGH = times({ gate: 30, deep: 300 })
const SETTINGS = {
  SECRET_KEY: 'a key that all versions share',
  ...{ RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_BURST: '1000000', CHECKOUT_POSTS_PER_MINUTE: '1000000' },
}
/** Runs of the demo that nobody reports on, and their tasks: their time runs out meanwhile, whichever version looks. */
const BY_THE_CLOCK = /^\/task(?:s|_runs) /

const reason = hasLastRelease ? '' : ' (SKIPPED: this copy has no history that holds the last release)'

describe.skipIf(!hasLastRelease)(`data of the last release${reason}`, () => {
  let last: LastRelease
  const undo: (() => Promise<void>)[] = []
  beforeAll(async () => {
    last = await unpackLastRelease()
  })
  afterEach(async () => {
    killAll()
    for (const step of undo.splice(0)) await step()
  })
  afterAll(() => last.remove())

  const fresh = async (engine: 'sqlite' | 'postgres', more: Environment): Promise<Environment> => {
    const { directory, remove } = await freshDirectory()
    const database = engine === 'postgres' ? await freshPostgresUrl() : undefined
    undo.push(remove, ...(database ? [database.remove] : []))
    return environmentOf(directory, { ...SETTINGS, DATABASE_URL: database?.url, ...more })
  }

  it.each(engines.map(({ name, available }) => [name, available] as const))(
    'opens with this one on %s, and every list shows what it showed',
    async (engine, available) => {
      if (!available) return
      const environment = await fresh(engine, { DEMO_DATA: 'shop' })
      const old = await last.start(environment)
      const token = old.token!
      await old.tool('code_execute', 'post("/tags", name: "Made before")', token)
      const before = await answersOf(old, token)
      expect((await old.stop()).code).toBe(0)
      const now = await startServer(environment)
      expect(await (await fetch(`${now.url}/healthz`)).json()).toMatchObject({ version: VERSION })
      const lost = lostBetween(before, await answersOf(now, token))
      expect(before.get('/orders')!.length).toBeGreaterThan(10)
      expect(before.size).toBeGreaterThan(25)
      expect(lost.filter((line) => !BY_THE_CLOCK.test(line))).toEqual([])
      const program = 'post("/products", name: "Made after"); get("/tags")["data"].map { |tag| tag["name"] }'
      expect((await now.tool('code_execute', program, token)).result).toContain('Made before')
      expect(await now.stop()).toMatchObject({ code: 0, stderr: '' })
    },
    120_000,
  )

  it.skipIf(!testServerUrl)(
    'is sold from by servers of both versions at once, and the books agree',
    async () => {
      const environment = await fresh('postgres', { DEMO_DATA: 'none' })
      const old = await last.start(environment)
      const token = old.token!
      const shop = await openShop(old, token)
      const seen: Acknowledged = { checkouts: new Set(), paid: new Set(), refunds: new Map(), keys: new Map() }
      const buyersAt = (server: Server) => new Buyers(server, token, { wares: shop.wares, seen })
      // The old version sells while the new one updates the database, which it expands, and starts.
      const early = buyersAt(old)
      let started = false
      const selling = keepBuying(early, () => started && early.answers >= ENOUGH)
      const now = await startServer({ ...environment, DATA_DIR: `${environment.DATA_DIR}/new` })
      started = true
      await selling.catch((error) => {
        console.log(old.printed())
        throw error
      })
      // Both sell, until the old one has been stopped.
      const both = [buyersAt(old), buyersAt(now)]
      await Promise.all(both.map((buyers) => keepBuying(buyers, () => both.every(({ answers }) => answers >= ENOUGH))))
      expect((await old.stop()).code).toBe(0)
      const late = buyersAt(now)
      await keepBuying(late, () => late.answers >= ENOUGH)
      await settled(environment, shop.accountId)
      const problems = await withDatabase(readSettings(environment), async (database) =>
        problemsOf(await booksOf(database, shop.accountId), { price: shop.wares.goods, initial: STOCK }),
      )
      expect(problems).toEqual([])
      expect(seen.paid.size).toBeGreaterThan(3)
      expect(await now.stop()).toMatchObject({ code: 0, stderr: '' })
    },
    300_000,
  )
})

async function openShop(server: Server, token: string): Promise<{ accountId: string; wares: Wares }> {
  const call = async (method: string, path: string, body?: object) =>
    (await server.api(method, path, body, { token })).body
  const product = await call('POST', '/products', { name: 'Tea', status: 'active' })
  const goods = await call('POST', '/price_variants', {
    product_id: product.id,
    amount: 700,
    quantity_available: STOCK,
  })
  const monthly = { billing_type: 'subscription', recurring_interval: 'month' }
  const club = await call('POST', '/price_variants', { product_id: product.id, amount: 1500, ...monthly })
  const { code } = await call('POST', '/discounts', { code: 'TEA', discount_type: 'percent_off', percent_off: 10 })
  const { id: accountId } = await call('GET', '/account')
  return { accountId, wares: { goods: goods.id, club: club.id, code } }
}

/** Three buyers, who buy, subscribe and refund until it is enough. */
async function keepBuying(buyers: Buyers, isEnough: () => boolean): Promise<void> {
  const acts = [() => buyers.buy(), () => buyers.refund(), () => buyers.subscribe()]
  const repeat = async (act: () => Promise<void>) => {
    while (!isEnough()) await act()
  }
  await Promise.all(acts.map(repeat))
}

/** Waits until no job of the account is due or under way. */
async function settled(environment: Environment, accountId: string): Promise<void> {
  await withDatabase(readSettings(environment), async ({ read }) => {
    const waiting = read.selectFrom('jobs').select('id').where('account_id', '=', accountId)
    while ((await waiting.where('state', 'in', ['due', 'working']).limit(1).execute()).length > 0) await sleep(50)
  })
}
