import { z } from 'zod'
import {
  collection,
  currency,
  email,
  flag,
  integer,
  metadata,
  money,
  oneOf,
  reference,
  servedAddress,
  structure,
  text,
  timestamp,
  webAddress,
} from '../../../contract/declarations/kinds.ts'
import { exampleId, noun, type Row } from '../../../contract/declarations/noun.ts'
import { country, region, vatId } from '../../../contract/declarations/place.ts'
import { EXAMPLE_TAX_LINE, type TaxLine, taxLines } from '../../../contract/declarations/tax-line.ts'
import { type X402Requirements, x402Requirements } from '../../company/x402-configuration/x402-configuration.ts'
import { PROCESSORS } from '../payment/payment.ts'
import type { DiscountTerms } from '../subscription/terms.ts'
import type { PricedLine } from './line.ts'
import type { TaxTerms } from './tax/terms.ts'

const MAX_LINES = 50
export const MAX_QUANTITY = 10_000

const lineItem = z.object({
  price_variant: z.string().trim().min(1, "can't be blank").max(200, 'is not an id'),
  quantity: z
    .number()
    .refine(Number.isInteger, { error: 'must be an integer', abort: true })
    .min(1, 'must be at least 1')
    .max(MAX_QUANTITY, `must be at most ${MAX_QUANTITY}`)
    .default(1),
  amount: z
    .number()
    .refine(Number.isInteger, { error: 'must be an integer', abort: true })
    .min(0, 'must be at least 0')
    .optional(),
})
export type LineItem = z.output<typeof lineItem>

const BLANK_DISCOUNT: DiscountTerms = {
  id: '',
  discount_type: 'percent_off',
  percent_off: null,
  amount_off: null,
  duration: 'once',
  duration_in_months: null,
}

const EXAMPLE_X402: X402Requirements = {
  x402Version: 2,
  resource: { url: 'https://shop.example/checkout/co_…', description: 'Ruby Handbook', mimeType: 'text/html' },
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '29000000',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      payTo: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      maxTimeoutSeconds: 300,
      extra: { name: 'USD Coin', version: '2' },
    },
  ],
}

export const Checkout = noun('checkout', {
  prefix: 'co',
  group: 'Checkouts',
  area: 'sales',
  description: 'A cart that one buyer pays for at its url, a hosted page.',
  gist: 'cart to pay at its url',
  events: ['created', 'completed', 'expired', 'abandoned'],
  eventExpand: ['customer'],
  notInEvents: ['client_secret', 'url', 'x402'],
  states: { open: ['update'], complete: [], abandoned: [], expired: [] },
  example: {
    invoice: null,
    order: null,
    subscription: null,
    discount: null,
    discount_code: null,
    customer: null,
    completed_at: null,
    amount_discount: 0,
    amount_tax: 0,
    tax_lines: [],
    country: null,
    region: null,
    vat_id: null,
  },
  hidden: {
    lines: structure<PricedLine[]>('array', z.array(z.custom<PricedLine>()), 'The lines with their prices', []),
    /** While this payment is in progress, the checkout cannot be changed. */
    paying: text('The payment that is under way').nullable(),
    /** Copied when a payment begins, because a new subscription keeps the discount as it was then. */
    discount_terms: structure<DiscountTerms>(
      'object',
      z.custom<DiscountTerms>(),
      'The discount as it was when the last payment began',
      BLANK_DISCOUNT,
    ).nullable(),
    tax: structure<TaxTerms>('object', z.custom<TaxTerms>(), 'What is charged where the buyer is taxed', {
      rates: [],
      reverse_charge: false,
    }).nullable(),
    failed_tries: integer('How many payments failed').default(0),
    expire_job: text('The job that expires it').nullable(),
    formation: text('The formation that it pays').nullable(),
    retries: text('The failed order whose payment it tries again').nullable(),
    link: text('The link, or the price, whose address it was opened by').nullable(),
  },
  fields: {
    status: oneOf(
      ['open', 'complete', 'abandoned', 'expired'],
      'open until it is paid; expired at expires_at; abandoned when another checkout for the same invoice replaced it',
    ).readOnly(),
    mode: oneOf(['payment', 'subscription'], 'subscription if an item is a subscription').readOnly(),
    line_items: structure<LineItem[]>(
      'array',
      z.array(lineItem),
      'Items to buy, 1 to 50; quantities of the same price are summed. price_variant: id of a price that is for sale; quantity: from 1, default 1; amount: price of one unit, for custom prices',
      [{ price_variant: exampleId('price'), quantity: 1 }],
      { max: MAX_LINES },
    ).inputOnly(),
    checkout_items: collection('checkout_item', 'Lines of the cart'),
    currency: currency('Currency of its amounts').readOnly(),
    subtotal: money('Total before discounts, including setup fees; in a trial only the setup fee').readOnly(),
    amount_discount: money('Amount taken off by the discount').readOnly(),
    amount_tax: money('Tax in the total; 0 without a country or a rate for it').readOnly(),
    tax_inclusive: flag('Whether prices include amount_tax; otherwise it is added to them').default(false).readOnly(),
    total: money('Amount due now').readOnly(),
    tax_lines: structure<TaxLine[]>('array', taxLines, 'The tax by rate', [EXAMPLE_TAX_LINE]).default([]).readOnly(),
    reverse_charge: flag('Whether the buyer, a business of another country, owes the tax: none is charged')
      .default(false)
      .readOnly(),
    email: email('The buyer’s email address; required before payment').nullable('not known yet'),
    country: country(
      'Country where the buyer is taxed; fixes the tax. Default: the customer’s. Required before payment once the account has tax_rates, and then asked on the page',
    ).nullable('not known yet'),
    region: region('US state or Canadian province of the buyer, where tax_rates have regions').nullable('none'),
    vat_id: vatId(
      'VAT id of a buyer that is a business; its form is checked. In another country than the account’s it exempts',
    ).nullable('none'),
    customer: reference('customer', 'Buyer, instead of email', 'cus_…')
      .nullable('not known yet')
      .createOnly()
      .expandable(),
    invoice: reference('invoice', 'Open or past due invoice to pay, instead of line_items', 'inv_…')
      .nullable('none')
      .createOnly()
      .expandable(),
    discount_code: text('Discount code; null or empty text removes it', {
      min: 0,
      max: 50,
      example: 'SPRING25',
    }).nullable('none'),
    discount: reference('discount', 'Discount applied by the code').nullable('none').readOnly().expandable(),
    order: reference('order', 'Order created by the payment').nullable('not paid').readOnly().expandable(),
    subscription: reference('subscription', 'Subscription that it starts, or whose unpaid period it pays for')
      .nullable('none')
      .readOnly()
      .expandable(),
    processor: oneOf(PROCESSORS, 'Processor of the payment; none: nothing to pay').readOnly(),
    client_secret: text('Secret that lets its holder pay this checkout', {
      max: 200,
      example: `${exampleId('co')}_secret_3n8p`,
    }).derived(),
    url: servedAddress('Page where the buyer pays', `https://shop.example/checkout/${exampleId('co')}`),
    x402: structure<X402Requirements>(
      'object',
      x402Requirements,
      'Payment terms that a client signs to pay in USDC, in the format of x402 version 2',
      EXAMPLE_X402,
    )
      .nullable(
        'x402 is disabled, this is not an open one-time checkout in usd, or the country is not known that tax depends on',
      )
      .derived(),
    success_url: webAddress('URL the buyer is sent to after the payment', 'https://shop.example/thanks').nullable(
      'a hosted page',
    ),
    cancel_url: webAddress('URL the buyer is sent to when going back', 'https://shop.example/cart').nullable('nowhere'),
    expires_at: timestamp(
      'When it expires: 24 hours after it was created or, if it pays for an unpaid period, when that subscription ends',
    ).readOnly(),
    completed_at: timestamp('When it was paid').nullable('not paid').readOnly(),
    metadata: metadata(),
  },
})

export type CheckoutRow = Row<typeof Checkout>
