import type { Noun } from '../../../contract/declarations/noun.ts'
import { formatMoney } from '../../../format/money.ts'
import type { Context } from '../../../records/context.ts'
import { findRows } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Customer, type CustomerRow } from '../../audience/customer/customer.ts'
import { Product, type ProductRow } from '../../catalog/product/product.ts'
import { boughtWords } from '../../sales/order/items.ts'

type Values = Record<string, unknown> & { id: string }

/** The texts that a result shows for one row. */
export interface Title {
  title: string
  detail: string | null
  /** Whether the query equals the row's id or one of the `foundBy` fields. */
  exact: boolean
}

const BETWEEN = ' · '
const LONGEST = 120

/** Returns the titles of rows of one kind by id. Deleted rows are absent. `asked` must be in lower case. */
export async function titlesOf(
  context: Context,
  noun: Noun,
  ids: readonly string[],
  asked: string,
): Promise<Map<string, Title>> {
  const rows: Map<string, Values> = await findRows(context, noun, ids)
  const names = await namesFor(context, noun, [...rows.values()])
  return new Map([...rows].map(([id, row]) => [id, { ...titleOf(noun, row, names), exact: isExact(noun, row, asked) }]))
}

/** The names that appear in the titles of orders, subscriptions and invoices. */
interface TitleNames {
  customers: Map<string, CustomerRow>
  products: Map<string, ProductRow>
  /** The names of the purchased items by order id. */
  bought: Map<string, string>
}

const NO_NAMES: TitleNames = { customers: new Map(), products: new Map(), bought: new Map() }

async function namesFor(context: Context, { name }: Noun, rows: Values[]): Promise<TitleNames> {
  if (!['order', 'subscription', 'invoice'].includes(name) || rows.length === 0) return NO_NAMES
  return {
    customers: context.mayRead(Customer) ? await findRows(context, Customer, textsOf(rows, 'customer')) : new Map(),
    products: name === 'subscription' ? await findRows(context, Product, textsOf(rows, 'product')) : new Map(),
    bought:
      name === 'order'
        ? await boughtIn(
            context,
            rows.map(({ id }) => id),
          )
        : new Map(),
  }
}

async function boughtIn(context: Context, orders: string[]): Promise<Map<string, string>> {
  const items = await rowsOf(context, 'order_items')
    .select(['order', 'product_name', 'quantity'])
    .where('order', 'in', orders)
    .orderBy('order')
    .orderBy('line')
    .execute()
  const byOrder = Map.groupBy(items, ({ order }) => order)
  return new Map([...byOrder].map(([order, lines]) => [order, boughtWords({ line_items: lines })]))
}

function titleOf(noun: Noun, row: Values, names: TitleNames): Omit<Title, 'exact'> {
  const customer = names.customers.get(String(row.customer))
  const buyer = customer?.name ?? customer?.email ?? null
  switch (noun.name) {
    case 'order':
      return { title: names.bought.get(row.id) ?? 'Order', detail: joined([buyer, moneyOf(row), stateOf(row)]) }
    case 'subscription':
      return {
        title: names.products.get(String(row.product))?.name ?? 'Subscription',
        detail: joined([buyer, moneyOf(row), stateOf(row)]),
      }
    case 'invoice':
      return { title: `Invoice ${row.number}`, detail: joined([buyer, moneyOf(row), stateOf(row)]) }
    default:
      return ownTitle(noun, row)
  }
}

/** Returns a title that consists of the fields by which the noun is found. */
function ownTitle(noun: Noun, row: Values): Omit<Title, 'exact'> {
  const texts = noun.foundBy.map((name) => row[name]).filter((text) => typeof text === 'string' && text.trim() !== '')
  const [title = row.id, ...others] = texts.map((text) => oneLine(String(text)))
  return { title, detail: joined([others.find((other) => other !== title) ?? null, stateOf(row)]) }
}

function isExact({ foundBy }: Noun, row: Values, asked: string): boolean {
  return ['id', ...foundBy].some((name) => typeof row[name] === 'string' && row[name].toLowerCase() === asked)
}

function stateOf({ status }: Values): string | null {
  return typeof status === 'string' ? status.replaceAll('_', ' ') : null
}

function moneyOf({ amount, currency }: Values): string | null {
  return amount === undefined ? null : formatMoney(Number(amount), String(currency))
}

function joined(parts: unknown[]): string | null {
  const texts = parts.filter((part) => typeof part === 'string' && part !== '')
  return texts.length > 0 ? texts.join(BETWEEN) : null
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > LONGEST ? `${line.slice(0, LONGEST).trimEnd()}…` : line
}

function textsOf(rows: Values[], name: string): string[] {
  return rows.map((row) => row[name]).filter((value) => typeof value === 'string')
}
