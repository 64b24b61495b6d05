import { describe, expect, it } from 'vitest'
import { daysAfter, type Rehearsal, rehearse } from '../support/rehearsal.ts'
import { type Body, onGateEngine } from '../support/shop.ts'

const FAILS_AT_RENEWAL = '4000000000000341'
const TRIAL = { trial_period_days: 14 }

/** Brings a new subscription into a state; gives its id. */
const STATES: Record<string, (life: Rehearsal) => Promise<string>> = {
  active: (life) => begun(life),
  trialing: (life) => begun(life, TRIAL),
  'active, to be canceled': (life) => after(life, begun(life), 'cancel'),
  'trialing, to be canceled': (life) => after(life, begun(life, TRIAL), 'cancel'),
  'active after the last instalment': async (life) => {
    const id = await begun(life, { installment_count: 2 })
    await life.pastPeriod(id)
    return id
  },
  paused: (life) => after(life, begun(life), 'pause'),
  'paused in its trial': (life) => after(life, begun(life, TRIAL), 'pause'),
  'paused beyond its period': async (life) => {
    const id = await after(life, begun(life), 'pause')
    await life.pastPeriod(id)
    return id
  },
  'paused beyond its trial': async (life) => {
    const id = await after(life, begun(life, TRIAL), 'pause')
    await life.pastPeriod(id)
    return id
  },
  past_due: async (life) => {
    const { id } = await life.subscribe({}, { card: FAILS_AT_RENEWAL })
    await life.pastPeriod(id)
    return id
  },
  unpaid: async (life) => {
    const { id, current_period_end } = await life.subscribe({}, { card: FAILS_AT_RENEWAL })
    await life.past(daysAfter(current_period_end, 14))
    return id
  },
  canceled: (life) => after(life, begun(life), 'cancel', { immediately: true }),
}

const begun = async (life: Rehearsal, price = {}) => (await life.subscribe(price)).id as string

async function after(life: Rehearsal, made: Promise<string>, action: string, body = {}): Promise<string> {
  const id = await made
  await life.act(id, action, body)
  return id
}

/** The state after each action in each state, written by hand; `no` is a 400. */
const TABLE: [state: string, cancel: string, cancelNow: string, pause: string, resume: string][] = [
  ['active', 'ending', 'canceled', 'paused', 'no'],
  ['trialing', 'ending', 'canceled', 'paused', 'no'],
  ['active, to be canceled', 'no', 'canceled', 'no', 'active'],
  ['trialing, to be canceled', 'no', 'canceled', 'no', 'trialing'],
  ['active after the last instalment', 'no', 'canceled', 'no', 'no'],
  ['paused', 'canceled', 'canceled', 'no', 'active'],
  ['paused in its trial', 'canceled', 'canceled', 'no', 'trialing'],
  ['paused beyond its period', 'canceled', 'canceled', 'no', 'active'],
  ['paused beyond its trial', 'canceled', 'canceled', 'no', 'active'],
  ['past_due', 'canceled', 'canceled', 'no', 'no'],
  ['unpaid', 'canceled', 'canceled', 'no', 'no'],
  ['canceled', 'no', 'no', 'no', 'no'],
]
const ACTIONS = [
  ['cancel', {}],
  ['cancel', { immediately: true }],
  ['pause', {}],
  ['resume', {}],
] as const

/** The event of each result. */
const EVENTS: Record<string, string> = {
  ending: 'subscription.updated',
  canceled: 'subscription.canceled',
  paused: 'subscription.paused',
  active: 'subscription.resumed',
  trialing: 'subscription.resumed',
}

/** The status, with a word of its own for a scheduled cancellation. */
const resultOf = ({ status, ends_at }: Body) => (status !== 'canceled' && ends_at !== null ? 'ending' : status)

describe('Every action on a subscription', () => {
  it('is in the table with every state', () => {
    expect(TABLE.map(([state]) => state)).toEqual(Object.keys(STATES))
  })

  onGateEngine((shop) => {
    it.each(TABLE)('does what the table says of one that is %s', { timeout: 60_000 }, async (state, ...results) => {
      const life = await rehearse(shop)
      for (const [index, expected] of results.entries()) {
        const [action, body] = ACTIONS[index]!
        const id = await STATES[state]!(life)
        const before = await life.subscription(id)
        const events: string[] = await life.events(async () => {
          const answer = await life.shop.api('POST', `/subscriptions/${id}/${action}`, body)
          if (expected === 'no') {
            expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_state'])
            expect(await life.subscription(id)).toEqual(before)
          } else expect([action, resultOf(answer.body)]).toEqual([action, expected])
        })
        if (expected === 'no') expect(events).toEqual([])
        else expect(events).toContain(EVENTS[expected])
        const allowed = expected !== 'no' || (action === 'cancel' && results[1] !== 'no')
        expect([action, before.allowed_actions.includes(action)]).toEqual([action, allowed])
      }
    })
  })
})
