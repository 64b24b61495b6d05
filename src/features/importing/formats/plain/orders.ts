import { LINE_COLUMNS, ORDER_COLUMNS } from '../../../../resources/dashboard/account-export/csv-columns.ts'
import { type LineDraft, MAX_NAME, nameKey, skuKey } from '../drafts.ts'
import { format } from '../format.ts'
import { lineOf, orderSums } from '../order-sums.ts'
import type { Reader } from '../reading/reader.ts'
import type { TableRow } from '../reading/table.ts'
import { readMetadata } from './metadata.ts'

const PAID = ['succeeded', 'paid', 'partially_refunded', 'refunded', 'disputed'] as const
const NOT_PAID = ['pending', 'failed'] as const

/** Our own order format, with one row per order line. */
export const plainOrders = format<'orders'>({
  kind: 'orders',
  name: 'orders',
  needs: ['customer_email', 'amount', 'paid_at'],
  reads: [...ORDER_COLUMNS, ...LINE_COLUMNS],
  key: (row, read) => read.text(row, 'id') ?? String(row.line),
  draft(rows, read) {
    const [row] = rows
    const sourceId = read.required(row, 'id')
    const status = read.oneOf(row, 'status', [...PAID, ...NOT_PAID]) ?? 'succeeded'
    if (status === 'pending' || status === 'failed') return { leftOut: `is ${status}: only paid orders are taken` }
    const email = read.email(row, 'customer_email')
    const paid_at = read.moment(row, 'paid_at')
    if (read.problems.length === 0) {
      if (email === null) read.refuse(row, 'customer_email', 'is empty, and orders belong to customers')
      if (paid_at === null) read.refuse(row, 'paid_at', 'is empty, and is needed')
    }
    const currency = read.currency(row, 'currency')
    const sums = sumsOf(rows, read, currency)
    const country = read.country(row, 'country')
    if (read.problems.length > 0 || paid_at === null || sums === null) return null
    return {
      ...{ sourceId, paid_at, currency, ...sums, country, region: read.region(row, 'region', country) },
      createdAt: read.moment(row, 'created_at') ?? paid_at,
      buyer: { email, sourceId: null, name: read.text(row, 'customer_name') },
      ...{ vat_id: read.vatId(row, 'vat_id'), subscription: read.text(row, 'subscription') },
      metadata: readMetadata(row, read),
    }
  },
})

type OrderSums = ReturnType<typeof orderSums>

/** Returns the amounts in the file if each line has an amount and they add up; otherwise divides the total among the lines. */
function sumsOf(rows: readonly [TableRow, ...TableRow[]], read: Reader, currency: string): OrderSums | null {
  const [row] = rows
  const money = (one: TableRow, column: string) => read.amount(one, column, currency)
  const amount = money(row, 'amount')
  if (amount === null && read.problems.length === 0) read.refuse(row, 'amount', 'is empty, and is needed')
  const whole = (column: string) => money(row, column) ?? 0
  const [discount, tax] = [whole('amount_discount'), whole('amount_tax')]
  const [refunded, taxBack] = [whole('amount_refunded'), whole('amount_tax_refunded')]
  const lines = rows.flatMap((one) => lineFrom(one, read, currency))
  if (read.problems.length > 0 || amount === null) return null
  const subtotal = money(row, 'subtotal')
  const exact = lines.length > 0 && lines.every((line) => line.amount >= 0)
  if (exact && subtotal !== null && addUp(lines, { amount, discount, tax, refunded })) {
    const sums = { amount, subtotal, amount_discount: discount, amount_tax: tax, amount_refunded: refunded }
    return { ...sums, tax_inclusive: read.flag(row, 'tax_inclusive') ?? false, amount_tax_refunded: taxBack, lines }
  }
  const listed = lines.length > 0 ? lines : [lineOf('Order', amount + discount - tax)]
  return orderSums({ lines: listed, total: amount, tax, refunded, discount })
}

function addUp(
  lines: readonly LineDraft[],
  whole: { amount: number; discount: number; tax: number; refunded: number },
): boolean {
  const sum = (name: 'amount' | 'amount_discount' | 'amount_tax' | 'amount_refunded') =>
    lines.reduce((all, line) => all + line[name], 0)
  const sums = [sum('amount'), sum('amount_discount'), sum('amount_tax'), sum('amount_refunded')]
  return [whole.amount, whole.discount, whole.tax, whole.refunded].every((one, index) => one === sums[index])
}

/** Returns the line in a row; none if the row has no product name. A missing amount becomes −1 until it is computed. */
function lineFrom(row: TableRow, read: Reader, currency: string): LineDraft[] {
  const product_name = read.text(row, 'line_product_name', MAX_NAME)
  if (product_name === null) return []
  const price_variant_name = read.text(row, 'line_price_name', MAX_NAME) ?? 'Default'
  const money = (column: string) => read.amount(row, column, currency)
  const quantity = read.whole(row, 'line_quantity', { min: 1 }) ?? 1
  const price = read.text(row, 'line_price_id')
  const sku = read.text(row, 'line_sku')
  const full = price_variant_name === 'Default' ? product_name : `${product_name} - ${price_variant_name}`
  return [
    {
      keys: [...(price === null ? [] : [`price:${price}`]), ...(sku === null ? [] : [skuKey(sku)]), nameKey(full)],
      ...{ product_name, price_variant_name, quantity, tax_code: read.text(row, 'line_tax_code', 50) },
      unit_amount: money('line_unit_amount') ?? 0,
      setup_fee_amount: money('line_setup_fee_amount') ?? 0,
      amount: money('line_amount') ?? -1,
      amount_discount: money('line_amount_discount') ?? 0,
      amount_tax: money('line_amount_tax') ?? 0,
      amount_tax_refunded: money('line_amount_tax_refunded') ?? 0,
      amount_refunded: money('line_amount_refunded') ?? 0,
    },
  ]
}
