import {
  currency,
  flag,
  integer,
  money,
  oneOf,
  position,
  reference,
  references,
  servedAddress,
  text,
  texts,
} from '../../../contract/declarations/kinds.ts'
import { exampleId, noun, type Row } from '../../../contract/declarations/noun.ts'

/** The name of prices that were created without one. */
export const UNNAMED = 'Default'

export const PriceVariant = noun('price_variant', {
  prefix: 'price',
  group: 'PriceVariants',
  area: 'products',
  description: 'One price of a product: one-time, free, pay-what-you-want or recurring.',
  gist: 'price of a product',
  events: ['created', 'updated', 'deleted'],
  listOrder: 'by position when filtered by product, else newest first',
  example: {
    recurring_interval: null,
    interval_count: null,
    installment_count: null,
    setup_fee_amount: null,
    trial_period_days: null,
    minimum_amount: null,
    maximum_amount: null,
    preset_amount: null,
  },
  hidden: { sold_count: integer('Units that ever went through a checkout').default(0) },
  fields: {
    product: reference('product', 'Product it belongs to. Written as its id or slug', 'prod_…')
      .required()
      .createOnly()
      .writtenAs('product_id')
      .expandable(),
    name: text('Name shown to buyers', { max: 100, example: 'Hardcover' }).default(UNNAMED),
    amount_type: oneOf(
      ['fixed', 'free', 'custom'],
      'fixed: amount is the price; free: nothing is charged; custom: the buyer decides, from minimum_amount to maximum_amount. Default: free when amount is 0 and billing_type is absent, else fixed',
      { aliases: { pay_what_you_want: 'custom' } },
    ),
    amount: money(
      'Price: 2900 is 29.00 usd, and 2900 jpy, since yen and won have no decimals. At least 1 when fixed, 0 when free or custom',
    ).nullable('never shown; stored as 0 for free and custom prices'),
    currency: currency(
      'Default: default_currency of the account. Prices of a product can differ in currency; items of a checkout cannot',
    ),
    billing_type: oneOf(
      ['one_time', 'subscription', 'free'],
      'free if and only if amount_type is free: setting one sets the other. Default: one_time',
      { aliases: { recurring: 'subscription' } },
    ),
    recurring_interval: oneOf(
      ['day', 'week', 'month', 'year'],
      'Unit of the billing period; required for subscriptions, not allowed otherwise',
    ).nullable('not a subscription'),
    interval_count: integer(
      'Number of intervals between payments, at most 3 years (36 months, 156 weeks); month × 3 is quarterly. Default for subscriptions: 1',
      { min: 1, max: 1095, example: 1 },
    ).nullable('not a subscription'),
    installment_count: integer('Number of payments after which the subscription ends; access continues', {
      min: 2,
      max: 1000,
      example: 12,
    }).nullable('until canceled'),
    setup_fee_amount: money(
      'One-time fee in the first payment of a subscription, also when a trial begins; charged once for any quantity, never discounted',
      { example: 500 },
    ).nullable('no fee'),
    trial_period_days: integer('Trial before the first charged period of a subscription; a day is 24 hours', {
      min: 1,
      max: 730,
      unit: 'days',
      example: 14,
    }).nullable('no trial'),
    revoke_after_days: integer('Time from the purchase to the end of access', {
      min: 1,
      max: 36_500,
      unit: 'days',
      example: 365,
    }).nullable('access does not end'),
    quantity_available: integer('Stock left of this price; prices do not share stock', {
      min: 0,
      max: 2_147_483_647,
      unit: 'units',
      example: 100,
    }).nullable('unlimited'),
    discounted_from_amount: money('Former price, shown struck through; fixed prices only, greater than amount', {
      example: 3900,
    }).nullable('none shown'),
    minimum_amount: money('Minimum that a buyer can pay, inclusive; custom prices only, less than maximum_amount', {
      example: 500,
    }).nullable('no minimum'),
    maximum_amount: money('Maximum that a buyer can pay, inclusive; custom prices only', {
      example: 10_000,
    }).nullable('no maximum'),
    preset_amount: money('Amount suggested to buyers, from minimum_amount to maximum_amount; custom prices only', {
      example: 1500,
    }).nullable('no suggestion'),
    waitlist: flag('Whether buyers can join a waiting list').default(false),
    hidden: flag(
      'Whether it is left out of the product’s price_variants; it can still be bought at purchase_url',
    ).default(false),
    archived: flag('Whether it is no longer sold, and left out of the product’s price_variants; false restores it')
      .updateOnly()
      .default(false),
    position: position(
      'Place among the product’s prices, from 1; beyond the end means last. The first one that is not archived is the default',
    ),
    benefits: texts('Benefits shown to buyers, one per line', { example: ['Free updates'] }).default([]),
    purchase_url: servedAddress('URL where buyers can buy it', `https://shop.example/buy/${exampleId('price')}`),
    x402_amount: text('Amount for x402 payments: minor units × 10000; follows amount', {
      example: '29000000',
      unit: 'millionths of a USDC',
    })
      .nullable('currency is not usd')
      .derived(),
    experiences: references('experience', 'Experiences that buyers get access to; a change replaces all')
      .writtenAs('experience_ids')
      .expandable()
      .default([]),
  },
})

export type PriceVariantRow = Row<typeof PriceVariant>
