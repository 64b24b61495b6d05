import { format } from '../format.ts'
import { lineOf, orderSums } from '../order-sums.ts'
import { PAYMENT_KEY } from './payments.ts'

const ID = 'id'
const NUMBER = 'Number'
const CUSTOMER = 'Customer'
const EMAIL = 'Customer Email'
const NAME = 'Customer Name'
const DATE = ['Date (UTC)', 'Created (UTC)'] as const
const PAID_AT = ['Paid At (UTC)', 'Finalized At (UTC)'] as const
const CURRENCY = 'Currency'
const STATUS = 'Status'
const SUBTOTAL = 'Subtotal'
const DISCOUNT = 'Total Discount Amount'
const TAX = 'Tax'
const TOTAL = 'Total'
const SUBSCRIPTION = 'Subscription'
const DESCRIPTION = 'Description'
const METADATA_COLUMNS = {
  stripe_invoice: ID,
  number: NUMBER,
  coupons: 'Applied Coupons',
  description: DESCRIPTION,
} as const

/** Stripe's invoice export: one order per paid invoice, unless its payment was already imported as an order. */
export const stripeInvoices = format<'orders'>({
  kind: 'orders',
  name: 'invoices',
  needs: [ID, 'Amount Due', CUSTOMER, TOTAL],
  reads: [
    ...[ID, NUMBER, CUSTOMER, EMAIL, NAME, DATE, PAID_AT, CURRENCY, STATUS, SUBTOTAL, DISCOUNT, TAX, TOTAL],
    ...[SUBSCRIPTION, DESCRIPTION, ...Object.values(METADATA_COLUMNS)],
  ],
  leavesOut: [
    ...['Amount Due', 'Amount Paid', 'Amount Remaining', 'Billing', 'Charge', 'Closed', 'Paid', 'Forgiven'],
    ...['Due Date (UTC)', 'Ending Balance', 'Starting Balance', 'Tax Percent', 'Exclusive Tax Amount'],
    ...['Inclusive Tax Amount', 'Period Start (UTC)', 'Period End (UTC)', 'Voided At (UTC)'],
    ...['Marked Uncollectible At (UTC)', 'Minimum Line Item Period Start (UTC)'],
    'Maximum Line Item Period End (UTC)',
  ],
  draft([row], read) {
    const sourceId = read.required(row, ID)
    const status = read.text(row, STATUS)?.toLowerCase()
    if (status !== undefined && status !== 'paid')
      return { leftOut: `is ${status} at Stripe: only paid invoices are taken` }
    const currency = read.currency(row, CURRENCY)
    const [total, tax, discount] = [TOTAL, TAX, DISCOUNT].map((column) => read.amount(row, column, currency))
    if (total === 0) return { leftOut: 'is of 0: nothing was paid' }
    const createdAt = read.moment(row, DATE, 'UTC')
    const paid_at = read.moment(row, PAID_AT, 'UTC') ?? createdAt
    const buyer = { email: read.email(row, EMAIL), sourceId: read.text(row, CUSTOMER), name: read.text(row, NAME) }
    if (read.problems.length === 0) {
      if (total == null) read.refuse(row, TOTAL, 'is empty, and is needed')
      if (paid_at === null) read.refuse(row, PAID_AT, 'is empty, and so is Date (UTC)')
      if (buyer.email === null && buyer.sourceId === null)
        read.refuse(row, CUSTOMER, 'is empty: orders belong to customers')
    }
    const subtotal = read.amount(row, SUBTOTAL, currency, { negative: true })
    if (read.problems.length > 0 || total == null || paid_at === null) return null
    const goods = Math.max(subtotal ?? total + (discount ?? 0) - (tax ?? 0), 0)
    const name = read.text(row, DESCRIPTION, 100) ?? `Invoice ${read.text(row, NUMBER) ?? sourceId}`.slice(0, 100)
    const line = { ...lineOf(name, goods), keys: [PAYMENT_KEY] }
    return {
      ...orderSums({ lines: [line], total, tax: tax ?? 0, refunded: 0, discount: discount ?? 0 }),
      ...{ sourceId, createdAt, paid_at, buyer, currency, country: null, region: null, vat_id: null },
      ...{ subscription: read.text(row, SUBSCRIPTION), metadata: read.metadata(row, METADATA_COLUMNS) },
    }
  },
})
