import { MAX_NAME } from '../drafts.ts'
import { format } from '../format.ts'
import { lineOf, orderSums } from '../order-sums.ts'

const ID = ['id', 'PaymentIntent ID'] as const
const CREATED = ['Created date (UTC)', 'Created (UTC)'] as const
const AMOUNT = 'Amount'
const REFUNDED = 'Amount Refunded'
const CURRENCY = 'Currency'
const STATUS = 'Status'
const CAPTURED = 'Captured'
const EMAIL = ['Customer Email', 'Email', 'Receipt Email'] as const
const CUSTOMER = 'Customer ID'
const BUYER = ['Customer Name', 'Card Name', 'Customer Description'] as const
const DESCRIPTION = 'Description'
const INVOICE = 'Invoice ID'
const METADATA_COLUMNS = {
  stripe_id: ID,
  stripe_invoice: INVOICE,
  description: DESCRIPTION,
  statement_descriptor: 'Statement Descriptor',
} as const

/** The product name for payments that contain only an amount. */
export const PAYMENT_NAME = 'Payment'
/** The key for the price of payments that contain only an amount. */
export const PAYMENT_KEY = 'sold:payment'

/** Stripe's payment export: one order per successful payment. */
export const stripePayments = format<'orders'>({
  kind: 'orders',
  name: 'payments',
  needs: ['id', AMOUNT, REFUNDED, CURRENCY, STATUS],
  reads: [
    ...[ID, CREATED, AMOUNT, REFUNDED, CURRENCY, STATUS, CAPTURED, EMAIL, CUSTOMER, BUYER, DESCRIPTION, INVOICE],
    ...Object.values(METADATA_COLUMNS),
  ],
  leavesOut: [
    ...['Converted Amount', 'Converted Amount Refunded', 'Converted Currency', 'Decline Reason', 'Fee', 'Tax', 'Mode'],
    ...['Refunded date (UTC)', 'Seller Message', 'Taxes On Fee', 'Card ID', 'Card Last4', 'Card Brand', 'Transfer'],
    ...['Card Funding', 'Card Exp Month', 'Card Exp Year', 'Card Address Line1', 'Card Address Line2'],
    ...['Card Address City', 'Card Address State', 'Card Address Country', 'Card Address Zip', 'Card Issue Country'],
    ...['Card Fingerprint', 'Card CVC Status', 'Card AVS Zip Status', 'Card AVS Line1 Status', 'Transfer Group'],
    ...['Card Tokenization Method', 'Disputed Amount', 'Dispute Status', 'Dispute Reason', 'Dispute Date (UTC)'],
    ...['Dispute Evidence Due (UTC)', 'Payment Source Type', 'Destination', 'Checkout Session ID', 'Is Link'],
  ],
  draft([row], read) {
    const id = read.required(row, ID)
    const status = read.text(row, STATUS)?.toLowerCase() ?? ''
    if (!/^(paid|succeeded|refunded|partially refunded|partial_refund|disputed|won)$/.test(status))
      return { leftOut: 'did not succeed at Stripe: only payments that came are taken' }
    if (read.flag(row, CAPTURED) === false) return { leftOut: 'was never captured: only payments that came are taken' }
    const currency = read.currency(row, CURRENCY)
    const total = read.amount(row, AMOUNT, currency)
    const refunded = read.amount(row, REFUNDED, currency) ?? 0
    const paid_at = read.moment(row, CREATED, 'UTC')
    const buyer = { email: read.email(row, EMAIL), sourceId: read.text(row, CUSTOMER), name: read.text(row, BUYER) }
    if (read.problems.length === 0) {
      if (total === null) read.refuse(row, AMOUNT, 'is empty, and is needed')
      if (paid_at === null) read.refuse(row, CREATED, 'is empty, and is needed')
      if (buyer.email === null && buyer.sourceId === null)
        read.refuse(row, EMAIL, 'is empty, and so is Customer ID: orders belong to customers')
    }
    if (read.problems.length > 0 || total === null || paid_at === null) return null
    const name = (read.text(row, DESCRIPTION) ?? PAYMENT_NAME).slice(0, MAX_NAME)
    const line = { ...lineOf(name, total), keys: [PAYMENT_KEY] }
    return {
      ...orderSums({ lines: [line], total, tax: 0, refunded, discount: 0 }),
      // The payment of an invoice gets the invoice's id, so that both are imported as one order, whichever file comes first.
      ...{ sourceId: read.text(row, INVOICE) ?? id, createdAt: paid_at, paid_at, buyer, currency },
      ...{ country: null, region: null, vat_id: null, subscription: null },
      metadata: read.metadata(row, METADATA_COLUMNS),
    }
  },
})
