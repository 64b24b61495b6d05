import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { compileForIds } from '../../../database/compile-once.ts'
import { countryName } from '../../../format/countries.ts'
import { formatNumber } from '../../../format/numbers.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { Channel } from '../../sales/order/order.ts'
import { addSums, amountsOf, TAX_KEPT } from './figures.ts'
import type { SoldGroup } from './orders.ts'
import { type Part, partsOf, type Range } from './range.ts'
import type { Dimension, Line } from './report.ts'

const NOTHING_SOLD = { gross: 0, discounts: 0, refunds: 0, tax: 0, orders: 0, units: 0 }

type LineSums = typeof NOTHING_SOLD

/** The maximum number of rows per currency. One more row sums all others. */
const MOST_ROWS = 500

const CHANNEL_NAMES: Record<Channel, string> = {
  link: 'Checkout link',
  storefront: 'Storefront',
  api: 'API and dashboard',
  invoice: 'Invoice',
  renewal: 'Subscription renewal',
  x402: 'x402',
  import: 'Imported',
}

type SumsByKey = Map<string | null, LineSums>

/** Returns one row per currency and value of the requested dimension, ordered by falling `net`. */
export async function rowsBy(
  context: Context,
  by: Dimension,
  { range, groups, currency }: { range: Range; groups: readonly SoldGroup[]; currency: string | undefined },
): Promise<Map<string, Line[]>> {
  const ofLines = by === 'product' || by === 'price'
  const sums = ofLines ? await sumsOfLines(context, range, by, currency) : sumsOfGroups(groups, by)
  const names = await namesOf(
    context,
    by,
    [...sums.values()].flatMap((own) => [...best(own).keys()]),
  )
  return new Map([...sums].map(([of, own]) => [of, linesOf(own, names, ofLines)]))
}

async function sumsOfLines(context: Context, range: Range, by: 'product' | 'price', currency: string | undefined) {
  const sums = new Map<string, SumsByKey>()
  const of = by === 'product' ? 'product' : 'price_variant'
  for await (const line of linesSoldIn(context, range, of, currency)) addTo(sums, line.currency, line.key, line)
  return sums
}

function sumsOfGroups(groups: readonly SoldGroup[], by: 'country' | 'channel'): Map<string, SumsByKey> {
  const sums = new Map<string, SumsByKey>()
  for (const group of groups) addTo(sums, group.currency, group[by], { ...group, units: 0 })
  return sums
}

function addTo(sums: Map<string, SumsByKey>, currency: string, key: string | null, more: LineSums): void {
  const own: SumsByKey = sums.get(currency) ?? new Map()
  sums.set(currency, own)
  const line = own.get(key) ?? { ...NOTHING_SOLD }
  own.set(key, line)
  addSums(line, more)
}

function best(own: SumsByKey): SumsByKey {
  if (own.size <= MOST_ROWS) return own
  return new Map([...own].toSorted(byNet).slice(0, MOST_ROWS))
}

function byNet([, one]: [unknown, LineSums], [, other]: [unknown, LineSums]): number {
  return amountsOf(other).net - amountsOf(one).net
}

function linesOf(own: SumsByKey, names: ReadonlyMap<string | null, string>, hasUnits: boolean): Line[] {
  const lineOf = (key: string | null, name: string, sums: LineSums): Line => ({
    ...{ key, name, units: hasUnits ? sums.units : null },
    ...amountsOf(sums),
  })
  const shown = best(own)
  const lines = [...shown].toSorted(byNet).map(([key, sums]) => lineOf(key, names.get(key) ?? key ?? 'Unknown', sums))
  const others = [...own].filter(([key]) => !shown.has(key))
  if (others.length === 0) return lines
  const rest = { ...NOTHING_SOLD }
  for (const [, sums] of others) addSums(rest, sums)
  return [...lines, lineOf(null, `${formatNumber(others.length)} others`, rest)]
}

async function namesOf(
  { db, accountId }: Context,
  by: Dimension,
  keys: readonly (string | null)[],
): Promise<Map<string | null, string>> {
  const known = [...new Set(keys.filter((key) => key !== null))]
  switch (by) {
    case 'product':
      return new Map((await productNames(db, accountId, known)).map(({ id, name }) => [id, name]))
    case 'price':
      return priceNames(db, accountId, known)
    case 'channel':
      return new Map(Object.entries(CHANNEL_NAMES))
    case 'country':
      return new Map(known.map((code) => [code, countryName(code)]))
  }
}

/** Returns names such as `Tea, Green`, which consist of a product and its price, by price id. */
async function priceNames(db: Context['db'], accountId: string, ids: string[]): Promise<Map<string | null, string>> {
  const prices = await pricesOf(db, accountId, ids)
  const productIds = [...new Set(prices.map(({ product }) => product))]
  const products = new Map((await productNames(db, accountId, productIds)).map(({ id, name }) => [id, name]))
  return new Map(prices.map(({ id, name, product }) => [id, `${products.get(product) ?? product}, ${name}`]))
}

const productNames = compileForIds((db: Context['db'], accountId, ids) =>
  rowsOf({ db, accountId }, 'products').select(['id', 'name']).where('id', 'in', ids),
)

const pricesOf = compileForIds((db: Context['db'], accountId, ids) =>
  rowsOf({ db, accountId }, 'price_variants').select(['id', 'name', 'product']).where('id', 'in', ids),
)

interface SoldLines extends LineSums {
  currency: string
  key: string
}

/** Yields the sales of products or prices in a range. The range is read in parts, so a key may occur repeatedly. */
async function* linesSoldIn(
  context: Context,
  range: Range,
  of: 'product' | 'price_variant',
  currency: string | undefined,
): AsyncGenerator<SoldLines> {
  for (const part of partsOf(range)) {
    yield* await lineSumsOf(context, part, of, currency)
    await nextTurn()
  }
}

async function lineSumsOf(
  { db, accountId }: Context,
  { from, until }: Part,
  of: 'product' | 'price_variant',
  currency: string | undefined,
): Promise<SoldLines[]> {
  const { rows } = await sql<SoldLines>`
    select currency, ${sql.ref(of)} as "key", sum(amount) as gross, sum(amount_discount) as discounts,
      sum(amount_refunded) as refunds, sum(${TAX_KEPT}) as tax, sum(quantity) as units, count(distinct "order") as orders
    from order_items
    where account_id = ${accountId} and paid_at >= ${from} and paid_at < ${until}
      ${currency === undefined ? sql`` : sql`and currency = ${currency}`}
    group by 1, 2
  `.execute(db)
  return rows
}
