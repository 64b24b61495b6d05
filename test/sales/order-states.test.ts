import { beforeAll, describe, expect, it } from 'vitest'
import type { ProviderCaller } from '../../src/contract/declarations/caller.ts'
import { applyNotice, NOTICE_EVENTS } from '../../src/resources/sales/payment/notice.ts'
import { type Rehearsal, rehearse } from '../support/rehearsal.ts'
import { ASKS_BUYER, answerAtBank } from '../support/second-step.ts'
import { DECLINED, pay, priceForSale } from '../support/sell.ts'
import { onGateEngine, type Shop } from '../support/shop.ts'

const AMOUNT = 1000

interface Sale {
  shop: Shop
  order: string
  checkout: string
}

/** Brings a new order into a state: what is bought, how it is paid, and what happens then. */
const STATES: Record<string, { amount?: number; card?: string; next?: (sale: Sale) => Promise<unknown> }> = {
  pending: { card: ASKS_BUYER },
  succeeded: {},
  'succeeded, free': { amount: 0 },
  failed: { card: DECLINED },
  partially_refunded: { next: (sale) => refund(sale, 300) },
  refunded: { next: (sale) => refund(sale) },
  disputed: { next: (sale) => report(sale, 'opened') },
}

const ACTIONS: Record<string, (sale: Sale) => Promise<unknown>> = {
  'refund all': (sale) => refund(sale),
  'refund 100': (sale) => refund(sale, 100),
  'refund too much': (sale) => refund(sale, AMOUNT + 1),
  'approve its payment': ({ shop, checkout }) => answerAtBank(shop, checkout, true),
  'refuse its payment': ({ shop, checkout }) => answerAtBank(shop, checkout, false),
  'open a dispute': (sale) => report(sale, 'opened'),
  'win the dispute': (sale) => report(sale, 'won'),
  'lose the dispute': (sale) => report(sale, 'lost'),
}

async function refund({ shop, order }: Sale, amount?: number): Promise<void> {
  await shop.post('/refunds', { order, ...(amount !== undefined && { amount }) })
}

/** What the bank reports of a payment. */
async function report({ shop, order }: Sale, state: 'opened' | 'won' | 'lost'): Promise<void> {
  const { pipeline, database } = shop.running.app
  const { accountId } = shop
  const { id: key } = await shop.db
    .selectFrom('payments')
    .select('id')
    .where('order_id', '=', order)
    .executeTakeFirstOrThrow()
  const caller: ProviderCaller = { kind: 'provider', accountId, provider: 'test' }
  const told = { state, reference: `du_${key}`, amount: null, inquiry: false, reason: 'general', dueAt: null } as const
  const notice = { kind: 'dispute', accountId, key, ...told } as const
  await pipeline.contexts.part(database, caller, NOTICE_EVENTS, (context) => applyNotice(context, notice, 'test'), {
    inTurn: true,
  })
}

/** No such action. */
const NONE = ''

/**
 * Contract 4.4 and 4.5 once more, by hand: the status that each action leaves, in the order of the actions. `no` is a refusal
 * that changes nothing; `-` is what changes nothing either.
 */
const TABLE: Record<keyof typeof STATES, string[]> = {
  pending: ['no', 'no', 'no', 'succeeded', 'failed', '-', '-', '-'],
  // A dispute that is lost without having been opened was opened: that news comes late.
  succeeded: ['refunded', 'partially_refunded', 'no', 'no', 'no', 'disputed', '-', 'refunded'],
  // There is no payment that a buyer could dispute.
  'succeeded, free': ['no', 'no', 'no', 'no', 'no', NONE, NONE, NONE],
  failed: ['no', 'no', 'no', 'no', 'no', '-', '-', '-'],
  partially_refunded: ['refunded', 'partially_refunded', 'no', 'no', 'no', 'disputed', '-', 'refunded'],
  refunded: ['no', 'no', 'no', 'no', 'no', '-', '-', '-'],
  disputed: ['no', 'no', 'no', 'no', 'no', '-', 'succeeded', 'refunded'],
}

/** The event of each result, beside that of a refund. Winning a dispute has none. */
const EVENTS: Record<string, string | undefined> = {
  ...{ refunded: 'order.refunded', partially_refunded: 'order.partially_refunded', disputed: 'order.disputed' },
  failed: 'order.failed',
}

describe('Every action on an order', () => {
  it('is in the table with every state', () => {
    expect(Object.keys(TABLE)).toEqual(Object.keys(STATES))
    for (const row of Object.values(TABLE)) expect(row).toHaveLength(Object.keys(ACTIONS).length)
  })

  onGateEngine((shop) => {
    let life: Rehearsal
    beforeAll(async () => {
      life = await rehearse(shop)
    })

    async function sold(state: string): Promise<Sale> {
      const { amount = AMOUNT, card, next } = STATES[state]!
      const price = await priceForSale(life.shop, amount === 0 ? { amount_type: 'free', amount } : { amount })
      const cart = { line_items: [{ price_variant: price.id }], email: 'ada@example.com' }
      const { id: checkout, status } = await life.shop.post('/checkouts', cart)
      if (status === 'open') await pay(life.shop, checkout, card === undefined ? {} : { card })
      const [order] = await life.shop.listed(`/orders?product=${price.product}`)
      const sale = { shop: life.shop, order: order as string, checkout }
      await next?.(sale)
      return sale
    }

    const cells = Object.entries(TABLE)
      .flatMap(([state, row]) => Object.keys(ACTIONS).map((action, index) => [action, state, row[index]!] as const))
      .filter(([, , expected]) => expected !== NONE)
    it.each(cells)('%s, when it is %s: %s', async (action, state, expected) => {
      const sale = await sold(state)
      const order = () => life.shop.get(`/orders/${sale.order}?expand=line_items,charge`)
      const before = await order()
      expect(before.status).toBe(state.replace(/,.*/, ''))
      const told = await life.events(async () => {
        const act = ACTIONS[action]!(sale)
        if (expected === 'no') await expect(act).rejects.toThrow(/400|422|There is nothing to confirm/)
        else await act
      })
      const after = await order()
      const same = expected === 'no' || expected === '-'
      if (same) expect([after, told]).toEqual([before, []])
      else {
        expect(after.status).toBe(expected)
        expect(new Set(after.line_items.map((item: { order_status: string }) => item.order_status))).toEqual(
          new Set([expected]),
        )
        if (EVENTS[expected]) expect(told).toContain(EVENTS[expected])
      }
    })
  })
})
