import { z } from 'zod'
import {
  currency,
  integer,
  metadata,
  money,
  oneOf,
  references,
  structure,
  text,
  timestamp,
} from '../../../contract/kinds.ts'
import { noun } from '../../../contract/noun.ts'

/** More than 0, at most 100, at most two decimals. */
const percent = z
  .number()
  .gt(0, 'must be greater than 0')
  .max(100, 'must be at most 100')
  .refine((value) => Math.round(value * 100) / 100 === value, 'has more than 2 decimals')

export const SHOWN_STATUSES = ['active', 'inactive', 'scheduled', 'expired'] as const

export const Discount = noun('discount', {
  prefix: 'disc',
  group: 'Discounts',
  description: 'A code that lowers the price of a checkout.',
  searchable: ['code'],
  events: ['created', 'updated', 'deleted'],
  example: { amount_off: null, currency: null, duration_in_months: null },
  hidden: { code_key: text('The code in lower case: what makes it unique') },
  fields: {
    code: text('What buyers type; unique in the account, whatever its case, and kept as written', {
      max: 50,
      pattern: /^[A-Za-z0-9_-]+$/,
      says: 'may hold letters, digits, hyphens and underscores',
      example: 'SPRING25',
    }).required(),
    discount_type: oneOf(['percent_off', 'amount_off'], 'Which of percent_off and amount_off it uses').required(),
    percent_off: structure(
      'number',
      percent,
      'Percent off, above 0 to 100, up to two decimals; for percent_off only',
      25,
    ).nullable(),
    duration: oneOf(['once', 'repeating', 'forever'], 'Which payments of a subscription it lowers').default('once'),
    applies_to_product_ids: references(
      'product',
      'Products it lowers; bodies take slugs too. Empty with empty price_variants: all',
    ).default([]),
    amount_off: money('Amount off; for amount_off only', { min: 1, example: 500 }).nullable(),
    currency: currency('Currency of amount_off').nullable(),
    duration_in_months: integer('How long a repeating discount lasts', { min: 1, max: 36, example: 3 }).nullable(),
    max_redemptions: integer('How often it can be used', { min: 1, max: 2_147_483_647, example: 100 }).nullable(),
    times_redeemed: integer('How often it was used', { min: 0, example: 0 }).readOnly(),
    starts_at: timestamp('Cannot be used before').nullable(),
    redeem_by: timestamp('Cannot be used after; in the future when set', '2027-12-31T23:59:59Z').nullable(),
    price_variants: references('price_variant', 'Price variants it lowers, beside those products')
      .expandable()
      .default([]),
    switched: oneOf(['active', 'inactive'], 'Switches it on or off').inputOnly().writtenAs('status').default('active'),
    status: oneOf(
      SHOWN_STATUSES,
      'inactive when switched off, scheduled before starts_at, expired after redeem_by or when used up',
    ).derived(),
    metadata: metadata(),
  },
})
