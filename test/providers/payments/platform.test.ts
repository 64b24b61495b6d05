import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ConnectionRefusedError,
  KeyRefusedError,
  type PaymentConnector,
  type PaymentPlatform,
} from '../../../src/providers/payments/connector.ts'
import type { PaymentProvider } from '../../../src/providers/payments/provider.ts'
import { createPayments } from '../../../src/providers/payments/registry.ts'
import type { StripeAccount } from '../../support/stripe-account.ts'
import { STRIPE_CONNECT_WEBHOOK_SECRET, StripeServer } from '../../support/stripe-server.ts'
import { accountId, newKey, paid, payAt, request } from './till.ts'

const urls = { returnUrl: 'https://shop.example/connected', refreshUrl: 'https://shop.example/connect' }
const money = { accountId, currency: 'usd' }

describe('The service as a platform of stripe', () => {
  const server = new StripeServer()
  let connector: PaymentConnector
  let platform: PaymentPlatform
  const connectorOf = (more: object = {}) =>
    createPayments({ ...server.platformSettings, STRIPE_APPLICATION_FEE_PERCENT: 2.5, ...more }).connectors[0]!
  beforeAll(async () => {
    await server.open()
    connector = connectorOf()
    platform = connector.platform!
  })
  afterAll(() => server.close())

  const begun = async (): Promise<StripeAccount> => {
    const id = await platform.createAccount({ accountId: newKey(), name: 'Ada’s Books', email: 'ada@example.com' })
    return server.account(id)
  }
  const connected = async (): Promise<StripeAccount> => {
    const account = await begun()
    account.completes()
    account.bank.events.length = 0
    return account
  }
  const opened = ({ id }: StripeAccount, by = connector): PaymentProvider =>
    by.open({
      ...{ name: 'connection_1', accountId, noticesSecrets: [], noticesPath: null },
      credentials: { by: 'platform', providerAccount: id, live: false },
    })
  const inspected = ({ id }: StripeAccount) => connector.inspect({ by: 'platform', providerAccount: id, live: false })
  const posted = (event: object, secret = STRIPE_CONNECT_WEBHOOK_SECRET) => {
    const { body, headers } = server.signed(event, { secret })
    return [new TextEncoder().encode(body), () => headers['stripe-signature']] as const
  }

  it('is none without the secret of its notices', () => {
    const [alone] = createPayments(server.settings).connectors
    expect(alone!.platform).toBeNull()
    expect(() => opened(server.own, alone!)).toThrow(
      expect.objectContaining({ constructor: KeyRefusedError, owner: 'service', reason: 'access' }),
    )
    expect(platform).toMatchObject({ live: false, noticesPath: '/payments/stripe/connect/notices' })
  })

  it('makes an account, whose owner registers on a page of Stripe', async () => {
    const account = await begun()
    expect(await inspected(account)).toMatchObject({ id: account.id, name: 'Ada’s Books', takesPayments: false })
    const first = await platform.onboardingUrl({ providerAccount: account.id, ...urls })
    await fetch(first)
    const again = await fetch(first, { redirect: 'manual' })
    expect(again.headers.get('location')).toBe(urls.refreshUrl)
    const second = await platform.onboardingUrl({ providerAccount: account.id, ...urls })
    const back = await fetch(second, { method: 'POST', redirect: 'manual' })
    expect(back.headers.get('location')).toBe(urls.returnUrl)
    expect(await inspected(account)).toMatchObject({
      takesPayments: true,
      missing: ['Payments become real when the operator of this service sets a live key of Stripe.'],
    })
  })

  it('makes one account, however often the same one is asked for', async () => {
    const asked = { accountId: newKey(), name: 'Ada’s Books', email: 'ada@example.com', country: 'DE' }
    const [one, two] = [await platform.createAccount(asked), await platform.createAccount(asked)]
    expect(two).toBe(one)
    expect(server.received.at(-1)!.params).toMatchObject({
      ...{ dashboard: 'full', identity: { country: 'DE' }, metadata: { account: asked.accountId } },
      defaults: { responsibilities: { fees_collector: 'stripe', losses_collector: 'stripe' } },
    })
    await expect(platform.onboardingUrl({ providerAccount: 'acct_unknown', ...urls })).rejects.toMatchObject({
      ...{ constructor: ConnectionRefusedError, message: /^Stripe does not connect the account: No such account/ },
    })
  })

  it('takes, charges and refunds payments at the account, and keeps its share', async () => {
    const account = await connected()
    const before = server.received.length
    const provider = opened(account)
    const { reference, method } = paid(await payAt(account, provider, 'pays', { amount: 2999 }))
    expect(account.bank.fees.get(reference)).toBe(74)
    const charge = { ...money, key: newKey(), amount: 1900, description: 'October', method, attempt: 1 }
    const charged = paid(await provider.charge(charge))
    expect(account.bank.fees.get(charged.reference)).toBe(47)
    const refund = { ...money, amount: 1000, reference, attempt: 1 }
    expect(await provider.refund({ ...refund, key: newKey() })).toMatchObject({ state: 'succeeded' })
    expect(account.bank.fees.get(reference)).toBe(49)
    expect(await provider.refund({ ...refund, key: newKey(), amount: 1999 })).toMatchObject({ state: 'succeeded' })
    expect(account.bank.fees.get(reference)).toBe(0)
    await provider.abandon({ accountId, key: 'any', reference: (await provider.collect(request())).reference! })
    const made = server.received.slice(before)
    expect(made.length).toBeGreaterThan(8)
    expect(new Set(made.map((one) => one.account))).toEqual(new Set([account.id]))
    expect([server.own.bank.intents.size, server.own.bank.sessions.size]).toEqual([0, 0])
  })

  it('keeps nothing where it wants nothing, where the share is less than the least amount, and of a saved card', async () => {
    const account = await connected()
    const free = opened(account, connectorOf({ STRIPE_APPLICATION_FEE_PERCENT: undefined }))
    const { reference } = paid(await payAt(account, free))
    expect(await free.refund({ ...money, key: newKey(), amount: 100, reference, attempt: 1 })).toMatchObject({
      state: 'succeeded',
    })
    paid(await payAt(account, opened(account), 'pays', { amount: 39 }))
    expect(await payAt(account, opened(account), 'pays', { amount: 0 })).toMatchObject({ state: 'succeeded' })
    expect(account.bank.fees.size).toBe(0)
    const own = createPayments({ ...server.platformSettings, STRIPE_APPLICATION_FEE_PERCENT: 2.5 }).named('stripe')
    paid(await payAt(server.own, own))
    expect(server.own.bank.fees.size).toBe(0)
  })

  it('hears of all its accounts at one address, and says whose a notice is', async () => {
    const [one, two] = [await connected(), await connected()]
    await payAt(one, opened(one))
    const events = one.bank.events.map((event) => ({ ...event, account: one.id }))
    for (const event of events) {
      const notice = posted(event)
      expect(await platform.addressee(...notice)).toEqual({ providerAccount: one.id, kind: 'payment' })
      expect(await opened(one).readNotice(...notice)).toMatchObject({ kind: 'payment', accountId })
      expect(await opened(two).readNotice(...notice)).toBeNull()
      expect(await opened(one).readNotice(...posted({ ...event, livemode: true }))).toBeNull()
    }
    const [event] = events
    await expect(platform.addressee(...posted(event!, 'whsec_other'))).rejects.toThrow('no valid signature')
    const { account: _, ...ofNobody } = event!
    expect(await platform.addressee(...posted(ofNobody))).toBeNull()
    expect(await platform.addressee(...posted({ ...event, livemode: true }))).toBeNull()
    expect(await platform.addressee(...posted({ ...event, type: 'customer.created' }))).toBeNull()
    expect(
      await createPayments(server.settings)
        .named('stripe')
        .readNotice(...posted(event!, 'whsec_stand_in_0987654321')),
    ).toBeNull()
  })

  it('hears that an account has changed, and that its owner has ended the access', async () => {
    const account = await connected()
    const provider = opened(account)
    const { reference, method } = paid(await payAt(account, provider))
    account.bank.events.length = 0
    account.completes()
    account.disconnects()
    const kinds = account.bank.events.map((event) => platform.addressee(...posted({ ...event, account: account.id })))
    expect((await Promise.all(kinds)).map((one) => one?.kind)).toEqual(['account', 'account'])
    const refused = expect.objectContaining({
      ...{ constructor: KeyRefusedError, owner: 'account', reason: 'access' },
      message: 'This service no longer has access to the Stripe account. Connect it again.',
    })
    const charge = { ...money, key: newKey(), amount: 100, description: 'October', method, attempt: 1 }
    await expect(provider.charge(charge)).rejects.toEqual(refused)
    await expect(provider.refund({ ...money, key: newKey(), amount: 100, reference, attempt: 1 })).rejects.toEqual(
      refused,
    )
    await expect(provider.collect(request())).rejects.toEqual(refused)
    await expect(inspected(account)).rejects.toEqual(refused)
  })

  it('cannot reach accounts of the other mode, and says what its own key lacks to the operator', async () => {
    const credentials = { by: 'platform', providerAccount: 'acct_1', live: true } as const
    await expect(connector.inspect(credentials)).rejects.toThrow(
      'connected in live mode, and this service now uses a test key',
    )
    const wrong = connectorOf({ STRIPE_SECRET_KEY: 'sk_test_not_the_right_one' })
    await expect(opened(await connected(), wrong).collect(request())).rejects.toMatchObject({
      ...{ constructor: KeyRefusedError, owner: 'service', message: /^Stripe does not accept STRIPE_SECRET_KEY/ },
    })
  })
})
