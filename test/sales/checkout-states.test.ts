import { beforeAll, describe, expect, it } from 'vitest'
import { ApiError } from '../../src/contract/declarations/errors.ts'
import { laterBy } from '../../src/contract/values/values.ts'
import { type Rehearsal, rehearse } from '../support/rehearsal.ts'
import { ASKS_BUYER, answerAtBank } from '../support/second-step.ts'
import { DECLINED, pay, priceForSale } from '../support/sell.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** The present of a rehearsal's clock. */
const nowOf = async ({ shop }: Rehearsal): Promise<string> => (await shop.tag()).created_at

const nextDay = async (life: Rehearsal) => life.past(laterBy(await nowOf(life), DAY_MS))

/** A new invoice with an open checkout, in a state; gives the checkout as it is. */
const STATES: Record<string, (life: Rehearsal, open: Body) => Promise<unknown>> = {
  open: async () => {},
  'open, being paid': ({ shop }, { id }) => pay(shop, id, { card: ASKS_BUYER }),
  complete: ({ shop }, { id }) => pay(shop, id),
  expired: (life) => nextDay(life),
  abandoned: ({ shop }, { invoice }) => shop.post('/checkouts', { invoice }),
}

const ACTIONS: Record<string, (life: Rehearsal, checkout: Body) => Promise<unknown>> = {
  update: ({ shop }, { id }) => shop.patch(`/checkouts/${id}`, { success_url: 'https://shop.example/thanks' }),
  pay: ({ shop }, { id }) => pay(shop, id),
  'pay with a declined card': ({ shop }, { id }) => pay(shop, id, { card: DECLINED }),
  'approve at the bank': ({ shop }, { id }) => answerAtBank(shop, id, true),
  'refuse at the bank': ({ shop }, { id }) => answerAtBank(shop, id, false),
  'wait for a day': (life) => nextDay(life),
  'open another of its invoice': ({ shop }, { invoice }) => shop.post('/checkouts', { invoice }),
  'void its invoice': ({ shop }, { invoice }) => shop.post(`/invoices/${invoice}/void`),
}

/** Contract 4.2 once more, by hand: what each action makes of a checkout in each state; `no` is a refusal. */
const TABLE: Record<string, Record<keyof typeof STATES, string>> = {
  update: { open: 'open', 'open, being paid': 'no', complete: 'no', expired: 'no', abandoned: 'no' },
  pay: { open: 'complete', 'open, being paid': 'no', complete: 'no', expired: 'no', abandoned: 'no' },
  'pay with a declined card': {
    open: 'open',
    'open, being paid': 'no',
    complete: 'no',
    expired: 'no',
    abandoned: 'no',
  },
  'approve at the bank': { open: 'no', 'open, being paid': 'complete', complete: 'no', expired: 'no', abandoned: 'no' },
  'refuse at the bank': { open: 'no', 'open, being paid': 'open', complete: 'no', expired: 'no', abandoned: 'no' },
  'wait for a day': {
    ...{ open: 'expired', 'open, being paid': 'expired', complete: 'complete' },
    ...{ expired: 'expired', abandoned: 'abandoned' },
  },
  'open another of its invoice': {
    ...{ open: 'abandoned', 'open, being paid': 'open', complete: 'no', expired: 'expired', abandoned: 'abandoned' },
  },
  'void its invoice': {
    ...{ open: 'abandoned', 'open, being paid': 'abandoned', complete: 'complete' },
    ...{ expired: 'expired', abandoned: 'abandoned' },
  },
}

/** A request is refused by an answer, and a buyer by an error. */
async function wasRefused(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act()
    return false
  } catch (error) {
    if (error instanceof ApiError || /answered 4\d\d/.test(String(error))) return true
    throw error
  }
}

describe('Every action on a checkout', () => {
  it('is in the table with every state', () => {
    expect(Object.keys(TABLE)).toEqual(Object.keys(ACTIONS))
    for (const row of Object.values(TABLE)) expect(Object.keys(row)).toEqual(Object.keys(STATES))
  })

  onGateEngine((shop) => {
    let life: Rehearsal
    let price: Body
    beforeAll(async () => {
      life = await rehearse(shop)
      price = await priceForSale(life.shop, { amount: 1000 })
    })

    const opened = async (own: Shop): Promise<Body> => {
      const due_at = laterBy(await nowOf(life), 100 * DAY_MS)
      const bill = { price_variant: price.id, due_at, email_address: 'ada@example.com' }
      return own.post('/checkouts', { invoice: (await own.post('/invoices', bill)).id })
    }

    const cells = Object.entries(TABLE).flatMap(([action, row]) =>
      Object.entries(row).map(([state, expected]) => [action, state, expected] as const),
    )
    it.each(cells)('%s, when it is %s: %s', async (action, state, expected) => {
      const { id } = await opened(life.shop)
      await STATES[state]!(life, await life.shop.get(`/checkouts/${id}`))
      const before = await life.shop.get(`/checkouts/${id}`)
      expect(before.status).toBe(state.replace(/,.*/, ''))
      const refused = await wasRefused(() => ACTIONS[action]!(life, before))
      const after = await life.shop.get(`/checkouts/${id}`)
      if (expected === 'no') expect([refused, after]).toEqual([true, before])
      else expect([refused, after.status]).toEqual([false, expected])
    })
  })
})
