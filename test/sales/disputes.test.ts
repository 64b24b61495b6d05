import { expect, it } from 'vitest'
import type { ApiError } from '../../src/contract/declarations/errors.ts'
import { disputeEvidence } from '../../src/resources/sales/dispute/evidence.ts'
import { memberOf, ownerOf } from '../support/dashboard.ts'
import { lastMessageTo } from '../support/outbox.ts'
import { rehearse } from '../support/rehearsal.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { type Body, onEachEngine, type Shop } from '../support/shop.ts'

/** Stripe's number of the card whose payments are disputed. */
const DISPUTED = '4000 0000 0000 0259'

onEachEngine((shop) => {
  /** An order that was paid by the card which is disputed, and its dispute. */
  async function disputed(of: Shop = shop, values: Body = {}): Promise<{ order: Body; dispute: Body }> {
    const price = await priceForSale(of, { amount: 2900, ...values })
    const order = await sell(of, [{ price_variant: price.id }], { paying: { card: DISPUTED } })
    await of.settled()
    const dispute = await disputeOf(order.id, of)
    return { order, dispute }
  }
  const disputeOf = async (order: string, of = shop) =>
    (await (await ownerOf(of)).get('/disputes', { order: [order] })).data[0]
  const statusOf = async (order: string) => (await shop.get(`/orders/${order}`)).status

  it('opens a dispute of the test card after its payment, with the reason, the date and an event', async () => {
    const price = await priceForSale(shop, { amount: 2900 })
    let order!: Body
    const events = await shop.eventsOf(async () => {
      order = await sell(shop, [{ price_variant: price.id }], { paying: { card: DISPUTED } })
      await shop.settled()
    })
    const types = events.map(({ type }) => type)
    expect(types.filter((type) => type.startsWith('order.'))).toEqual(['order.created', 'order.paid', 'order.disputed'])
    expect(await statusOf(order.id)).toBe('disputed')
    expect(await disputeOf(order.id)).toMatchObject({
      ...{ amount: 2900, currency: 'usd', status: 'needs_response', reason: 'fraudulent', inquiry: false },
      ...{ provider: 'Test cards', can_be_answered: true, can_be_accepted: true, due_at: expect.any(String) },
    })
    expect(await shop.refusal('POST', '/refunds', { order: order.id })).toEqual([400, 'invalid_state'])
  })

  it.each([
    ['Delivered. winning_evidence', 'won', 'succeeded', 0],
    ['losing_evidence', 'lost', 'refunded', 2900],
    ['It was delivered.', 'under_review', 'disputed', 0],
  ])('takes the answer “%s”, after which it is %s', async (answer, status, ofOrder, refunded) => {
    const { order, dispute } = await disputed()
    const owner = await ownerOf(shop)
    const answered = await owner.post(`/disputes/${dispute.id}/answer`, { answer })
    expect(answered).toMatchObject({
      status,
      answer,
      response: 'answer',
      response_status: 'sent',
      can_be_answered: false,
    })
    expect(await shop.get(`/orders/${order.id}`)).toMatchObject({ status: ofOrder, amount_refunded: refunded })
    const refunds = (await shop.get(`/refunds?order=${order.id}`)).data
    expect(refunds.map(({ reason, amount }: Body) => [reason, amount])).toEqual(
      refunded > 0 ? [['dispute_lost', refunded]] : [],
    )
    const again = await owner.try('POST', `/disputes/${dispute.id}/answer`, { answer: 'More.' })
    expect([again[0], again[1].error.message]).toEqual([400, expect.stringContaining('It can be answered once.')])
  })

  it('sends along what the shop knows of the sale, and keeps what was sent', async () => {
    const [policy] = (await shop.get('/legal_pages')).data.filter(({ kind }: Body) => kind === 'refund_policy')
    await shop.patch(`/legal_pages/${policy.id}`, { content: '<p>Within 14 days.</p>', published: true })
    const { order, dispute } = await disputed(shop, { experience_ids: [await shop.experience()] })
    const owner = await ownerOf(shop)
    const evidence = () => owner.read(disputeEvidence, dispute.id)
    const known = await evidence()
    expect(known).toMatchObject({
      customerEmail: order.customer.email,
      product: expect.stringMatching(new RegExp(`^Order ${order.id}, paid on .+\\n1 × .+\\nTotal \\$29\\.00$`)),
      access: expect.stringContaining('access to the purchase began'),
      refundPolicy: 'Within 14 days.',
    })
    await owner.post(`/disputes/${dispute.id}/answer`, { answer: 'It was delivered.' })
    await shop.patch(`/legal_pages/${policy.id}`, { published: false })
    expect(await evidence()).toEqual(known)
  })

  it('is answered by those who may refund, each within what they may give back, and is in the log', async () => {
    const { order, dispute } = await disputed()
    const [viewer, support, owner] = [
      await memberOf(shop, 'viewer'),
      await memberOf(shop, 'support'),
      await ownerOf(shop),
    ]
    expect(await viewer.get(`/disputes/${dispute.id}`)).toMatchObject({ id: dispute.id })
    for (const action of ['answer', 'accept'])
      expect((await viewer.try('POST', `/disputes/${dispute.id}/${action}`, { answer: 'x' }))[0]).toBe(403)
    const [status, refused] = await support.try('POST', `/disputes/${dispute.id}/accept`)
    expect([status, refused.error.message]).toEqual([403, expect.stringContaining('no limit is set')])
    const accepted = await owner.post(`/disputes/${dispute.id}/accept`)
    expect(accepted).toMatchObject({ status: 'lost', response: 'acceptance', response_status: 'sent' })
    expect(await shop.get(`/orders/${order.id}`)).toMatchObject({ status: 'refunded', amount_refunded: 2900 })
    const { data } = await owner.get('/log_entries', { resource_id: [dispute.id] })
    expect(data).toMatchObject([
      { operation: 'accept_dispute', user_id: owner.caller.userId },
      { operation: null, changes: { 'dispute.opened': 1 }, caller_kind: 'job' },
    ])
  })

  it('lets the first of two people answer', async () => {
    const { dispute } = await disputed()
    const people = [await memberOf(shop, 'support'), await ownerOf(shop)]
    const answers = await Promise.all(
      people.map((person) => person.try('POST', `/disputes/${dispute.id}/answer`, { answer: person.caller.userId })),
    )
    expect(answers.map(([status]) => status).sort()).toEqual([200, 400])
  })

  it('is unknown to other accounts', async () => {
    const { dispute } = await disputed()
    const other = await ownerOf(
      shop.as(await shop.running.another(`neighbour-${shop.accountId.slice(-6).toLowerCase()}`)),
    )
    const told = async (id: string) => [
      await other.try('GET', `/disputes/${id}`),
      await other.read(disputeEvidence, id).then(
        () => [200],
        ({ status, message }: ApiError) => [status, message],
      ),
      await other.try('POST', `/disputes/${id}/answer`, { answer: 'x' }),
      await other.try('POST', `/disputes/${id}/accept`),
    ]
    const found = await told(dispute.id)
    const unknown = await told('dispute_unknown')
    expect(found.map(([status]) => status)).toEqual([404, 404, 404, 404])
    expect(JSON.stringify(found).replaceAll(dispute.id, 'dispute_unknown')).toBe(JSON.stringify(unknown))
  })

  it('follows the clock of a test account: without an answer in time it is lost, with one it is won', async () => {
    const life = await rehearse(shop)
    const [quiet, answered] = [await disputed(life.shop), await disputed(life.shop)]
    expect(quiet.dispute.due_at).toMatch(/^2035-02-07T10:00:/)
    const owner = await ownerOf(life.shop)
    await owner.post(`/disputes/${answered.dispute.id}/answer`, { answer: 'It was delivered.' })
    await life.past(quiet.dispute.due_at)
    expect(await owner.get(`/disputes/${quiet.dispute.id}`)).toMatchObject({ status: 'lost', response: null })
    expect(await owner.get(`/disputes/${answered.dispute.id}`)).toMatchObject({ status: 'won' })
    expect(await life.shop.get(`/orders/${quiet.order.id}`)).toMatchObject({ status: 'refunded' })
    expect(await life.shop.get(`/orders/${answered.order.id}`)).toMatchObject({ status: 'succeeded' })
    const { data } = await owner.get('/log_entries', { resource_id: [quiet.dispute.id] })
    expect(data.map(({ changes }: Body) => Object.keys(changes)[0])).toEqual(['dispute.lost', 'dispute.opened'])
  })

  it('disputes each renewal that the same card pays', async () => {
    const life = await rehearse(shop)
    const { id } = await life.subscribe({}, { card: DISPUTED })
    await life.pastPeriod(id)
    const renewal = (await life.orders(id))[1]!
    expect(renewal.status).toBe('disputed')
    expect(await disputeOf(renewal.id, life.shop)).toMatchObject({ status: 'needs_response' })
  })

  it('writes to the team by when to answer', async () => {
    const life = await rehearse(shop)
    const { order } = await disputed(life.shop)
    await life.shop.settled()
    const [letter] = (await life.mails()).filter(({ subject }) => subject.includes('disputed'))
    const text = await lastMessageTo(life.shop, letter!.to)
    expect(text).toMatch(/\$29\.00: answer by 7 Feb 2035/)
    expect(text).toContain(order.customer.email)
    expect(text).toContain('/disputes?status=needs_response')
  })
})
