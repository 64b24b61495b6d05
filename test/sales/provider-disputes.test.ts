import { afterAll, beforeAll, expect, it } from 'vitest'
import { Visitor } from '../pages/visitor.ts'
import { type DashboardUser, ownerOf } from '../support/dashboard.ts'
import { priceForSale } from '../support/sell.ts'
import { type Body, onGateEngine } from '../support/shop.ts'
import { become, disputeAgain } from '../support/stripe-disputes.ts'
import { StripeServer } from '../support/stripe-server.ts'

const AMOUNT = 2900

const stripe = new StripeServer()
await stripe.open()
afterAll(() => stripe.close())

onGateEngine((shop) => {
  let price: Body
  let owner: DashboardUser
  let buyers = 0
  beforeAll(async () => {
    price = await priceForSale(shop, { amount: AMOUNT })
    owner = await ownerOf(shop)
  })

  /** Posts what Stripe has to tell, all of it twice. */
  async function told(): Promise<void> {
    const events = stripe.bank.events.splice(0)
    for (const event of [...events, ...events]) {
      const { body, headers } = stripe.signed(event)
      await fetch(`${shop.running.url}/payments/stripe/notices`, { method: 'POST', body, headers })
    }
    await shop.settled()
  }

  async function sold(): Promise<{ order: string; intent: string }> {
    const email = `disputes-${++buyers}@example.com`
    const checkout = await shop.post('/checkouts', { line_items: [{ price_variant: price.id }], email })
    const buyer = new Visitor(shop.running.url)
    await buyer.press(await buyer.open(checkout.url), 'pay')
    const session = [...stripe.bank.sessions.values()].at(-1)!
    stripe.bank.enterCard(session.id, 'pays')
    await told()
    const { order } = await shop.get(`/checkouts/${checkout.id}`)
    return { order, intent: stripe.bank.session(session.id).payment_intent! }
  }

  /** An order that is disputed at Stripe, and its dispute there and here. */
  async function disputed(status: 'needs_response' | 'warning_needs_response' = 'needs_response', amount = AMOUNT) {
    const { order, intent } = await sold()
    const there = stripe.bank.dispute(intent, status, amount)
    await told()
    const [here] = (await owner.get('/disputes', { order: [order] })).data as Body[]
    return { order, intent, there, id: here!.id as string }
  }
  const dispute = (id: string) => owner.get(`/disputes/${id}`)
  const answer = (id: string, text = 'It was delivered.') => owner.post(`/disputes/${id}/answer`, { answer: text })
  const orderOf = async (id: string) => {
    const { status, amount_refunded } = await shop.get(`/orders/${id}`)
    return [status, amount_refunded]
  }

  it('keeps what the bank says, and sends it the answer with what is known', async () => {
    const { order, there, id } = await disputed()
    const due = new Date(there.evidence_details.due_by * 1000).toISOString().replace('.000', '')
    expect(await dispute(id)).toMatchObject({
      ...{ reference: there.id, reason: 'fraudulent', due_at: due, amount: AMOUNT, provider: 'Stripe' },
    })
    const { customer } = await shop.get(`/orders/${order}?expand=customer`)
    await answer(id)
    await shop.settled()
    expect(await dispute(id)).toMatchObject({ status: 'under_review', response_status: 'sent' })
    expect(there.evidence).toMatchObject({
      ...{ uncategorized_text: 'It was delivered.', customer_email_address: customer.email },
      ...{ product_description: expect.stringContaining(order), access_activity_log: expect.any(String) },
    })
    expect(there.evidence_details.submission_count).toBe(1)
    stripe.bank.dispute(there.payment_intent, 'won')
    await told()
    expect(await dispute(id)).toMatchObject({ status: 'won', closed_at: expect.any(String) })
    expect(await orderOf(order)).toEqual(['succeeded', 0])
    const log = await owner.get('/log_entries', { resource_id: [id] })
    expect(log.data.map(({ operation, changes }: Body) => operation ?? Object.keys(changes)[0])).toEqual([
      'dispute.won',
      'dispute.under_review',
      'answer_dispute',
      'dispute.opened',
    ])
  })

  it('accepts a dispute over a part, which is refunded once', async () => {
    const { order, id } = await disputed('needs_response', 1000)
    await owner.post(`/disputes/${id}/accept`)
    await shop.settled()
    await told()
    expect(await dispute(id)).toMatchObject({ status: 'lost', response: 'acceptance', response_status: 'sent' })
    expect(await orderOf(order)).toEqual(['partially_refunded', 1000])
  })

  it.each(['unavailable', 'failed_after'] as const)('sends an answer once when a try has %s', async (fault) => {
    const { there, id } = await disputed()
    stripe.breaks(fault)
    expect(await answer(id)).toMatchObject({ status: 'needs_response', response_status: 'sending' })
    expect((await owner.try('POST', `/disputes/${id}/answer`, { answer: 'Another.' }))[0]).toBe(400)
    await expect.poll(async () => (await dispute(id)).response_status, { timeout: 30_000 }).toBe('sent')
    expect((await dispute(id)).status).toBe('under_review')
    expect(there.evidence_details.submission_count).toBe(1)
    expect(shop.running.errors.splice(0)).toMatchObject([{ job: 'dispute.respond' }])
  })

  it('says why Stripe refused an answer, which can be sent again or given up', async () => {
    const { there, id } = await disputed()
    there.evidence_details.due_by -= 8 * 24 * 60 * 60
    await answer(id)
    await shop.settled()
    expect(await dispute(id)).toMatchObject({
      ...{ status: 'needs_response', response_status: 'refused', can_be_accepted: true },
      response_error: 'The deadline for submitting evidence for this dispute has passed.',
    })
    stripe.bank.dispute(there.payment_intent, 'needs_response')
    await told()
    expect(await dispute(id)).toMatchObject({ can_be_answered: false })
    const [status, late] = await owner.try('POST', `/disputes/${id}/answer`, { answer: 'x' })
    expect([status, late.error.message]).toEqual([400, expect.stringContaining('You can only accept the dispute now.')])
  })

  it('keeps an order disputed while another dispute of it is open', async () => {
    const { order, there, id } = await disputed('needs_response', 1000)
    const second = disputeAgain(stripe.bank, there, 500)
    await told()
    const [other] = (await owner.get('/disputes', { order: [order] })).data.filter((one: Body) => one.id !== id)
    expect(other).toMatchObject({ amount: 500, reference: second.id })
    become(stripe.bank, there, 'lost')
    await told()
    expect(await orderOf(order)).toEqual(['disputed', 1000])
    become(stripe.bank, second, 'won')
    await told()
    expect(await orderOf(order)).toEqual(['partially_refunded', 1000])
  })

  it('lets an inquiry be answered without touching the order, and again when it becomes a dispute', async () => {
    const { order, there, id } = await disputed('warning_needs_response')
    expect(await dispute(id)).toMatchObject({ inquiry: true, status: 'needs_response' })
    expect(await orderOf(order)).toEqual(['succeeded', 0])
    await answer(id)
    await shop.settled()
    expect(await dispute(id)).toMatchObject({ inquiry: true, status: 'under_review' })
    become(stripe.bank, there, 'needs_response')
    await told()
    expect(await dispute(id)).toMatchObject({ inquiry: false, status: 'needs_response', can_be_answered: true })
    expect(await orderOf(order)).toEqual(['disputed', 0])
    await answer(id, 'winning_evidence')
    await shop.settled()
    await told()
    expect(await dispute(id)).toMatchObject({ status: 'won' })
    expect(await orderOf(order)).toEqual(['succeeded', 0])
  })

  it('closes an inquiry that ends, and believes what was decided over what comes late', async () => {
    const { order, there, id } = await disputed('warning_needs_response')
    become(stripe.bank, there, 'warning_closed')
    await told()
    expect(await dispute(id)).toMatchObject({ status: 'closed', can_be_answered: false })
    expect(await orderOf(order)).toEqual(['succeeded', 0])
    const lost = await disputed()
    become(stripe.bank, lost.there, 'lost')
    await told()
    const before = await dispute(lost.id)
    become(stripe.bank, lost.there, 'needs_response')
    await told()
    expect(await dispute(lost.id)).toEqual(before)
    expect(await orderOf(lost.order)).toEqual(['refunded', AMOUNT])
  })
}, stripe.settings)
