import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Visitor } from '../pages/visitor.ts'
import { priceForSale } from '../support/sell.ts'
import { type Body, onGateEngine } from '../support/shop.ts'
import { StripeServer } from '../support/stripe-server.ts'

const AMOUNT = 2900

const stripe = new StripeServer()
await stripe.open()
afterAll(() => stripe.close())

onGateEngine((shop) => {
  describe('What happens at Stripe itself', () => {
    let price: Body
    beforeAll(async () => {
      price = await priceForSale(shop, { amount: AMOUNT })
    })

    /** Posts what Stripe has to tell; all of it, or none, arrives twice and in the order of `arranged`. */
    async function told(arranged = (events: Body[]) => events): Promise<number[]> {
      const events = arranged(stripe.bank.events.splice(0))
      const statuses: number[] = []
      for (const event of [...events, ...events]) {
        const { body, headers } = stripe.signed(event)
        statuses.push(
          (await fetch(`${shop.running.url}/payments/stripe/notices`, { method: 'POST', body, headers })).status,
        )
      }
      await shop.settled()
      return statuses
    }

    async function paidAtStripe(checkout: Body) {
      const buyer = new Visitor(shop.running.url)
      await buyer.press(await buyer.open(checkout.url), 'pay')
      const session = [...stripe.bank.sessions.values()].at(-1)!
      stripe.bank.enterCard(session.id, 'pays')
      return session
    }

    /** An order that a buyer paid on Stripe's page, and Stripe's id of its payment. */
    async function sold(email: string): Promise<{ order: string; intent: string }> {
      const cart = { line_items: [{ price_variant: price.id }], email }
      const checkout = await shop.post('/checkouts', cart)
      const session = await paidAtStripe(checkout)
      await told()
      const { order } = await shop.get(`/checkouts/${checkout.id}`)
      return { order, intent: stripe.bank.session(session.id).payment_intent! }
    }
    const orderOf = (id: string) => shop.get(`/orders/${id}?expand=line_items,charge,customer`)
    const refundsOf = async (id: string) => (await shop.get(`/refunds?order=${id}`)).data
    /** Order, line, charge and customer agree on what went back. */
    async function expectBooks(id: string, status: string, refunded: number): Promise<void> {
      const order = await orderOf(id)
      expect(order).toMatchObject({
        ...{ status, amount_refunded: refunded, line_items: [{ amount_refunded: refunded }] },
        ...{ charge: { amount_refunded: refunded }, customer: { total_spend: AMOUNT - refunded } },
      })
    }

    it('books a refund that was made there, once, and takes it back where the bank does', async () => {
      const { order, intent } = await sold('made@example.com')
      const made = stripe.bank.createRefund({ payment_intent: intent, amount: '900', reason: 'duplicate' })
      await told()
      await expectBooks(order, 'partially_refunded', 900)
      expect(await refundsOf(order)).toMatchObject([
        { amount: 900, status: 'succeeded', provider: 'card', reason: 'duplicate', notes: 'Made at Stripe.' },
      ])
      expect(await shop.refusal('POST', '/refunds', { order, amount: AMOUNT - 899 })).toHaveProperty('amount')
      stripe.bank.settleRefund(made.id, 'failed')
      await told()
      await expectBooks(order, 'succeeded', 0)
      const message = 'The bank refused the refund (declined).'
      expect(await refundsOf(order)).toMatchObject([{ status: 'failed', failure_message: message }])
    })

    it('gives back a refund of ours that the bank sent back, and lets it be made again', async () => {
      const { order } = await sold('sent-back@example.com')
      const refund = await shop.post('/refunds', { order })
      await shop.settled()
      await told()
      await expectBooks(order, 'refunded', AMOUNT)
      stripe.bank.settleRefund([...stripe.bank.refunds.keys()].at(-1)!, 'failed')
      await told()
      await expectBooks(order, 'succeeded', 0)
      expect(await shop.get(`/refunds/${refund.id}`)).toMatchObject({ status: 'failed' })
      await shop.post('/refunds', { order })
      await shop.settled()
      await told()
      await expectBooks(order, 'refunded', AMOUNT)
    })

    it('asks Stripe for the total with tax, and returns the whole tax with refunds, once', async () => {
      await shop.patch('/account', { tax_rates: [{ country: 'FR', percent: 20, name: 'TVA' }] })
      const cart = { line_items: [{ price_variant: price.id }], email: 'taxed@example.com', country: 'FR' }
      const checkout = await shop.post('/checkouts', cart)
      const session = await paidAtStripe(checkout)
      expect(session.amount_total).toBe(3480)
      await told()
      const { order: id } = await shop.get(`/checkouts/${checkout.id}`)
      const taxes = async () => {
        const { amount, amount_tax, amount_refunded, amount_tax_refunded } = await orderOf(id)
        return [amount, amount_tax, amount_refunded, amount_tax_refunded]
      }
      expect(await taxes()).toEqual([3480, 580, 0, 0])
      await shop.post('/refunds', { order: id, amount: 1001 })
      await shop.settled()
      expect([...stripe.bank.refunds.values()].at(-1)).toMatchObject({ amount: 1001 })
      await told()
      expect(await taxes()).toEqual([3480, 580, 1001, 167])
      const intent = stripe.bank.session(session.id).payment_intent!
      const made = stripe.bank.createRefund({ payment_intent: intent, amount: '2479' })
      await told()
      expect(await taxes()).toEqual([3480, 580, 3480, 580])
      stripe.bank.settleRefund(made.id, 'failed')
      await told()
      expect(await taxes()).toEqual([3480, 580, 1001, 167])
      await shop.post('/refunds', { order: id })
      await shop.settled()
      await told()
      expect(await taxes()).toEqual([3480, 580, 3480, 580])
      const kept = (await refundsOf(id)).filter(({ status }: Body) => status === 'succeeded')
      expect(kept.map(({ amount, amount_tax }: Body) => [amount, amount_tax]).sort()).toEqual([
        [1001, 167],
        [2479, 413],
      ])
      await shop.patch('/account', { tax_rates: [] })
    })

    it('books a dispute over a part, whatever comes first, and the money again when the bank decides otherwise', async () => {
      const { order, intent } = await sold('disputes@example.com')
      stripe.bank.dispute(intent, 'needs_response', 1000)
      await told()
      await expectBooks(order, 'disputed', 0)
      stripe.bank.dispute(intent, 'lost')
      await told()
      await expectBooks(order, 'partially_refunded', 1000)
      expect(await refundsOf(order)).toMatchObject([{ amount: 1000, status: 'succeeded', reason: 'dispute_lost' }])
      stripe.bank.dispute(intent, 'won')
      await told()
      await expectBooks(order, 'succeeded', 0)
    })

    it('books a lost dispute whose opening is told last', async () => {
      const { order, intent } = await sold('late@example.com')
      stripe.bank.dispute(intent, 'needs_response')
      stripe.bank.dispute(intent, 'lost')
      await told((events) => events.toReversed())
      await expectBooks(order, 'refunded', AMOUNT)
      expect(await refundsOf(order)).toHaveLength(1)
    })

    it('sends back the news of a refund whose payment is not booked yet', async () => {
      const cart = { line_items: [{ price_variant: price.id }], email: 'early@example.com' }
      const checkout = await shop.post('/checkouts', cart)
      const session = await paidAtStripe(checkout)
      const intent = stripe.bank.session(session.id).payment_intent!
      stripe.bank.createRefund({ payment_intent: intent, amount: '500' })
      const before = stripe.bank.events.splice(0)
      stripe.bank.events.push(...before.filter(({ type }) => type === 'refund.created'))
      expect(await told()).toEqual([503, 503])
      stripe.bank.events.push(...before)
      await told()
      const { order } = await shop.get(`/checkouts/${checkout.id}`)
      await expectBooks(order, 'partially_refunded', 500)
    })
  })
}, stripe.settings)
