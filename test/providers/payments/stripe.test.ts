import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChargeRequest } from '../../../src/providers/payments/provider.ts'
import { createPayments } from '../../../src/providers/payments/registry.ts'
import { STRIPE_KEY } from '../../support/stripe-server.ts'
import { accountId, everythingIn, newKey, openStripeTill, paid, request, returnUrl, type StripeTill } from './till.ts'

const HALF_AN_HOUR_S = 30 * 60

describe('The provider stripe', () => {
  let till: StripeTill
  beforeAll(async () => {
    till = await openStripeTill()
  })
  afterAll(() => till.close())

  const last = () => till.server.received.at(-1)!
  const charged = (key: string) => [...till.server.bank.intents.values()].filter(({ metadata }) => metadata.key === key)
  const renewal = async (more: Partial<ChargeRequest> = {}): Promise<ChargeRequest> => {
    const { method } = paid(await till.pay('pays'))
    const money = { amount: 1900, currency: 'usd', description: 'October' }
    return { accountId, key: newKey(), ...money, method, ...more }
  }

  it('takes the payments of live accounts only', () => {
    const payments = createPayments(till.server.settings)
    expect(payments.providerFor({ test: false })).toMatchObject({ name: 'stripe', processor: 'card', immediate: false })
    expect(payments.providerFor({ test: true })).toBe(payments.test)
    expect([payments.named('test'), payments.named('stripe').name]).toEqual([payments.test, 'stripe'])
  })

  it('sends the buyer to a page of Stripe, which knows the payment and ends when the checkout does', async () => {
    const asked = request()
    const begun = await till.provider.collect(asked)
    expect(begun).toEqual({ state: 'needs_buyer', reference: expect.stringMatching(/^cs_/), url: expect.any(String) })
    const ours = { account: accountId, key: asked.key, made_by: 'page' }
    const { params } = last()
    expect(params).toMatchObject({
      mode: 'payment',
      client_reference_id: asked.key,
      customer_email: 'ada@example.com',
      customer_creation: 'always',
      allowed_payment_method_types: { 0: 'card' },
      line_items: { 0: { quantity: '1', price_data: { currency: 'usd', unit_amount: '2900' } } },
      payment_intent_data: { setup_future_usage: 'off_session', metadata: ours },
      metadata: ours,
      success_url: `${returnUrl}&payment=done`,
      cancel_url: `${returnUrl}&payment=canceled`,
    })
    const left = Number(params.expires_at) - Date.now() / 1000
    expect(left).toBeGreaterThan(HALF_AN_HOUR_S)
    expect(left).toBeLessThan(HALF_AN_HOUR_S + 120)
  })

  it('keeps no card of a buyer who pays once', async () => {
    const asked = { saveMethod: false }
    expect(await till.pay('pays', asked)).toMatchObject({ state: 'succeeded', method: null })
    expect(till.server.received.at(-2)!.params).not.toHaveProperty('payment_intent_data.setup_future_usage')
  })

  it('says where a payment is while the buyer is on the page, and when the page has expired', async () => {
    const asked = request()
    const begun = await till.provider.collect(asked)
    const payment = { accountId, key: asked.key, reference: begun.reference! }
    till.server.bank.enterCard(payment.reference, 'declined')
    expect(await till.provider.lookUp(payment)).toEqual(begun)
    till.server.bank.expireSession(payment.reference)
    expect(await till.provider.lookUp(payment)).toMatchObject({ state: 'failed', message: /page expired/ })
  })

  it('fails where the bank wants to ask a buyer who is away', async () => {
    const { method } = paid(await till.pay('asks_buyer_later'))
    const outcome = await till.provider.charge(await renewal({ method }))
    expect(outcome).toMatchObject({ state: 'failed', message: 'This transaction requires authentication.' })
    expect(last().params).toMatchObject({ confirm: 'true', off_session: 'true', error_on_requires_action: 'true' })
  })

  it('fails with the reason of Stripe for a request that it refuses', async () => {
    const email = request({ email: 'nobody' })
    expect(await till.provider.collect(email)).toMatchObject({ state: 'failed', message: 'Invalid email address.' })
    const { reference } = paid(await till.pay('pays'))
    const tooMuch = { accountId, key: newKey(), amount: 3000, currency: 'usd', reference }
    expect(await till.provider.refund(tooMuch)).toMatchObject({ state: 'failed', message: /greater than unrefunded/ })
  })

  it('leaves a refund pending until the bank has answered', async () => {
    const { reference } = paid(await till.pay('slow_refund'))
    const asked = { accountId, key: newKey(), amount: 900, currency: 'usd', reference }
    const outcome = await till.provider.refund(asked)
    expect(outcome).toMatchObject({ state: 'pending' })
    till.server.bank.settleRefund(outcome.reference!, 'succeeded')
    expect(await till.provider.refund({ ...asked, attempt: 2 })).toMatchObject({ state: 'succeeded' })
  })

  it('refunds by the page on which was paid, too', async () => {
    const asked = request()
    const { reference } = await till.provider.collect(asked)
    const refund = { accountId, key: newKey(), amount: 900, currency: 'usd', reference: reference! }
    expect(await till.provider.refund(refund)).toMatchObject({ state: 'failed' })
    till.server.bank.enterCard(reference!, 'pays')
    expect(await till.provider.refund({ ...refund, key: newKey() })).toMatchObject({ state: 'succeeded' })
  })

  it.each(['unavailable', 'answer_lost', 'failed_after', 'not_json'] as const)(
    'rejects when an answer is %s, and then charges once',
    async (fault) => {
      const charge = await renewal()
      // A connection that closes is tried once more by the library itself, with the same key.
      till.server.breaks(...(fault === 'answer_lost' ? [fault, fault] : [fault]))
      await expect(till.provider.charge({ ...charge, attempt: 1 })).rejects.toThrow(
        'Stripe did not report the result of',
      )
      const outcome = await till.provider.charge({ ...charge, attempt: 2 })
      expect(outcome).toMatchObject({ state: 'succeeded' })
      expect(await till.provider.charge({ ...charge, attempt: 1 })).toEqual(outcome)
      expect(charged(charge.key)).toHaveLength(1)
    },
  )

  it('charges and refunds once also when Stripe has forgotten the idempotency key', async () => {
    const charge = await renewal({ attempt: 1 })
    const outcome = await till.provider.charge(charge)
    const refund = { accountId, key: newKey(), amount: 900, currency: 'usd', ...paid(outcome), attempt: 1 }
    const refunded = await till.provider.refund(refund)
    till.server.forgetKeys()
    expect(await till.provider.charge({ ...charge, attempt: 2 })).toEqual(outcome)
    expect(await till.provider.refund({ ...refund, attempt: 2 })).toEqual(refunded)
    expect(charged(charge.key)).toHaveLength(1)
  })

  it('begins one page for a request that is sent twice', async () => {
    const asked = request()
    const [one, two] = [await till.provider.collect(asked), await till.provider.collect(asked)]
    const [first, second] = till.server.received.slice(-2)
    // A minute may have passed in between; the first page then stays unknown to everybody.
    if (first!.idempotencyKey === second!.idempotencyKey) expect(two).toEqual(one)
    else expect(Number(second!.params.expires_at)).toBeGreaterThan(Number(first!.params.expires_at))
  })

  it('sends an idempotency key with every request that changes something', async () => {
    const changing = till.server.received.filter(({ method }) => method === 'POST')
    expect(changing.length).toBeGreaterThan(10)
    expect(changing.filter(({ idempotencyKey }) => !idempotencyKey)).toEqual([])
  })

  it('gives up waiting when it is told to', async () => {
    const charge = await renewal({ attempt: 1 })
    till.server.breaks('silent')
    const given = AbortSignal.timeout(50)
    await expect(till.provider.charge({ ...charge, signal: given })).rejects.toThrow('was abandoned')
    await expect(till.provider.charge({ ...charge, signal: given })).rejects.toThrow(given.reason)
    expect(await till.provider.charge({ ...charge, attempt: 2 })).toMatchObject({ state: 'succeeded' })
  })

  it('rejects without repeating a key that Stripe does not accept', async () => {
    const wrong = 'sk_test_not_the_right_one'
    const settings = { ...till.server.settings, STRIPE_SECRET_KEY: wrong }
    const error = await createPayments(settings)
      .named('stripe')
      .collect(request())
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({ message: expect.stringMatching(/^Stripe does not accept STRIPE_SECRET_KEY/) })
    expect(everythingIn(error)).not.toContain(wrong)
  })

  it('keeps keys and client secrets out of its errors', async () => {
    const { method } = paid(await till.pay('fails_later'))
    const failed = await till.provider.charge(await renewal({ method }))
    const charge = await renewal()
    till.server.breaks('unavailable')
    const rejected = await till.provider.charge(charge).catch((caught: unknown) => caught)
    const gone = { accountId, key: 'any', reference: 'pi_gone' }
    const unknown = await till.provider.lookUp(gone).catch((caught: unknown) => caught)
    const all = [failed, rejected, unknown].map(everythingIn).join('\n')
    expect(all).toContain('Stripe no longer has this payment')
    expect(all).not.toMatch(/_secret_|whsec_|sk_test/)
    expect(all).not.toContain(STRIPE_KEY)
  })
})
