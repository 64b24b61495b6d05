import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPayments } from '../../../src/outside/payments/registry.ts'
import { StripeServer } from '../../support/stripe-server.ts'
import { request } from './till.ts'

describe('An account that is connected to stripe by its own key', () => {
  const server = new StripeServer()
  beforeAll(() => server.open())
  afterAll(() => server.close())

  it('is described, listened to and paid', async () => {
    const [connector] = createPayments({ STRIPE_API_URL: server.url }).connectors
    const account = server.openAccount({ name: 'Ada’s Books' })
    const key = server.keyOf(account)
    expect(await connector!.inspect({ by: 'key', key })).toEqual({
      id: account.id,
      name: 'Ada’s Books',
      live: false,
      takesPayments: true,
      methods: ['Cards', 'Apple Pay', 'Google Pay'],
      payouts: { enabled: true, schedule: 'every business day' },
      missing: ['Connect Stripe with a live key, which begins with rk_live_.'],
    })
    const made = await connector!.listen(key, 'https://shop.example/notices/1')
    const provider = connector!.open({
      name: 'pcon_1',
      accountId: 'acct_01',
      credentials: { by: 'key', key },
      noticesSecrets: [made.secret],
      noticesPath: '/notices/1',
    })
    const begun = await provider.collect(request())
    expect(begun.state).toBe('needs_buyer')
    expect(account.bank.sessions.size).toBe(1)
    await connector!.stopListening(key, made.id)
    await connector!.stopListening(key, made.id)
    expect(account.endpoints.size).toBe(0)
  })
})
