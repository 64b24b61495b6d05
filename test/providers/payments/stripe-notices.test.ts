import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BadNoticeError, type Notice } from '../../../src/providers/payments/provider.ts'
import { createPayments } from '../../../src/providers/payments/registry.ts'
import type { Dispute } from '../../support/stripe-things.ts'
import { accountId, newKey, openStripeTill, paid, request, type StripeTill } from './till.ts'

const MINUTE_MS = 60_000

describe('Notices of Stripe', () => {
  let till: StripeTill
  beforeAll(async () => {
    till = await openStripeTill()
  })
  afterAll(() => till.close())

  const read = (event: object, options?: { secret?: string; at?: number }) => {
    const { body, headers } = till.server.signed(event, options)
    return readText(body, headers['stripe-signature'])
  }
  const readText = (body: string, signature: string | null): Promise<Notice | null> =>
    till.provider.readNotice(new TextEncoder().encode(body), (name) => (name === 'stripe-signature' ? signature : null))
  const intentBehind = (reference: string) =>
    reference.startsWith('cs_') ? till.server.bank.session(reference).payment_intent! : reference
  /** What the notices say that an action leads to. */
  const noticesOf = async (action: () => Promise<unknown> | unknown) => {
    till.server.bank.events.length = 0
    await action()
    const events = till.server.bank.events.splice(0)
    return Promise.all(events.map(async (event) => [event.type, await read(event)] as const))
  }

  it('tell of a payment that the buyer made on the page, with the card that was saved', async () => {
    const asked = request()
    const begun = await till.provider.collect(asked)
    const notices = await noticesOf(() => till.server.bank.enterCard(begun.reference!, 'pays'))
    const outcome = await till.provider.lookUp({ accountId, key: asked.key, reference: begun.reference! })
    expect(paid(outcome).method.token).toMatch(/^cus_\w+\/pm_\w+$/)
    const notice = { kind: 'payment', accountId, key: asked.key, outcome }
    expect(notices).toEqual([
      ['payment_intent.succeeded', notice],
      ['checkout.session.completed', notice],
    ])
  })

  it('tell of a card that was saved without a payment, and of a page that expired', async () => {
    const saving = request({ amount: 0 })
    const page = (await till.provider.collect(saving)).reference!
    const [saved] = await noticesOf(() => till.server.bank.enterCard(page, 'pays'))
    expect(saved![1]).toMatchObject({ key: saving.key, outcome: { state: 'succeeded', reference: page } })

    const left = request()
    const { reference } = await till.provider.collect(left)
    const [expired] = await noticesOf(() => till.server.bank.expireSession(reference!))
    expect(expired![1]).toMatchObject({ key: left.key, outcome: { state: 'failed', reference } })
  })

  it('keep silent of a card that was declined on the page, where the buyer may try another', async () => {
    const { reference } = await till.provider.collect(request())
    const notices = await noticesOf(() => till.server.bank.enterCard(reference!, 'declined'))
    expect(notices).toEqual([['payment_intent.payment_failed', null]])
  })

  it('tell of a saved card that was declined', async () => {
    const { method } = paid(await till.pay('fails_later'))
    const charge = { accountId, key: newKey(), amount: 1900, currency: 'usd', description: 'October', method }
    const [notice] = await noticesOf(() => till.provider.charge(charge))
    expect(notice).toEqual([
      'payment_intent.payment_failed',
      {
        kind: 'payment',
        accountId,
        key: charge.key,
        outcome: {
          state: 'failed',
          reference: expect.any(String),
          message: 'Your card has insufficient funds.',
          code: 'insufficient_funds',
        },
      },
    ])
  })

  it('tell of refunds', async () => {
    const { reference } = paid(await till.pay('slow_refund'))
    const refunds = [newKey(), newKey()].map((key) => ({ accountId, key, amount: 900, currency: 'usd', reference }))
    const ids = await Promise.all(refunds.map(async (refund) => (await till.provider.refund(refund)).reference!))
    const notices = await noticesOf(() => {
      till.server.bank.settleRefund(ids[0]!, 'succeeded')
      till.server.bank.settleRefund(ids[1]!, 'failed')
    })
    expect(notices.map(([, notice]) => notice)).toMatchObject([
      { kind: 'refund', key: refunds[0]!.key, outcome: { state: 'succeeded', reference: ids[0] } },
      { kind: 'refund', key: refunds[1]!.key, outcome: { state: 'failed', message: /declined/ } },
    ])
  })

  it('tell of disputes, and inquiries, whose payment says whose they are', async () => {
    const asked = request()
    const { reference } = paid(await till.pay('pays', asked))
    const told = async (status: Dispute['status']) =>
      (await noticesOf(() => till.server.bank.dispute(reference, status, 900)))[0]![1]
    for (const [status, state, inquiry] of [
      ['warning_needs_response', 'opened', true],
      ['needs_response', 'opened', false],
      ['under_review', 'under_review', false],
      ['won', 'won', false],
      ['lost', 'lost', false],
    ] as const)
      expect(await told(status)).toEqual({
        ...{ kind: 'dispute', accountId, key: asked.key, state, amount: 900 },
        ...{ reference: expect.stringMatching(/^du_/), inquiry, reason: 'fraudulent' },
        dueAt: expect.stringMatching(/Z$/),
      })
    // What was sent first and comes last says what is so now.
    const late = { type: 'charge.dispute.created', data: { object: [...till.server.bank.disputes.values()].at(-1)! } }
    expect(await read(late)).toMatchObject({ state: 'lost' })
  })

  it('tell of refunds that were made at Stripe, by the payment that they give back', async () => {
    const asked = request({ amount: 500, currency: 'isk' })
    const { reference } = paid(await till.pay('pays', asked))
    const [notice] = await noticesOf(() =>
      till.server.bank.createRefund({
        ...{ payment_intent: intentBehind(reference), amount: '20000', reason: 'requested_by_customer' },
      }),
    )
    expect(notice).toEqual([
      'refund.created',
      {
        ...{ kind: 'outside_refund', accountId, key: asked.key, amount: 200, reason: 'requested by customer' },
        reference: expect.stringMatching(/^re_/),
        outcome: { state: 'succeeded', reference: expect.stringMatching(/^re_/) },
      },
    ])
  })

  it('tell the state of now, however late they come', async () => {
    const { reference } = paid(await till.pay('slow_refund'))
    const refund = { accountId, key: newKey(), amount: 900, currency: 'usd', reference }
    const { reference: id } = await till.provider.refund(refund)
    const late = { type: 'refund.updated', data: { object: structuredClone(till.server.bank.refund(id!)) } }
    till.server.bank.settleRefund(id!, 'succeeded')
    expect(await read(late)).toMatchObject({ outcome: { state: 'succeeded' } })
  })

  it('are nothing of ours when somebody else made what they are about', async () => {
    for (const [type, object] of [
      ['payment_intent.succeeded', { id: 'pi_1', metadata: {}, amount: 1 }],
      ['payment_intent.succeeded', { id: 'pi_1', metadata: { account: accountId, key: 'pay_1' } }],
      ['checkout.session.completed', { id: 'cs_1', metadata: null }],
      ['refund.updated', { id: 're_1', metadata: null }],
      ['refund.updated', { id: 're_1' }],
      ['charge.dispute.created', { id: 'du_1', payment_intent: null, status: 'needs_response' }],
      ['customer.created', { id: 'cus_1' }],
    ] as const)
      expect([type, await read({ type, data: { object } })]).toEqual([type, null])
  })

  it('change nothing when they are forged, old or malformed', async () => {
    const event = { type: 'payment_intent.succeeded', data: { object: { id: 'pi_1' } } }
    const { body, headers } = till.server.signed(event)
    const signature = headers['stripe-signature']
    const requests = till.server.received.length
    const [now, hex] = [signature.split(',')[0]!, signature.split('v1=')[1]!]
    for (const attempt of [
      () => read(event, { secret: 'whsec_of_somebody_else' }),
      () => read(event, { at: Date.now() - 6 * MINUTE_MS }),
      () => readText(body, null),
      () => readText(body, ''),
      () => readText(body, now),
      () => readText(body, `${now},v0=${hex}`),
      () => readText(body, `${now},v1=${hex.slice(0, -1)}`),
      () => readText(`${body} `, signature),
      () => readText('', signature),
      () => readText(body, 'nonsense'),
      () => read([]),
      () => read({ type: 'payment_intent.succeeded' }),
      () => read({ type: 'payment_intent.succeeded', data: null }),
      () => read({ type: 'payment_intent.succeeded', data: { object: {} } }),
      () => read({ type: 5, data: { object: { id: 'pi_1' } } }),
    ])
      await expect(attempt()).rejects.toThrow(BadNoticeError)
    expect(till.server.received).toHaveLength(requests)
  })

  it('can be read again when Stripe did not answer', async () => {
    const asked = request()
    const { reference } = paid(await till.pay('pays', asked))
    const object = structuredClone(till.server.bank.intent(reference))
    till.server.breaks('unavailable')
    const event = { type: 'payment_intent.succeeded', data: { object } }
    await expect(read(event)).rejects.not.toBeInstanceOf(BadNoticeError)
    expect(await read(event)).toMatchObject({ key: asked.key })
  })

  it('are read with the secret of the settings', async () => {
    const settings = { ...till.server.settings, STRIPE_WEBHOOK_SECRET: 'whsec_another' }
    const { body, headers } = till.server.signed(
      { type: 'x', data: { object: { id: 'x' } } },
      { secret: 'whsec_another' },
    )
    const header = () => headers['stripe-signature']
    expect(await createPayments(settings).named('stripe').readNotice(new TextEncoder().encode(body), header)).toBeNull()
  })

  it('are read with either of two secrets, while one takes the place of the other', async () => {
    const settings = { ...till.server.settings, STRIPE_WEBHOOK_SECRET: 'whsec_old,whsec_new' }
    const provider = createPayments(settings).named('stripe')
    const read = (secret: string, at = Date.now()) => {
      const { body, headers } = till.server.signed({ type: 'x', data: { object: { id: 'x' } } }, { secret, at })
      return provider.readNotice(new TextEncoder().encode(body), () => headers['stripe-signature'])
    }
    expect(await read('whsec_old')).toBeNull()
    expect(await read('whsec_new')).toBeNull()
    await expect(read('whsec_other')).rejects.toThrow(BadNoticeError)
    await expect(read('whsec_old,whsec_new')).rejects.toThrow(BadNoticeError)
    await expect(read('whsec_new', Date.now() - 301_000)).rejects.toThrow(BadNoticeError)
    expect(await read('whsec_new', Date.now() - 290_000)).toBeNull()
  })
})
