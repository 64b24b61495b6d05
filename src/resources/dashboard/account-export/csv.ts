import type { Noun, Row } from '../../../contract/declarations/noun.ts'
import { csvLine } from '../../../format/csv.ts'
import { plainAmount } from '../../../format/money.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { findRows } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { tagsByCustomer } from '../../audience/customer/tag-links.ts'
import { Tag } from '../../audience/tag/tag.ts'
import { PriceVariant } from '../../catalog/price-variant/price-variant.ts'
import { Product } from '../../catalog/product/product.ts'
import { itemsByOrder } from '../../sales/order/items.ts'
import { Order } from '../../sales/order/order.ts'
import type { OrderItem } from '../../sales/order-item/order-item.ts'
import { Subscription } from '../../sales/subscription/subscription.ts'
import {
  CUSTOMER_COLUMNS,
  LINE_COLUMNS,
  ORDER_COLUMNS,
  PRICE_COLUMNS,
  PRODUCT_COLUMNS,
  SUBSCRIPTION_COLUMNS,
} from './csv-columns.ts'
import { type ExportPart, pagesOf, type Read } from './parts.ts'

type Cells = Record<string, string | number | boolean | null | undefined>

/** The CSV files of an export, by name. Each function yields the text of a file that can be imported again. */
export const CSV_FILES: Readonly<Record<string, (read: Read) => AsyncGenerator<string>>> = {
  products: (read) => csvOf(read, Product, [...PRODUCT_COLUMNS, ...PRICE_COLUMNS], productCells),
  customers: (read) => csvOf(read, Customer, CUSTOMER_COLUMNS, customerCells),
  subscriptions: (read) => csvOf(read, Subscription, SUBSCRIPTION_COLUMNS, subscriptionCells),
  orders: (read) => csvOf(read, Order, [...ORDER_COLUMNS, ...LINE_COLUMNS], orderCells),
}

async function productCells(products: Row<typeof Product>[], context: Context): Promise<Cells[]> {
  const ids = products.map(({ id }) => id)
  const raw = ids.length === 0 ? [] : await pricesOf(context, ids)
  const prices = Map.groupBy(raw, ({ product }) => product)
  return products.flatMap(({ media: _, ...product }) => {
    const own = { ...product, metadata: metadataCell(product.metadata) }
    const rows = (prices.get(product.id) ?? []).map((price): Cells => ({ ...own, ...priceCells(price) }))
    return rows.length > 0 ? rows : [own]
  })
}

async function pricesOf(context: Context, products: string[]): Promise<Row<typeof PriceVariant>[]> {
  const query = rowsOf(context, 'price_variants').selectAll().where('product', 'in', products)
  const rows = await query.orderBy('position').orderBy('id').execute()
  return rows.map((row) => decode(PriceVariant, row))
}

function priceCells(price: Row<typeof PriceVariant>): Cells {
  const { id, name, currency, benefits, amount, ...others } = price
  const amounts = [
    'setup_fee_amount',
    'discounted_from_amount',
    'minimum_amount',
    'maximum_amount',
    'preset_amount',
  ] as const
  const cells: Cells = {}
  for (const column of PRICE_COLUMNS) {
    const value = (others as Record<string, unknown>)[column]
    if (typeof value !== 'object') cells[column] = value as Cells[string]
  }
  for (const column of amounts) cells[column] = money(price[column], currency)
  return {
    ...cells,
    price_id: id,
    price_name: name,
    currency,
    amount: money(amount, currency),
    benefits: benefits.join('\n'),
  }
}

async function customerCells(customers: Row<typeof Customer>[], context: Context): Promise<Cells[]> {
  const ids = customers.map(({ id }) => id)
  const tags = await tagsByCustomer(context, ids)
  const named = await findRows(context, Tag, [...tags.values()].flat())
  return customers.map(({ id, ...customer }) => {
    const names = (tags.get(id) ?? []).flatMap((tag) => named.get(tag)?.name ?? [])
    return { ...customer, id, tags: names.join(', '), metadata: metadataCell(customer.metadata) }
  })
}

/** Only paid orders are exported, because unpaid orders cannot be completed elsewhere. */
async function orderCells(all: Row<typeof Order>[], context: Context): Promise<Cells[]> {
  const orders = all.filter(({ paid_at }) => paid_at !== null)
  const ids = orders.map(({ id }) => id)
  const items = await itemsByOrder(ids, context)
  const buyers = await buyersOf(context, orders)
  return orders.flatMap((order) => {
    const { currency, tax_lines: _, ...values } = order
    const own: Cells = {
      ...{ ...values, currency, metadata: metadataCell(order.metadata) },
      ...{ customer_email: buyers.get(order.customer)?.email, customer_name: buyers.get(order.customer)?.name },
      ...moneyCells(order, ORDER_AMOUNTS, currency),
    }
    const lines = (items.get(order.id) ?? []).map((item): Cells => ({ ...own, ...lineCells(item) }))
    return lines.length > 0 ? lines : [own]
  })
}

const ORDER_AMOUNTS = [
  ...(['amount', 'subtotal', 'amount_discount', 'amount_tax', 'amount_refunded', 'amount_tax_refunded'] as const),
]
const LINE_AMOUNTS = [
  ...(['unit_amount', 'setup_fee_amount', 'amount', 'amount_discount', 'amount_tax'] as const),
  ...(['amount_refunded', 'amount_tax_refunded'] as const),
]

function moneyCells<Name extends string>(
  values: Record<Name, number>,
  names: readonly Name[],
  currency: string,
): Cells {
  return Object.fromEntries(names.map((name) => [name, money(values[name], currency)]))
}

function lineCells(item: Row<typeof OrderItem>): Cells {
  const amounts = moneyCells(item, LINE_AMOUNTS, item.currency)
  const { price_variant, product_name, price_variant_name, tax_code, quantity } = item
  return {
    ...Object.fromEntries(Object.entries(amounts).map(([name, cell]) => [`line_${name}`, cell])),
    ...{ line_price_id: price_variant, line_product_name: product_name, line_price_name: price_variant_name },
    ...{ line_tax_code: tax_code, line_quantity: quantity },
  }
}

function buyersOf(context: Context, sales: readonly { customer: string }[]) {
  const ids = sales.map(({ customer }) => customer)
  return findRows(context, Customer, ids)
}

async function subscriptionCells(subscriptions: Row<typeof Subscription>[], context: Context): Promise<Cells[]> {
  const buyers = await buyersOf(context, subscriptions)
  return subscriptions
    .filter(({ current_period_end }) => current_period_end !== null)
    .map(({ terms, customer, price_variant, discount: _, ...subscription }) => ({
      ...{ ...subscription, metadata: metadataCell(subscription.metadata), price_id: price_variant },
      ...{ customer_email: buyers.get(customer)?.email, customer_name: buyers.get(customer)?.name },
      ...{ product_name: terms.product_name, price_name: terms.price_variant_name, interval: terms.interval },
      ...{ interval_count: terms.interval_count, installment_count: terms.installment_count },
      unit_amount: money(terms.unit_amount, subscription.currency),
      started_at: subscription.trial_ends_at === null ? subscription.first_charged_at : subscription.created_at,
    }))
}

async function* csvOf<N extends Noun>(
  read: Read,
  noun: N,
  columns: readonly string[],
  cellsOf: (rows: Row<N>[], context: Context) => Promise<Cells[]>,
): AsyncGenerator<string> {
  yield csvLine(columns)
  const part: ExportPart = { table: noun.plural, key: ['id'], shown: (row) => row }
  for await (const { rows } of pagesOf(read, part)) {
    const found = rows.map((row) => decode(noun, row))
    const cells = await read((context) => cellsOf(found, context))
    yield cells.map((row) => csvLine(columns.map((name) => textOf(row[name])))).join('')
  }
}

function textOf(value: Cells[string]): string {
  return value === null || value === undefined ? '' : String(value)
}

function money(amount: number | null, currency: string): string {
  return amount === null ? '' : plainAmount(amount, currency)
}

function metadataCell(metadata: Record<string, string>): string {
  return Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata)
}
