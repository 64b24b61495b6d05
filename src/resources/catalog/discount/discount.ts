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
} from '../../../contract/declarations/kinds.ts'
import { noun, type Row } from '../../../contract/declarations/noun.ts'

const percent = z
  .number()
  .gt(0, 'must be greater than 0')
  .max(100, 'must be at most 100')
  .refine((value) => Math.round(value * 100) / 100 === value, 'has more than 2 decimals')

export const SHOWN_STATUSES = ['active', 'inactive', 'scheduled', 'expired'] as const

export const Discount = noun('discount', {
  prefix: 'disc',
  group: 'Discounts',
  area: 'products',
  description:
    'A code that lowers the price of a checkout, except setup fees; one per checkout. None is tied to a person.',
  gist: 'code',
  searchable: ['code'],
  foundBy: ['code'],
  events: ['created', 'updated', 'deleted'],
  example: { amount_off: null, currency: null, duration_in_months: null },
  hidden: {
    code_key: text('The code in lower case: what makes it unique'),
    reserved_count: integer('Redemptions of payments that are under way', { min: 0 }).default(0),
  },
  fields: {
    code: text('Unique, ignoring case; stored as written', {
      max: 50,
      pattern: /^[A-Za-z0-9_-]+$/,
      says: 'can contain only letters, digits, hyphens and underscores',
      example: 'SPRING25',
    }).required(),
    discount_type: oneOf(['percent_off', 'amount_off'], 'Field that applies; the other is null').required(),
    percent_off: structure('number', percent, 'Percent off each line, rounded half up; at most 2 decimals', 25, {
      unit: 'percent',
    }).nullable('none'),
    duration: oneOf(
      ['once', 'repeating', 'forever'],
      'Subscription periods it applies to, from the first charged one (after a trial). once: the first; repeating: each that starts within duration_in_months, in full; forever: all. One-time payments are always discounted',
    ).default('once'),
    applies_to_product_ids: references(
      'product',
      'Products the discount applies to, by id or slug; all if price_variants is empty too',
    ).default([]),
    amount_off: money('Off the total, split pro rata across lines; never below 0', {
      min: 1,
      example: 500,
    }).nullable('none'),
    currency: currency('Currency of amount_off, and of checkouts that accept the code').nullable('none'),
    duration_in_months: integer('Length of a repeating duration, required for it', {
      min: 1,
      max: 36,
      unit: 'months',
      example: 3,
    }).nullable('none'),
    max_redemptions: integer('Number of redemptions allowed; at least times_redeemed', {
      min: 1,
      max: 2_147_483_647,
      example: 100,
    }).nullable('unlimited'),
    times_redeemed: integer('Number of completed checkouts that used it', { min: 0, example: 0 }).readOnly(),
    starts_at: timestamp('Start of validity, inclusive').nullable('no start'),
    redeem_by: timestamp(
      'End of validity, exclusive; must be set in the future, after starts_at',
      '2027-12-31T23:59:59Z',
    ).nullable('no end'),
    price_variants: references('price_variant', 'Price variants it applies to, in addition to the products')
      .expandable()
      .default([]),
    switched: oneOf(['active', 'inactive'], 'inactive disables it').inputOnly().writtenAs('status').default('active'),
    status: oneOf(
      SHOWN_STATUSES,
      'First match of: inactive (switched off), scheduled (before starts_at), expired (redeem_by reached or max_redemptions used up), active',
    ).derived(),
    metadata: metadata(),
  },
})

export type DiscountRow = Row<typeof Discount>
