import { type ListedLine, MAX_NAME, nameKey, skuKey } from '../drafts.ts'
import { format } from '../format.ts'
import { lineOf, orderSums } from '../order-sums.ts'
import type { Reader } from '../reading/reader.ts'
import type { TableRow } from '../reading/table.ts'

const NAME = 'Name'
const ID = 'Id'
const EMAIL = 'Email'
const STATUS = 'Financial Status'
const CREATED_AT = 'Created at'
const PAID_AT = 'Paid at'
const CURRENCY = 'Currency'
const TOTAL = 'Total'
const SHIPPING = 'Shipping'
const TAXES = 'Taxes'
const DISCOUNT = 'Discount Amount'
const REFUNDED = 'Refunded Amount'
const BUYER = ['Billing Name', 'Shipping Name'] as const
const COUNTRY = ['Shipping Country', 'Billing Country'] as const
const REGION = ['Shipping Province', 'Billing Province'] as const
const QUANTITY = 'Lineitem quantity'
const ITEM = 'Lineitem name'
const PRICE = 'Lineitem price'
const SKU = 'Lineitem sku'
const METADATA_COLUMNS = {
  order_number: NAME,
  shopify_id: ID,
  discount_code: 'Discount Code',
  shipping_method: 'Shipping Method',
  payment_method: 'Payment Method',
  payment_reference: ['Payment Reference', 'Payment ID'],
  note: 'Notes',
  tags: 'Tags',
  cancelled_at: 'Cancelled at',
  sold_by: 'Source',
} as const

const PAID = ['paid', 'partially_refunded', 'refunded']
const NOT_PAID = ['pending', 'authorized', 'partially_paid', 'voided', 'expired', 'unpaid', 'draft']

/** Shopify's order export, with one row per line item. Only the first row of an order contains the fields of the whole order. */
export const shopifyOrders = format<'orders'>({
  kind: 'orders',
  name: 'orders',
  needs: [NAME, EMAIL, STATUS, TOTAL, ITEM],
  reads: [
    ...[NAME, ID, EMAIL, STATUS, CREATED_AT, PAID_AT, CURRENCY, TOTAL, SHIPPING, TAXES, DISCOUNT, REFUNDED, BUYER],
    ...[COUNTRY, REGION, QUANTITY, ITEM, PRICE, SKU, ...Object.values(METADATA_COLUMNS)],
  ],
  leavesOut: [
    ...['Fulfillment Status', 'Fulfilled at', 'Accepts Marketing', 'Subtotal', 'Lineitem compare at price'],
    ...['Lineitem requires shipping', 'Lineitem taxable', 'Lineitem fulfillment status', 'Lineitem discount', 'Vendor'],
    ...['Billing Street', 'Billing Address1', 'Billing Address2', 'Billing Company', 'Billing City', 'Billing Zip'],
    ...['Billing Phone', 'Shipping Street', 'Shipping Address1', 'Shipping Address2', 'Shipping Company'],
    ...['Shipping City', 'Shipping Zip', 'Shipping Phone', 'Note Attributes', 'Outstanding Balance', 'Employee'],
    ...['Location', 'Device ID', 'Risk Level', 'Phone', 'Receipt Number', 'Duties', 'Billing Province Name'],
    ...['Shipping Province Name', 'Payment Terms Name', 'Next Payment Due At', 'Payment References'],
    ...[1, 2, 3, 4, 5].flatMap((number) => [`Tax ${number} Name`, `Tax ${number} Value`]),
  ],
  key: (row, read) => read.text(row, NAME) ?? '',
  draft(rows, read) {
    const [row] = rows
    const number = read.required(row, NAME)
    const status = read.oneOf(row, STATUS, [...PAID, ...NOT_PAID])
    if (status !== null && !PAID.includes(status))
      return { leftOut: `is ${status} at Shopify: only paid orders are taken` }
    const createdAt = read.moment(row, CREATED_AT)
    const paid_at = read.moment(row, PAID_AT) ?? createdAt
    if (paid_at === null && read.problems.length === 0) read.refuse(row, PAID_AT, 'is empty, and so is Created at')
    const email = read.email(row, EMAIL)
    if (email === null && read.problems.length === 0)
      read.refuse(row, EMAIL, 'is empty, and orders belong to customers, who are known here by their e-mail address')
    const country = read.country(row, COUNTRY)
    const region = read.region(row, REGION, country)
    const sums = sumsOf(rows, read)
    if (read.problems.length > 0 || paid_at === null || sums === null) return null
    return {
      ...{ sourceId: read.text(row, ID) ?? number, createdAt, paid_at, country, region, ...sums },
      buyer: { email, sourceId: null, name: read.text(row, BUYER) },
      currency: read.currency(row, CURRENCY),
      ...{ vat_id: null, subscription: null, metadata: read.metadata(row, METADATA_COLUMNS) },
    }
  },
})

function sumsOf(rows: readonly [TableRow, ...TableRow[]], read: Reader): ReturnType<typeof orderSums> | null {
  const [row] = rows
  const currency = read.currency(row, CURRENCY)
  const total = read.amount(row, TOTAL, currency)
  if (total === null && read.problems.length === 0) read.refuse(row, TOTAL, 'is empty, and is needed')
  const shipping = read.amount(row, SHIPPING, currency) ?? 0
  const lines = rows.flatMap((one) => listedOf(one, read, currency))
  const money = (column: string) => read.amount(row, column, currency) ?? 0
  const [tax, discount, refunded] = [money(TAXES), money(DISCOUNT), money(REFUNDED)]
  if (read.problems.length > 0 || total === null) return null
  const all = shipping > 0 ? [...lines, lineOf('Shipping', shipping)] : lines
  return orderSums({ lines: all, total, tax, discount, refunded })
}

function listedOf(row: TableRow, read: Reader, currency: string): ListedLine[] {
  const name = read.text(row, ITEM)
  if (name === null) return []
  const quantity = read.whole(row, QUANTITY, { min: 1 }) ?? 1
  const sku = read.text(row, SKU)
  // Shopify writes the product, a dash and the variant. If there are several dashes, the last one separates them.
  const [, product = name, variant = 'Default'] = /^(.+) - (.+?)$/s.exec(name) ?? []
  return [
    {
      keys: [...(sku === null ? [] : [skuKey(sku)]), nameKey(name)],
      product_name: read.cut(row, ITEM, product, MAX_NAME),
      price_variant_name: read.cut(row, ITEM, variant, MAX_NAME),
      quantity,
      unit_amount: read.amount(row, PRICE, currency) ?? 0,
    },
  ]
}
