import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountId, newKey, paid, type Till, tills } from './till.ts'

describe.each(tills)('The provider $name', ({ open }) => {
  let till: Till
  beforeAll(async () => {
    till = await open()
  })
  afterAll(() => till.close())

  const usd = (amount: number) => ({ accountId, key: newKey(), amount, currency: 'usd', attempt: 1 })
  const renewal = { description: 'Ruby handbook, October' }

  it('takes a payment, and says so again when it is asked', async () => {
    const outcome = await till.pay('pays')
    const { reference, method } = paid(outcome)
    expect(method.token).toMatch(/./)
    expect(await till.provider.lookUp({ accountId, key: 'any', reference })).toEqual(outcome)
  })

  it('charges a saved card while the buyer is away, once for a key', async () => {
    const { method } = paid(await till.pay('pays'))
    const charge = { ...usd(1900), ...renewal, method }
    const outcome = await till.provider.charge(charge)
    expect(outcome).toMatchObject({ state: 'succeeded', method })
    expect(await till.provider.charge(charge)).toEqual(outcome)
    expect(await till.provider.charge({ ...charge, attempt: 2 })).toEqual(outcome)
    const other = await till.provider.charge({ ...charge, key: newKey() })
    expect(paid(other).reference).not.toBe(paid(outcome).reference)
    const { reference } = paid(outcome)
    expect(await till.provider.lookUp({ accountId, key: charge.key, reference })).toEqual(outcome)
  })

  it('saves a card without taking money', async () => {
    const { method } = paid(await till.pay('pays', { amount: 0 }))
    expect(await till.provider.charge({ ...usd(900), ...renewal, method })).toMatchObject({ state: 'succeeded' })
  })

  it('says why a card that paid once is refused later', async () => {
    const { method } = paid(await till.pay('fails_later'))
    const charge = { ...usd(1900), ...renewal, method }
    const outcome = await till.provider.charge(charge)
    expect(outcome).toMatchObject({ state: 'failed', message: expect.stringMatching(/^[A-Z].+\.$/) })
    const reference = outcome.reference!
    expect(await till.provider.lookUp({ accountId, key: charge.key, reference })).toEqual(outcome)
    expect(await till.provider.charge({ ...charge, attempt: 2 })).toEqual(outcome)
  })

  it('refuses a saved card of another provider', async () => {
    const foreign = { ...usd(1900), ...renewal, method: { token: 'card_of_somebody_else' } }
    expect(await till.provider.charge(foreign)).toMatchObject({ state: 'failed', message: /another payment provider/ })
  })

  it('refunds in parts, each once for a key', async () => {
    const { reference } = paid(await till.pay('pays'))
    const part = { ...usd(900), reference }
    const outcome = await till.provider.refund(part)
    expect(outcome).toMatchObject({ state: 'succeeded' })
    expect(await till.provider.refund(part)).toEqual(outcome)
    const { attempt: _, ...unnumbered } = part
    expect(await till.provider.refund(unnumbered)).toEqual(outcome)
    expect(await till.provider.refund({ ...usd(2000), reference })).toMatchObject({ state: 'succeeded' })
  })

  it('says why a refund was refused', async () => {
    const { reference } = paid(await till.pay('no_refund'))
    const refused = await till.provider.refund({ ...usd(900), reference })
    expect(refused).toMatchObject({ state: 'failed', message: expect.stringContaining('The bank refused the refund') })
  })

  it('ends a payment that was begun, and leaves one that was made', async () => {
    const begun = await till.pay('declined')
    expect(begun.state).not.toBe('succeeded')
    const payment = { accountId, key: newKey(), reference: begun.reference! }
    await till.provider.abandon(payment)
    expect(await till.provider.lookUp(payment)).toMatchObject({ state: 'failed' })
    await till.provider.abandon(payment)

    const made = { ...payment, reference: paid(await till.pay('pays')).reference }
    await till.provider.abandon(made)
    expect(await till.provider.lookUp(made)).toMatchObject({ state: 'succeeded' })
  })

  it('keeps no more of a number than its last four digits', async () => {
    const outcomes = [await till.pay('pays'), await till.pay('declined'), await till.pay('fails_later')]
    expect(JSON.stringify(outcomes)).not.toMatch(/(?<![:\d])\d{5}|\d{4}[ -]\d{4}/)
  })
})
