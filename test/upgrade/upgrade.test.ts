import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { withDatabase } from '../../src/cli/with-database.ts'
import { VERSION } from '../../src/runtime/version.ts'
import { readSettings } from '../../src/settings/config.ts'
import { engines, freshDirectory, freshPostgresUrl, testServerUrl } from '../database/engines.ts'
import { booksOf, problemsOf } from '../process/sales/books.ts'
import { type Acknowledged, Buyers, type Wares } from '../process/sales/buyers.ts'
import { type Installed, installFromStage } from '../release/installed.ts'
import { times } from '../support/depth.ts'
import { migrationFaults } from '../support/migration-rules.ts'
import { attach, type Environment, environmentOf, killAll, type Server, startServer } from '../support/server.ts'
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
    300_000,
  )
})

/** What a next version might add: columns of the tables that sales write, an index, and values for the rows that there are. */
const NEXT = {
  '9998_next.sql': [
    'checkouts',
    'orders',
    'order_items',
    'payments',
    'charges',
    'customers',
    'subscriptions',
    'refunds',
  ]
    .map((table) => `alter table ${table} add column of_next integer not null default 1;\n`)
    .join(''),
  '9999_next.postgres.sql': `-- online
create index concurrently if not exists orders_of_next on orders (account_id, of_next, id);
-- repeat
update orders set of_next = 2 where id in (select id from orders where of_next = 1 limit 5);
`,
  '9999_next.sqlite.sql': '-- online\nselect 1;\n',
}

describe.skipIf(!testServerUrl)('a shop on PostgreSQL whose servers are updated one after the other', () => {
  let next: Installed
  let place: { directory: string; databaseUrl: string }
  let undo: (() => Promise<void>)[]
  beforeAll(async () => {
    const [fresh, database] = [await freshDirectory(), await freshPostgresUrl(process.env.TEST_TEMPLATE_DATABASE)]
    place = { directory: fresh.directory, databaseUrl: database.url }
    next = await installFromStage()
    undo = [fresh.remove, database.remove, next.remove]
    const migrations = join(next.directory, 'node_modules/shopwright/src/database/migrations')
    for (const [name, text] of Object.entries(NEXT)) {
      expect([name, name.includes('sqlite') ? [] : migrationFaults(text)]).toEqual([name, []])
      await writeFile(join(migrations, name), text)
    }
  })
  afterAll(async () => {
    killAll()
    for (const step of undo) await step()
  })

  it('sells at both versions all the while, and its books agree', { timeout: 300_000 }, async () => {
    const environment = environmentOf(place.directory, { ...SETTINGS, DATABASE_URL: place.databaseUrl })
    const old = await startServer(environment)
    const token = old.token!
    const shop = await openShop(old, token)
    const seen: Acknowledged = { checkouts: new Set(), paid: new Set(), refunds: new Map(), keys: new Map() }
    const buyersAt = (server: Server) => new Buyers(server, token, { wares: shop.wares, seen, leave: false })
    // This version sells while the next one expands the database and starts.
    const early = buyersAt(old)
    let started = false
    const selling = keepBuying(early, () => started && early.answers >= ENOUGH)
    const own = { ...environment, DATA_DIR: join(place.directory, 'next') }
    const [now] = await Promise.all([
      attach(next.run(['start'], own)).finally(() => {
        started = true
      }),
      selling,
    ])
    // Both sell, until this one is stopped.
    const both = [buyersAt(old), buyersAt(now)]
    await Promise.all(both.map((buyers) => keepBuying(buyers, () => both.every(({ answers }) => answers >= ENOUGH))))
    expect(await old.stop()).toMatchObject({ code: 0, stderr: '' })
    const late = buyersAt(now)
    await keepBuying(late, () => late.answers >= ENOUGH)
    const again = await startServer(environment).catch((error: Error) => error)
    expect(String(again)).toContain(
      'This database was made by a newer version of Shopwright (it has 9998_next, 9999_next)',
    )
    await now.stop()
    await expectBooks(environment, shop)
    expect(seen.paid.size).toBeGreaterThan(3)
  })
})

/** Looks at every row that the sales have left, as the next version does: this one would refuse the database. */
async function expectBooks(environment: Environment, { accountId, wares }: Shop): Promise<void> {
  const read = new pg.Client({ connectionString: environment.DATABASE_URL })
  await read.connect()
  const remove = `delete from schema_migrations where name in ('9998_next', '9999_next')`
  const { rows } = await read.query('select of_next, count(*)::int as count from orders group by 1')
  expect(rows.map(({ of_next }) => of_next)).toContain(2)
  await read.query(remove)
  await read.end()
  const problems = await withDatabase(readSettings(environment), async (database) => {
    const waiting = database.read.selectFrom('jobs').select('id').where('account_id', '=', accountId)
    const working = await waiting.where('state', '=', 'working').execute()
    return [...working, ...problemsOf(await booksOf(database, accountId), { price: wares.goods, initial: STOCK })]
  })
  expect(problems).toEqual([])
}

interface Shop {
  accountId: string
  wares: Wares
}

async function openShop(server: Server, token: string): Promise<Shop> {
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
