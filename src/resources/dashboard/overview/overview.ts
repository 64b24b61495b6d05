import { z } from 'zod'
import { integer, oneOf, structure, text, timestamp } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'

export const RANGES = ['7d', '30d', '12m'] as const
export type Range = (typeof RANGES)[number]

export const ATTENTION = [
  'failing_endpoints',
  'failed_deliveries',
  'past_due_invoices',
  'past_due_subscriptions',
  'disputed_orders',
  'disputes_to_answer',
  'waiting_plans',
  'task_runs_that_need_input',
  'failed_task_runs',
  'failed_emails',
] as const

/** The number at which counting stops; it means this number or more. */
export const MOST_COUNTED = 100

const Sums = z.object({ revenue: z.int(), orders: z.int() })
const Series = z.object({ before: z.int(), points: z.array(z.int()) })
const NO_SALES = { revenue: 0, orders: 0 }

export const Overview = answerNoun('overview', {
  group: 'Overview',
  area: 'account',
  description: 'How the shop is doing: sales and subscriptions over time, and what needs attention.',
  fields: {
    range: oneOf(RANGES, 'The last 7 or 30 days, or 12 months, including the current one'),
    interval: oneOf(['day', 'month'], 'What each point is of'),
    timezone: text('Time zone of days and months: the account’s', { example: 'Europe/Berlin' }),
    starts: structure('array', z.array(z.string()), 'When each point begins', ['2026-01-15T00:00:00Z']),
    until: timestamp('The end of the last point so far'),
    before_from: timestamp('Start of the previous period, used for comparison'),
    before_until: timestamp('End of the previous period, at the same hour'),
    simulated_orders: integer(
      'Orders of a live account that moved no money, paid with test cards or in a provider’s test mode',
      {
        min: 0,
        example: 0,
      },
    ),
    sales: structure(
      'array',
      z.array(z.object({ currency: z.string(), now: Sums, before: Sums, points: z.array(Sums) })),
      'For each currency, what was paid less what was refunded of it and the tax of what was kept, and the number of orders, by the moment of payment',
      [{ currency: 'usd', now: NO_SALES, before: NO_SALES, points: [NO_SALES] }],
    ),
    subscribers: structure('object', Series, 'Subscriptions active before, and at the end of each point', {
      before: 0,
      points: [1],
    }),
    recurring: structure(
      'array',
      z.array(Series.extend({ currency: z.string() })),
      'For each currency, monthly revenue of charged subscriptions, before discounts',
      [{ currency: 'usd', before: 0, points: [2900] }],
    ),
    attention: structure(
      'array',
      z.array(z.object({ kind: z.string(), count: z.int() })),
      `Items that need attention; ${MOST_COUNTED} means that many or more. Deliveries, failed runs and failed e-mails are from the last 7 days; endpoints are those whose latest delivery failed`,
      [{ kind: 'past_due_invoices', count: 1 }],
    ),
  },
})
