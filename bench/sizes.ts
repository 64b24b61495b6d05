import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { EXAMPLE_TAX_LINE } from '../src/contract/declarations/tax-line.ts'
import { anyTable } from '../src/records/records.ts'
import { SearchFill } from '../src/records/search/fill.ts'
import { onEngines } from '../test/support/app.ts'
import { PASSWORD, Person, signIn } from '../test/support/person.ts'
import { priceForSale, sell } from '../test/support/sell.ts'
import { Shop } from '../test/support/shop.ts'
import { clone, numberedOn } from './clone.ts'
import { median, processorTimes } from './measure.ts'

/**
 * Measures the cost of the most common operations as an account grows from 10,000 customers and orders to 100,000, or to a million (`npm
 * run bench -- sizes 1000000`, or ROWS=10000,1000000), and as the service grows from 10 accounts to 1,000 (ACCOUNTS) of the same size.
 * ENGINES=sqlite,postgres selects engines. Fails if an operation grows without a reason in GROWING, or misses its target.
 */
const ROWS = [...(process.env.ROWS ?? '10000,100000').split(','), ...process.argv.slice(2)].map(Number)
const ACCOUNTS = (process.env.ACCOUNTS ?? '10,100,1000').split(',').map(Number)
const ENGINES = (process.env.ENGINES ?? 'sqlite,postgres').split(',')
const ROWS_OF_OTHERS = 100
/** The number of lines of the newest order. The number of its tax rates follows. */
const LINES = 200
const RATES = 60
const RUNS = 30
const WARM_UP = 5
/** An operation grows if it takes this many times as long at the largest size as at the smallest, relative to the median operation. */
const GROWS = 3
/** How long background work such as measuring the account takes after the rows were inserted. */
const SETTLE_MS = Number(process.env.SETTLE_MS ?? 20_000)

/** Operations that may grow with the size, and why. */
const GROWING: Record<string, string> = {
  '25 customers found by a word': 'a part of a word is in no index: texts are read until a page is full (0127)',
  '25 customers found by three words': 'a part of a text is in no index: texts are read until a page is full (0127)',
  'a person of all accounts signs in': 'the home page sums the orders of 30 days, and all of these were paid today',
}

/** The maximum processor milliseconds of some operations at any size. */
const AIMS: Record<string, number> = {
  'tags, one of which all customers have': 5,
  'the page of an order of 200 lines': 100,
  'a person of all accounts signs in': 200,
}

type Table = Map<string, number[]>

for (const engine of onEngines.filter(({ name }) => ENGINES.includes(name))) {
  if (!engine.available) continue
  const bySize: Table = new Map()
  for (const rows of ROWS) await measure(engine.name, { rows, accounts: 1 }, bySize)
  print(
    `${engine.name}: one account with so many customers, and as many orders; medians of processor time in ms`,
    ROWS,
    bySize,
  )
  const byAccounts: Table = new Map()
  for (const accounts of ACCOUNTS) await measure(engine.name, { rows: ROWS_OF_OTHERS, accounts }, byAccounts)
  print(
    `${engine.name}: so many accounts of ${ROWS_OF_OTHERS} customers and orders; medians of processor time in ms`,
    ACCOUNTS,
    byAccounts,
  )
}

async function measure(
  engine: 'sqlite' | 'postgres',
  size: { rows: number; accounts: number },
  table: Table,
): Promise<void> {
  const shop = new Shop()
  await shop.open(engine, { SIGN_INS_PER_MINUTE: '10000' })
  try {
    const price = await priceForSale(shop, { quantity_available: 1_000_000 }, { name: 'Field Notebook' })
    await indexAll(shop)
    await fill(shop, engine, { ...size, price: price.id })
    await delay(SETTLE_MS)
    const person = await signIn(shop.running)
    const acts = { ...operations(shop, price.id, size.rows), ...pages(shop, person, size.rows) }
    for (const [name, act] of Object.entries(acts)) {
      const took = median(await processorTimes(RUNS, WARM_UP, act))
      const known = table.get(name) ?? []
      known.push(took)
      table.set(name, known)
    }
  } finally {
    // Jobs may fail while the machine is busy, which does not matter here.
    await shop.close().catch(() => {})
  }
}

function operations(shop: Shop, price: string, rows: number): Record<string, () => Promise<unknown>> {
  const id = (prefix: string, number: number) => `${prefix}_${String(number).padStart(26, '0')}`
  const middle = Math.ceil(rows / 2)
  let made = 0
  return {
    'one order': () => shop.get(`/orders/${id('ord', middle)}`),
    'the newest 25 orders': () => shop.get('/orders?limit=25'),
    '25 orders in the middle': () => shop.get(`/orders?limit=25&starting_after=${id('ord', middle)}`),
    'the newest 25 customers': () => shop.get('/customers?limit=25'),
    '25 customers found by a word': () => shop.get('/customers?limit=25&query=last77'),
    '25 customers found by three words': () => shop.get(`/customers?limit=25&query=ada%20last${middle}%20b`),
    'the 25 who spent most': () => shop.get(`/customers?limit=25&total_spend[gte]=${rows - 25}`),
    '25 who spent something': () => shop.get('/customers?limit=25&total_spend[gte]=1'),
    'tags, one of which all customers have': () => shop.get('/tags'),
    'a customer by address': () => shop.get(`/customers?email=buyer${middle}@example.com`),
    'orders of a customer': () => shop.get(`/orders?limit=25&customer=${id('cus', middle)}`),
    'a new customer': () => shop.post('/customers', { email: `new${++made}@example.org`, name: 'New One' }),
    'a changed customer': () => shop.patch(`/customers/${id('cus', middle)}`, { name: `Name ${++made}` }),
    'a sale, paid': () => sell(shop, [{ price_variant: price, quantity: 1 }]),
    'a new product': () => shop.post('/products', { name: `Guide ${++made}` }),
  }
}

function pages(shop: Shop, person: Person, rows: number): Record<string, () => Promise<unknown>> {
  const page = async (who: Person, path: string) => {
    const { status } = await who.get(path)
    if (status !== 200) throw new Error(`${path} answers ${status}`)
  }
  const order = `ord_${String(rows).padStart(26, '0')}`
  return {
    'the page of an order of 200 lines': () => page(person, `/dashboard/my-shop/orders/${order}`),
    'a person of all accounts signs in': async () => {
      const again = new Person(shop.running)
      const { email } = await shop.db.selectFrom('users').select('email').executeTakeFirstOrThrow()
      const { status } = await again.submit('/sign-in', { email, password: PASSWORD })
      if (status !== 303) throw new Error(`The sign-in answers ${status}`)
      await page(again, '/dashboard/my-shop')
    },
  }
}

interface ShopSize {
  rows: number
  accounts: number
  price: string
}

async function fill(shop: Shop, engine: 'sqlite' | 'postgres', { rows, accounts, price }: ShopSize): Promise<void> {
  const { id, customer, line_items } = await sell(shop, [{ price_variant: price, quantity: 1 }])
  const numbered = numberedOn(engine)
  const person = { email: sql`'buyer' || i || '@example.com'`, name: sql`'Ada Last' || i` }
  const own = {
    customers: {
      id: numbered('cus'),
      ...person,
      search_text: sql`'ada last' || i`,
      orders_count: sql`1`,
      total_spend: sql`i`,
    },
    orders: { id: numbered('ord'), customer: numbered('cus') },
    order_items: { id: numbered('oitem'), order: numbered('ord') },
  }
  const patterns = { customers: customer.id, orders: id, order_items: line_items[0].id }
  for (const name of ['customers', 'orders', 'order_items'] as const)
    await clone(shop, engine, name, patterns[name], rows, own[name])
  await giveLines(shop, engine, rows)
  await giveTag(shop)
  if (accounts > 1) await others(shop, engine, accounts - 1)
  await makeFound(shop)
  if (engine === 'postgres') await sql`vacuum analyze`.execute(shop.db)
}

/** Finishes the search index of older rows before rows are cloned, so that the service does not index clones while it is measured. */
async function indexAll({ running: { app } }: Shop): Promise<void> {
  const index = new SearchFill(app.database, app.pipeline.nouns)
  while (!(await index.round()));
}

/** Inserts the search entries that each customer has, except one. */
async function makeFound(shop: Shop): Promise<void> {
  const entries = sql`select account_id, id, lower(name) as entry from customers
    union all select account_id, id, substr(lower(name), 5) || ' ada' from customers
    union all select account_id, id, replace(replace(email, '@', ' '), '.', ' ') from customers`
  await shop.running.app.database.transaction(({ db }) =>
    sql`insert into search_entries (account_id, kind, entry, id)
      select account_id, 'customer', entry, id from (${entries}) as of_rows where entry is not null on conflict do nothing`.execute(
      db,
    ),
  )
}

async function giveLines(shop: Shop, engine: 'sqlite' | 'postgres', rows: number): Promise<void> {
  const id = (prefix: string) => `${prefix}_${String(rows).padStart(26, '0')}`
  const taxes = Array.from({ length: RATES }, (_, rate) => ({
    ...EXAMPLE_TAX_LINE,
    name: `VAT ${rate}`,
    percent: rate + 1,
  }))
  await shop.set('orders', id('ord'), { tax_lines: JSON.stringify(taxes) })
  const own = { id: numberedOn(engine)('line'), line: sql`1 + i`, amount_discount: sql`i` }
  await clone(shop, engine, 'order_items', id('oitem'), LINES - 1, own)
}

async function giveTag(shop: Shop): Promise<void> {
  const { id } = await shop.tag({ name: 'Everybody' })
  await shop.running.app.database.transaction(async ({ db }) => {
    await sql`insert into customer_tags (account_id, customer_id, tag_id) select account_id, id, ${id} from customers`.execute(
      db,
    )
  })
}

async function others(shop: Shop, engine: 'sqlite' | 'postgres', count: number): Promise<void> {
  const account = numberedOn(engine)('acct')
  const subdomain: RawBuilder<unknown> = sql`'shop-' || i`
  await clone(shop, engine, 'accounts', shop.accountId, count, { account_id: account, id: account, subdomain })
  for (const table of ['customers', 'orders', 'order_items', 'products', 'price_variants', 'memberships'])
    await spread(shop, table)
}

async function spread(shop: Shop, table: string): Promise<void> {
  const columns = Object.keys(
    await anyTable({ db: shop.db }).selectFrom(table).selectAll().limit(1).executeTakeFirstOrThrow(),
  )
  const names = sql.join(columns.map((name) => sql.ref(name)))
  const values = sql.join(columns.map((name) => (name === 'account_id' ? sql`accounts.id` : sql.ref(`one.${name}`))))
  await shop.running.app.database.transaction(({ db }) =>
    sql`insert into ${sql.table(table)} (${names}) select ${values} from ${sql.table(table)} as one, accounts
      where one.account_id = ${shop.accountId} and accounts.id <> ${shop.accountId}`.execute(db),
  )
}

function print(title: string, sizes: number[], table: Table): void {
  console.log(`\n${title}`)
  console.log(`| operation | ${sizes.map((size) => size.toLocaleString('en')).join(' | ')} | |`)
  console.log(`|---|${sizes.map(() => '---').join('|')}|---|`)
  const machine = median([...table.values()].map(grown))
  for (const [name, took] of table) {
    const times = grown(took) / machine
    const grows = times > GROWS && took.at(-1)! > 5
    const reason = GROWING[name]
    const isMissed = took.some((each) => each > (AIMS[name] ?? Number.POSITIVE_INFINITY))
    if ((grows && reason === undefined) || isMissed) process.exitCode = 1
    const cells = took.map((each) => each.toFixed(each < 10 ? 2 : 0)).join(' | ')
    console.log(
      `| ${name} | ${cells} | ${grows ? `**${times.toFixed(1)} times**: ${reason ?? 'without a reason'}` : ''}${isMissed ? ` **missed**: the aim is ${AIMS[name]} ms` : ''} |`,
    )
  }
}

function grown(took: number[]): number {
  return took.at(-1)! / took[0]!
}
