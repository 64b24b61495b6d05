import { sql } from 'kysely'
import { newId } from '../src/contract/values/ids.ts'
import { anyTable } from '../src/records/records.ts'
import { priceForSale, sell } from '../test/support/sell.ts'
import type { Shop } from '../test/support/shop.ts'

export const ORDERS = 100_000
export const SUBSCRIPTIONS = 10_000
export const YEAR_MS = 365 * 24 * 60 * 60 * 1000
const CUSTOMERS = 20_000
const PRODUCTS = 60
const BATCH = 500

/** Sells once and a subscription, and copies them. */
export async function fill(shop: Shop): Promise<void> {
  const once = await sell(shop, [{ price_variant: (await priceForSale(shop)).id }])
  const monthly = { amount: 900, billing_type: 'subscription', recurring_interval: 'month' }
  const begun = await sell(shop, [{ price_variant: (await priceForSale(shop, monthly)).id }])
  const [order, item, subscription] = [
    await rowOf(shop, 'orders', once.id),
    await rowOf(shop, 'order_items', once.line_items[0].id),
    await rowOf(shop, 'subscriptions', begun.subscription),
  ]
  const made = (prefix: string, count: number) => Array.from({ length: count }, () => newId(prefix))
  const [customers, products, prices] = [made('cus', CUSTOMERS), made('prod', PRODUCTS), made('price', 2 * PRODUCTS)]
  const channels = ['api', 'link', 'storefront']
  const countries = ['DE', 'US', 'FR', null]
  const sold = Array.from({ length: ORDERS }, (_, index) => {
    const paid_at = secondsAgo(YEAR_MS * (1 - index / ORDERS))
    const amounts = { amount: 1000 + ((index * 7919) % 90_000), amount_refunded: index % 20 ? 0 : 500 }
    const currency = index % 10 ? 'usd' : 'eur'
    const id = newId('ord')
    const customer = customers[(index * 7) % CUSTOMERS]
    const previous_paid_at = index < CUSTOMERS ? null : secondsAgo(YEAR_MS * (1 - (index - CUSTOMERS) / ORDERS))
    const from = { channel: channels[index % 3], country: countries[index % 4] }
    return {
      order: { ...order, id, customer, currency, ...amounts, ...from, paid_at, previous_paid_at, created_at: paid_at },
      item: {
        ...{ ...item, id: newId('ordi'), order: id, currency, ...amounts, paid_at, created_at: paid_at },
        ...{ product: products[index % PRODUCTS], price_variant: prices[index % (2 * PRODUCTS)] },
      },
    }
  })
  await insert(
    shop,
    'orders',
    sold.map(({ order }) => order),
  )
  await insert(
    shop,
    'order_items',
    sold.map(({ item }) => item),
  )
  const subscriptions = Array.from({ length: SUBSCRIPTIONS }, (_, index) => {
    const at = secondsAgo(2 * YEAR_MS * (1 - index / SUBSCRIPTIONS))
    return {
      ...subscription,
      id: newId('sub'),
      customer: customers[index % CUSTOMERS],
      created_at: at,
      first_charged_at: at,
    }
  })
  await insert(shop, 'subscriptions', subscriptions)
  // As the server's autovacuum leaves tables within a minute.
  if (shop.running.app.database.engine === 'postgres') await sql`vacuum analyze`.execute(shop.db)
}

function secondsAgo(ms: number): string {
  return new Date(Date.now() - ms).toISOString().replace(/\.\d+/, '')
}

function rowOf({ db }: Shop, table: string, id: string): Promise<Record<string, unknown>> {
  return anyTable({ db }).selectFrom(table).selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

async function insert({ running }: Shop, table: string, rows: Record<string, unknown>[]): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH)
    await running.app.database.transaction(({ db }) =>
      anyTable({ db })
        .insertInto(table)
        .values(rows.slice(start, start + BATCH) as never)
        .execute(),
    )
}
