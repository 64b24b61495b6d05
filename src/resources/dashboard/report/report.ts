import { z } from 'zod'
import { day } from '../../../contract/declarations/day.ts'
import { oneOf, structure, text } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'

export const INTERVALS = ['day', 'week', 'month'] as const
export const COMPARISONS = ['previous', 'year', 'none'] as const
export type Comparison = (typeof COMPARISONS)[number]
export const DIMENSIONS = ['product', 'price', 'country', 'channel'] as const
export type Dimension = (typeof DIMENSIONS)[number]

const Amounts = z.object({
  gross: z.int(),
  discounts: z.int(),
  refunds: z.int(),
  tax: z.int(),
  net: z.int(),
  orders: z.int(),
})

/** In minor units of one currency; `net` is `gross` less `refunds` and `tax`. */
export type Amounts = z.infer<typeof Amounts>

const Figures = Amounts.extend({
  free_orders: z.int(),
  average_order: z.int(),
  new_buyers: z.int(),
  returning_buyers: z.int(),
})
export type Figures = z.infer<typeof Figures>

const Point = Figures.extend({ from: z.string(), to: z.string() })

const Line = Amounts.extend({
  key: z.string().nullable(),
  name: z.string(),
  units: z.int().nullable(),
})
export type Line = z.infer<typeof Line>

const Movement = z.object({
  new: z.int(),
  expansion: z.int(),
  reactivation: z.int(),
  contraction: z.int(),
  churn: z.int(),
})
export type Movement = z.infer<typeof Movement>

const Recurring = Movement.extend({
  start: z.int(),
  end: z.int(),
  points: z.array(Movement.extend({ from: z.string(), to: z.string(), end: z.int() })),
})
export type Recurring = z.infer<typeof Recurring>

const Sold = z.object({
  currency: z.string(),
  simulated_orders: z.int(),
  total: Figures,
  before: Figures.nullable(),
  points: z.array(Point),
  rows: z.array(Line),
  recurring: Recurring,
})

const AMOUNTS: Amounts = { gross: 5800, discounts: 0, refunds: 0, tax: 0, net: 5800, orders: 2 }
const FIGURES: Figures = { ...AMOUNTS, free_orders: 0, average_order: 2900, new_buyers: 1, returning_buyers: 1 }
const MOVEMENT: Movement = { new: 0, expansion: 0, reactivation: 0, contraction: 0, churn: 0 }

export const Report = answerNoun('report', {
  group: 'Overview',
  area: 'sales',
  description:
    'What a shop earned in some days of the account’s time zone, by the moment of payment: a refund lowers the day of the payment. Amounts are in minor units.',
  fields: {
    from: day('First day'),
    to: day('Last day'),
    timezone: text('Time zone of the days: the account’s', { example: 'Europe/Berlin' }),
    interval: oneOf(INTERVALS, 'What each point is of; weeks begin on Monday'),
    compare: oneOf(COMPARISONS, 'What it is compared with'),
    before_from: day('First day of the range it is compared with').nullable('nothing'),
    before_to: day('Last day of that range').nullable('nothing'),
    by: oneOf(DIMENSIONS, 'What rows are of').nullable('no rows were asked for'),
    currencies: structure(
      'array',
      z.array(Sold),
      'The figures of each currency, which are never added up. gross: what buyers paid, after discounts and with tax; refunds: what was given back of it; tax: tax of what was kept; net: gross − refunds − tax; average_order: gross by orders that cost something. simulated_orders: those of a live account that moved no money, paid with test cards or in a provider’s test mode. Buyers are counted once a range, and are new in their first order in that currency. recurring: monthly revenue of charged subscriptions before discounts, start + new + expansion + reactivation − contraction − churn = end. Rows sum to the total; only rows of products and prices have units',
      [
        {
          currency: 'usd',
          simulated_orders: 0,
          total: FIGURES,
          before: null,
          points: [{ from: '2026-01-15', to: '2026-01-15', ...FIGURES }],
          rows: [{ key: 'prod_…', name: 'Ruby Handbook', units: 2, ...AMOUNTS }],
          recurring: { start: 0, ...MOVEMENT, end: 0, points: [] },
        },
      ],
    ),
  },
})
