import { describe, expect, it } from 'vitest'
import { laterBy } from '../../src/contract/values/values.ts'
import { type Rehearsal, rehearse } from '../support/rehearsal.ts'
import { ASKS_BUYER } from '../support/second-step.ts'
import { pay, priceForSale } from '../support/sell.ts'
import { onGateEngine } from '../support/shop.ts'

const MINUTE_MS = 60 * 1000
const DUE_MS = 10 * MINUTE_MS

interface Bill {
  id: string
  due: string
  /** An open checkout of it. */
  checkout: string
}

/** Brings a new invoice into a state. */
const STATES: Record<string, (life: Rehearsal, bill: Bill) => Promise<unknown>> = {
  open: async () => {},
  past_due: (life, { due }) => life.past(due),
  'open, being paid': ({ shop }, { checkout }) => pay(shop, checkout, { card: ASKS_BUYER }),
  paid: ({ shop }, { checkout }) => pay(shop, checkout),
  void: ({ shop }, { id }) => shop.post(`/invoices/${id}/void`),
}

const ACTIONS: Record<string, (life: Rehearsal, bill: Bill) => Promise<unknown>> = {
  'void it': ({ shop }, { id }) => shop.post(`/invoices/${id}/void`),
  'open a checkout': ({ shop }, { id }) => shop.post('/checkouts', { invoice: id }),
  'pay by its checkout': ({ shop }, { checkout }) => pay(shop, checkout),
  'let its date pass': (life, { due }) => life.past(laterBy(due, DUE_MS)),
}

/** Contract 4.7 once more, by hand: the status after each action, and the events about the invoice; `no` is a refusal. */
const TABLE: [action: string, state: string, after: string, events: string[]][] = [
  ['void it', 'open', 'void', ['invoice.voided']],
  ['void it', 'past_due', 'void', ['invoice.voided']],
  ['void it', 'open, being paid', 'void', ['invoice.voided']],
  ['void it', 'paid', 'void', ['invoice.voided']],
  ['void it', 'void', 'void', []],
  ['open a checkout', 'open', 'open', []],
  ['open a checkout', 'past_due', 'past_due', []],
  ['open a checkout', 'open, being paid', 'open', []],
  ['open a checkout', 'paid', 'no', []],
  ['open a checkout', 'void', 'no', []],
  ['pay by its checkout', 'open', 'paid', ['invoice.paid']],
  ['pay by its checkout', 'past_due', 'paid', ['invoice.paid']],
  ['pay by its checkout', 'open, being paid', 'no', []],
  ['pay by its checkout', 'paid', 'no', []],
  ['pay by its checkout', 'void', 'no', []],
  ['let its date pass', 'open', 'past_due', ['invoice.past_due']],
  ['let its date pass', 'past_due', 'past_due', []],
  ['let its date pass', 'open, being paid', 'past_due', ['invoice.past_due']],
  ['let its date pass', 'paid', 'paid', []],
  ['let its date pass', 'void', 'void', []],
]

describe('Every action on an invoice', () => {
  it('is in the table with every state', () => {
    const cells = Object.keys(ACTIONS).flatMap((action) => Object.keys(STATES).map((state) => [action, state]))
    expect(TABLE.map(([action, state]) => [action, state])).toEqual(cells)
  })

  onGateEngine((shop) => {
    async function billed(life: Rehearsal): Promise<Bill> {
      const price = await priceForSale(life.shop, { amount: 1000 })
      const due = laterBy(price.created_at, DUE_MS)
      const bill = { price_variant: price.id, due_at: due, email_address: 'ada@example.com' }
      const { id } = await life.shop.post('/invoices', bill)
      return { id, due, checkout: (await life.shop.post('/checkouts', { invoice: id })).id }
    }

    it.each(TABLE)('%s, when it is %s: %s', async (action, state, expected, events) => {
      const life = await rehearse(shop)
      const bill = await billed(life)
      const invoice = () => life.shop.get(`/invoices/${bill.id}`)
      await STATES[state]!(life, bill)
      const before = await invoice()
      expect(before.status).toBe(state.replace(/,.*/, ''))
      const told = await life.events(async () => {
        const act = ACTIONS[action]!(life, bill)
        if (expected === 'no') await expect(act).rejects.toThrow(/paid|void|abandoned|complete/)
        else await act
      })
      const after = await invoice()
      expect(told.filter((type) => type.startsWith('invoice.'))).toEqual(events)
      expect(after.status).toBe(expected === 'no' ? before.status : expected)
      if (after.status === before.status) expect(after).toEqual(before)
      // What a payment left is never undone.
      if (state === 'paid') expect(after).toMatchObject({ order: before.order, paid_at: before.paid_at })
    })
  })
})
