import {
  currency,
  flag,
  integer,
  money,
  oneOf,
  position,
  reference,
  references,
  text,
  texts,
} from '../../../contract/kinds.ts'
import { exampleId, noun } from '../../../contract/noun.ts'

export const PriceVariant = noun('price_variant', {
  prefix: 'price',
  group: 'PriceVariants',
  description: 'One price of a product: one-time, free, pay-what-you-want or recurring.',
  events: ['created', 'updated', 'deleted'],
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
    product: reference('product', 'The product it is a price of; a body takes the slug too', 'prod_…')
      .required()
      .createOnly()
      .writtenAs('product_id')
      .expandable(),
    name: text('Name that buyers see', { max: 100, example: 'Hardcover' }).default('Default'),
    amount_type: oneOf(
      ['fixed', 'free', 'custom'],
      'fixed, free, or custom: the buyer decides. Free when amount is 0 and nothing is said',
      { aliases: { pay_what_you_want: 'custom' } },
    ),
    amount: money('The price: at least 1 when fixed, 0 otherwise').nullable(),
    currency: currency('Currency; that of the account when absent'),
    billing_type: oneOf(['one_time', 'subscription', 'free'], 'free if and only if amount_type is free', {
      aliases: { recurring: 'subscription' },
    }),
    recurring_interval: oneOf(
      ['day', 'week', 'month', 'year'],
      'Length of a period; subscriptions need one, others have none',
    ).nullable(),
    interval_count: integer('Periods between payments: month × 3 is quarterly; 3 years at most', {
      min: 1,
      max: 1095,
      example: 1,
    }).nullable(),
    installment_count: integer('A subscription ends after that many payments', {
      min: 2,
      max: 1000,
      example: 12,
    }).nullable(),
    setup_fee_amount: money('Added to the first payment of a subscription', { example: 500 }).nullable(),
    trial_period_days: integer('Days before the first payment of a subscription', {
      min: 1,
      max: 730,
      example: 14,
    }).nullable(),
    revoke_after_days: integer('Access ends after that many days', { min: 1, max: 36_500, example: 365 }).nullable(),
    quantity_available: integer('Stock left; null is without limit', {
      min: 0,
      max: 2_147_483_647,
      example: 100,
    }).nullable(),
    discounted_from_amount: money('The struck-through price of a fixed one; above amount', {
      example: 3900,
    }).nullable(),
    minimum_amount: money('The least a buyer may give; custom only', { example: 500 }).nullable(),
    maximum_amount: money('The most a buyer may give; custom only', { example: 10_000 }).nullable(),
    preset_amount: money('What is suggested; custom only', { example: 1500 }).nullable(),
    waitlist: flag('Buyers may queue for it').default(false),
    hidden: flag('Not shown with the product').default(false),
    archived: flag('No longer sold').updateOnly().default(false),
    position: position(
      'Place within the product, from 1; beyond the end means last. The first that is not archived is the default',
    ),
    benefits: texts('What a buyer gets, in words', { example: ['Free updates'] }).default([]),
    purchase_url: text('Where it can be bought', {
      max: 2048,
      example: `https://shop.example/buy/${exampleId('price')}`,
    }).derived(),
    x402_amount: text('The amount in millionths of a USDC, for prices in usd', { example: '29000000' })
      .nullable()
      .derived(),
    experiences: references('experience', 'What a buyer gets access to')
      .writtenAs('experience_ids')
      .expandable()
      .default([]),
  },
})
