import {
  collection,
  currency,
  flag,
  integer,
  metadata,
  money,
  oneOf,
  reference,
  structure,
  text,
  timestamp,
} from '../../../contract/declarations/kinds.ts'
import { noun, type Row, readOnly } from '../../../contract/declarations/noun.ts'
import { country, region, vatId } from '../../../contract/declarations/place.ts'
import { EXAMPLE_TAX_LINE, type TaxLine, taxLines } from '../../../contract/declarations/tax-line.ts'
import { PROCESSORS } from '../payment/payment.ts'

export const ORDER_STATUSES = ['pending', 'succeeded', 'failed', 'partially_refunded', 'refunded', 'disputed'] as const

const CHANNELS = ['link', 'storefront', 'api', 'invoice', 'renewal', 'x402', 'import'] as const
export type Channel = (typeof CHANNELS)[number]

/** The ways in which a failed payment or an overdue invoice was paid after all. */
const RECOVERIES = ['retry', 'charge_now', 'payment_link', 'second_try'] as const
export type Recovery = (typeof RECOVERIES)[number]

export const Order = noun('order', {
  prefix: 'ord',
  group: 'Orders',
  area: 'sales',
  description: 'A purchase, made through a checkout or by a subscription renewal.',
  gist: 'purchase or renewal',
  events: ['created', 'paid', 'failed', 'refunded', 'partially_refunded', 'disputed'],
  eventDescriptions: {
    paid: 'An order was paid: at a checkout, for an invoice or by a renewal. Free orders too.',
    refunded: 'An order was refunded in full, once the refund succeeded.',
    partially_refunded: 'An order was refunded in part, once the refund succeeded.',
  },
  eventExpand: ['customer', 'line_items'],
  example: {
    invoice: null,
    subscription: null,
    discount: null,
    amount_discount: 0,
    tax_lines: [],
    vat_id: null,
    region: null,
    recovered_by: null,
  },
  hidden: {
    amount_refunding: integer('Minor units of refunds that are pending').default(0),
    /** Reports count a buyer once per date range: at the order whose previous payment is before the range. */
    previous_paid_at: timestamp('When the buyer paid the order before in the same currency').nullable(),
    /** True for test cards, and for payments in the provider's test mode. */
    simulated: flag('Whether no money moved').default(false),
    disputed_from: text('The status before a dispute').nullable(),
  },
  fields: readOnly({
    status: oneOf(
      ORDER_STATUSES,
      'pending: being paid; succeeded: paid, or free; failed: not paid; partially_refunded: part was refunded; refunded: all was refunded; disputed: the buyer disputes the payment, which counts until the dispute is lost, and is then refunded',
    ),
    customer: reference('customer', 'Buyer').expandable(),
    line_items: collection('order_item', 'Line items, as sold', { onlyExpanded: true }),
    amount: money('Total paid, after discounts, tax included'),
    currency: currency('Currency of its amounts'),
    subtotal: money('Total before discounts, and before tax unless tax_inclusive'),
    amount_discount: money('Amount taken off by the discount', { example: 0 }),
    amount_tax: money('Tax in amount; revenue without tax is amount − amount_tax', { example: 0 }).default(0),
    tax_inclusive: flag('Whether prices include amount_tax; otherwise it is added to them').default(false),
    tax_lines: structure<TaxLine[]>('array', taxLines, 'The tax by rate', [EXAMPLE_TAX_LINE]).default([]),
    reverse_charge: flag('Whether the buyer, a business of another country, owes the tax: none is charged').default(
      false,
    ),
    amount_tax_refunded: money('Tax in amount_refunded', { example: 0 }).default(0),
    amount_refunded: money('Amount refunded so far, without pending refunds', { example: 0 }),
    discount: reference('discount', 'Discount that was used').nullable('none').expandable(),
    checkout: reference('checkout', 'Checkout that created it')
      .nullable('created by a renewal or an import')
      .expandable(),
    subscription: reference('subscription', 'Subscription that it started or renewed').nullable('none').expandable(),
    invoice: reference('invoice', 'Invoice that it paid for').nullable('none').expandable(),
    charge: reference('charge', 'Payment of the order').nullable('free, imported, or not paid yet').expandable(),
    processor: oneOf(
      PROCESSORS,
      'none: free, or imported and so paid elsewhere; test: test mode, no real money; card: by card; x402: in USDC',
    ),
    test: flag('Whether no real money was paid').derived(),
    channel: oneOf(
      CHANNELS,
      'Way of the sale. link: checkout link; storefront: address of a price; api: checkout made by API, program or person; invoice; renewal: of a subscription, by its saved card or a payment link; x402: by a program in USDC; import: taken over from another shop system, with the dates it had there',
    ),
    paid_at: timestamp('When it was paid; for free orders, when it was created').nullable('not paid'),
    country: country('Country where the buyer was taxed').nullable('not asked'),
    region: region('US state or Canadian province where the buyer was taxed').nullable('none'),
    vat_id: vatId('VAT id that the buyer gave').nullable('none'),
    recovered_by: oneOf(
      RECOVERIES,
      'Way in which it was paid after a payment had failed or an invoice was past due. retry: the card was charged again; charge_now: the same, by hand; payment_link: by the buyer, at the link to the unpaid period or invoice; second_try: by the buyer, at a checkout after a first try',
    ).nullable('paid at once, or not paid'),
    metadata: metadata(),
  }),
})

export type OrderRow = Row<typeof Order>
