import { describe, expect, it } from 'vitest'
import { nextWords } from '../../src/pages/access/purchases.ts'
import { stateOf } from '../../src/pages/dashboard/shop/subscriptions.ts'
import { type Action, actionsOf } from '../../src/resources/sales/subscription/actions.ts'

type Row = Parameters<typeof actionsOf>[0]

const NOW = '2035-01-31T10:00:00Z'
const END = '2035-02-14T10:00:00Z'

function subscription(values: Partial<Row>): Row {
  return {
    ...{
      status: 'active',
      canceled: false,
      ends_at: null,
      paused: false,
      resumes_at: null,
      unpaid_since: null,
      held_since: null,
    },
    ...{ current_period_end: END, trial_ends_at: null, cancellation_reason: null, currency: 'usd', paying: null },
    ...values,
  } as Row
}

const ENDING = { canceled: true, ends_at: END }
const OVER = { status: 'canceled', canceled: true, ends_at: '2035-01-30T10:00:00Z' } as const
const UNPAID = { unpaid_since: '2035-01-30T10:00:00Z' }

const TABLE: [Partial<Row>, string, Action[], string][] = [
  [{}, 'active', ['cancel', 'pause'], 'Next payment: $9.00 on 14 February 2035.'],
  [
    ENDING,
    'ending',
    ['cancel', 'resume'],
    'Ends on 14 February 2035 and will not continue. Nothing more will be charged.',
  ],
  [
    { ends_at: END },
    'ending',
    ['cancel'],
    'Ends on 14 February 2035 and will not continue. Nothing more will be charged.',
  ],
  [
    { status: 'trialing' },
    'trialing',
    ['cancel', 'pause'],
    'Free until then. First payment: $9.00 on 14 February 2035.',
  ],
  [
    { status: 'trialing', ...ENDING },
    'trial_ending',
    ['cancel', 'resume'],
    'Your trial ends on 14 February 2035 and will not continue. Nothing will be charged.',
  ],
  [
    { status: 'past_due', ...UNPAID },
    'past_due',
    ['cancel'],
    'The last payment of $9.00 failed. It is tried again on 2 February 2035.',
  ],
  [{ status: 'unpaid', ...UNPAID }, 'unpaid', ['cancel'], 'The last payment of $9.00 failed.'],
  [{ status: 'incomplete' }, 'incomplete', ['cancel'], 'Next payment: $9.00 on 14 February 2035.'],
  [
    { status: 'paused', paused: true },
    'paused',
    ['cancel', 'resume'],
    'Paused: nothing is charged. You have access until 14 February 2035.',
  ],
  [OVER, 'canceled', [], 'Ended on 30 January 2035.'],
  [{ ...OVER, cancellation_reason: 'completed' }, 'completed', [], 'Ended on 30 January 2035.'],
]

describe('The state of a subscription', () => {
  it.each(TABLE)('is named, with what can be done: %j', (values, state, offered, words) => {
    const row = subscription(values)
    const shown = { ...row, allowed_actions: actionsOf(row, NOW) }
    expect(stateOf(shown)).toBe(state)
    expect(shown.allowed_actions).toEqual(offered)
    expect(nextWords(row, 900, { timeZone: 'UTC', now: NOW })).toBe(words)
  })
})
