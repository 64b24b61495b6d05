import { beforeAll, describe, expect, it } from 'vitest'
import type { ProviderCaller } from '../../src/contract/declarations/caller.ts'
import type { RefundOutcome } from '../../src/providers/payments/provider.ts'
import { applyNotice, NOTICE_EVENTS } from '../../src/resources/sales/payment/notice.ts'
import { type Rehearsal, rehearse } from '../support/rehearsal.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { type Body, onGateEngine } from '../support/shop.ts'

const AMOUNT = 1000
const PART = 400

const OUTCOMES: Record<string, RefundOutcome> = {
  pending: { state: 'pending', reference: 're_at_provider' },
  succeeded: { state: 'succeeded', reference: 're_at_provider' },
  failed: { state: 'failed', reference: 're_at_provider', message: 'The bank refused the refund.' },
}

/** What a provider reports of a refund in each state: its status after that, what the order has given back, and the events. */
const TABLE: [outcome: string, state: string, after: string, refunded: number, events: string[]][] = [
  ['pending', 'pending', 'pending', 0, []],
  ['succeeded', 'pending', 'succeeded', PART, ['order.partially_refunded']],
  ['failed', 'pending', 'failed', 0, ['refund.failed']],
  ['pending', 'succeeded', 'succeeded', PART, []],
  ['succeeded', 'succeeded', 'succeeded', PART, []],
  // The bank sent the money back days later.
  ['failed', 'succeeded', 'failed', 0, ['refund.failed']],
  ['pending', 'failed', 'failed', 0, []],
  ['succeeded', 'failed', 'failed', 0, []],
  ['failed', 'failed', 'failed', 0, []],
]

onGateEngine((shop) => {
  let life: Rehearsal
  let price: Body
  beforeAll(async () => {
    life = await rehearse(shop)
    price = await priceForSale(life.shop, { amount: AMOUNT })
  })

  /** A refund that its provider has not settled yet, as a provider that needs time leaves it. */
  async function pendingRefund(): Promise<{ id: string; order: string }> {
    const order = await sell(life.shop, [{ price_variant: price.id }])
    const own = { order: order.id, charge: order.charge.id, amount: PART, currency: 'usd', provider: 'test' }
    const blank = { reason: null, notes: null, reference: null, failure_message: null, metadata: '{}' }
    const payment = life.shop.db.selectFrom('payments').select('id').where('order_id', '=', order.id)
    const { id: paidBy } = await payment.executeTakeFirstOrThrow()
    const id = await life.shop.insert('refunds', 're', {
      ...{ ...own, ...blank, payment: paidBy, status: 'pending', updated_at: undefined },
    })
    await life.shop.set('orders', order.id, { amount_refunding: PART })
    return { id, order: order.id }
  }

  async function report(key: string, outcome: RefundOutcome): Promise<void> {
    const { pipeline, database } = life.shop.running.app
    const { accountId } = life.shop
    const caller: ProviderCaller = { kind: 'provider', accountId, provider: 'test' }
    const notice = { kind: 'refund', accountId, key, outcome } as const
    await pipeline.contexts.part(database, caller, NOTICE_EVENTS, (context) => applyNotice(context, notice, 'test'), {
      inTurn: true,
    })
  }

  describe('What a provider reports of a refund', () => {
    it.each(TABLE)('is %s, and the refund was %s: it is %s', async (outcome, state, expected, refunded, events) => {
      const { id, order } = await pendingRefund()
      if (state !== 'pending') await report(id, OUTCOMES[state]!)
      const told = await life.events(() => report(id, OUTCOMES[outcome]!))
      expect(told).toEqual(events)
      expect(await life.shop.get(`/refunds/${id}`)).toMatchObject({ status: expected })
      expect(await life.shop.get(`/orders/${order}`)).toMatchObject({
        ...{ amount_refunded: refunded, status: refunded > 0 ? 'partially_refunded' : 'succeeded' },
      })
      const left = expected === 'pending' ? AMOUNT - PART : AMOUNT - refunded
      expect(await life.shop.refusal('POST', '/refunds', { order, amount: left + 1 })).toHaveProperty('amount')
      expect(await life.shop.post('/refunds', { order, amount: left })).toMatchObject({ status: 'succeeded' })
    })

    it('is the only thing that changes one', async () => {
      const { id } = await pendingRefund()
      for (const method of ['PATCH', 'DELETE'])
        expect(await life.shop.refusal(method, `/refunds/${id}`, {})).toEqual([405, 'method_not_allowed'])
    })
  })
})
