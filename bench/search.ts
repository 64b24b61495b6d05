import { type RawBuilder, sql } from 'kysely'
import { Customer } from '../src/resources/audience/customer/customer.ts'
import { onEngines } from '../test/support/app.ts'
import { ownerOf } from '../test/support/dashboard.ts'
import { priceForSale, sell } from '../test/support/sell.ts'
import { Shop } from '../test/support/shop.ts'
import { clone, numberedOn } from './clone.ts'
import { median, percentile, times } from './measure.ts'

/** The target is for a million rows: ROWS=1000000. */
const ROWS = Number(process.env.ROWS ?? 100_000)
const RUNS = 40
const WARM_UP = 10
const TARGET_MS = 50
/** The number of customers that are created with and without search entries, to measure what the entries cost. */
const MADE = 500
const ROUNDS = 4
const LAST_NAMES = 20_000

type Expression = RawBuilder<unknown>

for (const { name, available } of onEngines) {
  if (available) await measureEngine(name)
  else console.log(`\n${name}: ABSENT, so it is SKIPPED.`)
}

/** Measures searches in an account with many rows and in a small account, compared with the API's list of 25 customers. */
async function measureEngine(engine: 'sqlite' | 'postgres'): Promise<void> {
  const shop = new Shop()
  await shop.open(engine, {})
  try {
    await writing(shop, engine)
    await fill(shop, engine)
    const small = shop.as(await shop.running.another('small-shop'))
    await small.customer({ name: 'Ada Small', email: 'ada@small.example' })
    const list = await timed(() => shop.get('/customers?limit=25'))
    console.log(`\n${engine}, ${ROWS.toLocaleString('en')} rows\n  the API's list of 25 customers      ${show(list)}`)
    const order = (await shop.get('/orders?limit=1')).data[0].id
    const queries = [
      'a',
      'ad',
      'ada',
      'ada last77',
      'last77 ada',
      'buyer777@example.com',
      'note',
      order,
      'qqq',
      'example',
    ]
    for (const query of queries) await measure(shop, query, list)
    await measure(small, 'ada', list, 'of the small account')
  } finally {
    await shop.close()
  }
}

async function measure(shop: Shop, query: string, list: number[], of = ''): Promise<void> {
  const owner = await ownerOf(shop)
  const found = (await owner.get('/search', { query, limit: 100 })).data.length
  const took = await timed(() => owner.get('/search', { query, limit: 100 }))
  const missed = median(took) > TARGET_MS ? ` MISSED: the target is ${TARGET_MS} ms` : ''
  const ratio = (median(took) / median(list)).toFixed(1)
  console.log(
    `  ${`${query.slice(0, 22)} ${of}`.padEnd(34)}  ${show(took)}  ${ratio} times the list, ${found} found${missed}`,
  )
}

/** Fills the account: half of the rows are customers, four in ten are orders of one product, and the rest are files. */
async function fill(shop: Shop, engine: string): Promise<void> {
  const price = await priceForSale(shop, {}, { name: 'Field Notebook' })
  const { id, customer, line_items } = await sell(shop, [{ price_variant: price.id, quantity: 1 }])
  const file = await shop.file({ filename: 'picture.png' })
  const customers = Math.round(ROWS * 0.5)
  const numbered = numberedOn(engine)
  const first = sql`case i % 10 when 0 then 'Ada' when 1 then 'Bob' when 2 then 'Cyd' when 3 then 'Dee' else 'Eve' end`
  const own = {
    email: sql`'buyer' || i || '@example.com'`,
    name: sql`${first} || ' Last' || (i % ${sql.lit(LAST_NAMES)})`,
  }
  const ofCustomer = numbered('cus', sql`i % ${sql.lit(customers)} + 1`)
  await clone(shop, engine, 'customers', customer.id, customers, { id: numbered('cus'), ...own, search_text: sql`''` })
  const orders = { id: numbered('ord'), customer: ofCustomer }
  await clone(shop, engine, 'orders', id, Math.round(ROWS * 0.4), orders)
  const lines = { id: numbered('oitem'), order: numbered('ord') }
  await clone(shop, engine, 'order_items', line_items[0].id, Math.round(ROWS * 0.4), lines)
  await clone(shop, engine, 'files', file, Math.round(ROWS * 0.1), {
    id: numbered('file'),
    filename: sql`'picture ' || i || '.png'`,
  })
  // These are the same search entries that rows get when they are created one by one.
  await found(shop, 'customer', sql`select id, lower(name) as entry from customers where name like '% Last%'`)
  await found(
    shop,
    'customer',
    sql`select id, substr(lower(name), 5) || ' ' || substr(lower(name), 1, 3) as entry from customers where name like '% Last%'`,
  )
  const address = sql`replace(replace(email, '@', ' '), '.', ' ')`
  await found(shop, 'customer', sql`select id, ${address} as entry from customers where email like 'buyer%'`)
  await found(shop, 'customer', sql`select id, 'example com' as entry from customers where email like 'buyer%'`)
  await found(
    shop,
    'file',
    sql`select id, replace(filename, '.', ' ') as entry from files where filename like 'picture %'`,
  )
  if (engine === 'postgres') await sql`vacuum analyze`.execute(shop.db)
}

async function found(shop: Shop, kind: string, entries: Expression): Promise<void> {
  await shop.running.app.database.transaction(({ db }) =>
    sql`insert into search_entries (account_id, kind, entry, id)
      select ${sql.lit(shop.accountId)}, ${sql.lit(kind)}, entry, id from (${entries}) as of_rows where true
      on conflict do nothing`.execute(db),
  )
}

/** Measures this process's processor time per new customer, alternating with and without search entries. */
async function writing(shop: Shop, engine: string): Promise<void> {
  const { foundBy } = Customer
  const took: Record<'with' | 'without', number[]> = { with: [], without: [] }
  let made = 0
  const round = async (kind: 'with' | 'without') => {
    Object.assign(Customer, { foundBy: kind === 'with' ? foundBy : [] })
    const before = process.cpuUsage()
    for (let one = 0; one < MADE; one++)
      await shop.post('/customers', { email: `new${++made}@example.org`, name: 'New One' })
    const { user, system } = process.cpuUsage(before)
    took[kind].push((user + system) / MADE)
  }
  await round('with')
  took.with.pop()
  for (let each = 0; each < ROUNDS; each++) {
    await round('without')
    await round('with')
  }
  Object.assign(Customer, { foundBy })
  const [without, more] = [median(took.without), median(took.with)]
  console.log(
    `\n${engine}: processor time of POST /customers ${more.toFixed(0)} µs, ${without.toFixed(0)} µs without what it is found by: ratio ${(more / without).toFixed(2)}`,
  )
}

function timed(work: () => Promise<unknown>): Promise<number[]> {
  return times(RUNS, WARM_UP, work)
}

function show(took: number[]): string {
  return `${median(took).toFixed(1).padStart(6)} ms  p95 ${percentile(took, 0.95).toFixed(1).padStart(6)} ms`
}
