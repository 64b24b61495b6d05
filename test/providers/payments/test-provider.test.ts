import { describe, expect, it } from 'vitest'
import { createPayments } from '../../../src/providers/payments/registry.ts'
import { accountId, newKey, request, returnUrl } from './till.ts'

const { test, providerFor, named } = createPayments({})
const SECOND_STEP = '4000002500003155'

describe('The test provider', () => {
  it('takes the payments of every account where Stripe is not set up', () => {
    expect([providerFor({ test: true }), providerFor({ test: false }), named('test')]).toEqual([test, test, test])
    expect(() => named('stripe')).toThrow('The payment provider stripe is not set up; its settings are missing.')
    expect(test).toMatchObject({ processor: 'test', immediate: true })
  })

  it('pays when no card is named', async () => {
    expect(await test.collect(request())).toMatchObject({ state: 'succeeded' })
  })

  it('asks for a second step, and does what the buyer answers', async () => {
    for (const [approved, expected] of [
      [true, { state: 'succeeded', method: { token: 'succeeds' } }],
      [false, { state: 'failed', message: 'The payment was not approved at the bank.' }],
    ] as const) {
      const asked = request({ card: SECOND_STEP })
      const begun = await test.collect(asked)
      expect(begun).toMatchObject({ state: 'needs_buyer', url: returnUrl })
      const payment = { accountId, key: asked.key, reference: begun.reference! }
      expect(await test.lookUp(payment)).toEqual({ state: 'pending', reference: payment.reference })
      expect(await test.answerSecondStep({ ...payment, approved })).toMatchObject(expected)
    }
  })

  it('answers no second step of another payment', async () => {
    const begun = await test.collect(request({ card: SECOND_STEP }))
    const answer = { accountId, key: newKey(), reference: begun.reference!, approved: true }
    await expect(test.answerSecondStep(answer)).rejects.toThrow('has no second step to answer')
  })

  it('names its cards, and refuses other numbers without repeating them', async () => {
    expect(test.cards.map(({ number, description }) => [number, description])).toEqual([
      ['4242424242424242', 'succeeds'],
      ['4000000000000002', 'is declined'],
      [SECOND_STEP, 'needs a second step at the bank'],
      ['4000000000000341', 'succeeds now and fails at renewal'],
      ['4000000000005126', 'succeeds and fails at refund'],
      ['4000000000000259', 'succeeds and is disputed'],
    ])
    for (const { number } of test.cards) expect(test.cardProblem(number)).toBeNull()
    const real = '5555555555554444'
    const outcome = await test.collect(request({ card: real }))
    expect(outcome).toMatchObject({ state: 'failed', reference: null, message: test.cardProblem(real) })
    for (const { number } of test.cards) expect(test.cardProblem(real)).toContain(number)
    expect(test.cardProblem(real)).not.toContain(real)
  })

  it('gets no notices', async () => {
    expect(await test.readNotice(new TextEncoder().encode('{}'), () => null)).toBeNull()
  })
})
