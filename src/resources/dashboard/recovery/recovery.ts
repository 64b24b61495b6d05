import { z } from 'zod'
import { structure, text, timestamp } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'
import { RECOVERIES } from '../../sales/order/order.ts'

export const WINDOWS = [30, 90] as const

const AtRisk = z.object({
  currency: z.string(),
  amount: z.int(),
  subscriptions: z.int(),
  invoices: z.int(),
})
const Looked = z.object({
  days: z.int(),
  from: z.string(),
  recovered: z.array(
    z.object({ currency: z.string(), recovered_by: z.enum(RECOVERIES), amount: z.int(), orders: z.int() }),
  ),
  lost: z.array(z.object({ currency: z.string(), amount: z.int(), subscriptions: z.int() })),
  periods_recovered: z.int(),
  periods_lost: z.int(),
})

export type RecoveryAtRisk = z.infer<typeof AtRisk>
export type RecoveryWindow = z.infer<typeof Looked>

/** The field descriptions define every number exactly, so that tests and clients can compute the same from orders and subscriptions. */
export const Recovery = answerNoun('recovery', {
  group: 'Orders',
  area: 'sales',
  description: 'Money that could not be charged: what is at risk now, what was paid later and what was lost.',
  fields: {
    at: timestamp('The moment, by the account’s clock, that the figures are of'),
    timezone: text('The account’s time zone', { example: 'Europe/Berlin' }),
    at_risk: structure(
      'array',
      z.array(AtRisk),
      'By currency: amount_due of subscriptions that are past_due or unpaid and amount of invoices that are past_due, with the number of each',
      [{ currency: 'usd', amount: 4900, subscriptions: 1, invoices: 1 }],
    ),
    windows: structure(
      'array',
      z.array(Looked),
      'The last 30 and 90 days. recovered: amount less amount_refunded of orders with recovered_by that were paid since then; lost: amount_due of subscriptions that ended since then with a period unpaid; periods: the same of subscriptions, by number',
      [
        {
          days: 30,
          from: '2025-12-16T10:30:00Z',
          recovered: [{ currency: 'usd', recovered_by: 'retry' as const, amount: 2900, orders: 1 }],
          lost: [],
          periods_recovered: 1,
          periods_lost: 0,
        },
      ],
    ),
  },
})
