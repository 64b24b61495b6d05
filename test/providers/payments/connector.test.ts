import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { API_VERSIONS } from '../../../src/providers/api-versions.ts'
import {
  ConnectionRefusedError,
  KeyRefusedError,
  type PaymentConnector,
} from '../../../src/providers/payments/connector.ts'
import type { PaymentProvider } from '../../../src/providers/payments/provider.ts'
import { createPayments } from '../../../src/providers/payments/registry.ts'
import { explained, PermissionMissingError } from '../../../src/providers/payments/stripe/faults.ts'
import type { StripeAccount } from '../../support/stripe-account.ts'
import { StripeServer } from '../../support/stripe-server.ts'
import { accountId, everythingIn, newKey, paid, payAt, request } from './till.ts'

/** The permissions of a restricted key as Stripe's errors call them, with what its dashboard calls them. */
const PERMISSIONS = {
  rak_checkout_session_write: 'Checkout Sessions: Write',
  rak_payment_intent_write: 'PaymentIntents: Write',
  rak_setup_intent_read: 'SetupIntents: Read',
  rak_payment_method_read: 'PaymentMethods: Read',
  rak_charge_write: 'Charges and Refunds: Write',
  rak_dispute_write: 'Disputes: Write',
  rak_webhook_write: 'Webhook Endpoints: Write',
}
const NEEDED = Object.keys(PERMISSIONS)
const HELPFUL = ['rak_accounts_kyc_basic_read', 'rak_payment_method_configurations_read']
const NOTICES = 'https://shop.example/notices/1'

describe('The connector of stripe', () => {
  const server = new StripeServer()
  let connector: PaymentConnector
  beforeAll(async () => {
    await server.open()
    connector = createPayments({ STRIPE_API_URL: server.url }).connectors[0]!
  })
  afterAll(() => server.close())

  const inspected = (key: string) => connector.inspect({ by: 'key', key })
  const opened = (key: string, noticesSecrets: string[] = []): PaymentProvider =>
    connector.open({
      ...{ name: 'connection_1', accountId, credentials: { by: 'key', key } },
      ...{ noticesSecrets, noticesPath: '/notices/1' },
    })
  const refused = (message: string, reason = 'key', kind: object = KeyRefusedError) =>
    expect.objectContaining({ constructor: kind, owner: 'account', reason, message })

  describe('describes an account', () => {
    it('with what buyers can pay with, when it is paid out, and what is left to do', async () => {
      const account = server.openAccount({ name: 'Ada’s Books', live: true })
      expect(await inspected(server.keyOf(account))).toEqual({
        id: account.id,
        name: 'Ada’s Books',
        live: true,
        takesPayments: true,
        methods: ['Cards', 'Apple Pay', 'Google Pay'],
        payouts: { enabled: true, schedule: 'every business day' },
        missing: [],
      })
    })

    it('whose owner has not registered yet, with each step once', async () => {
      const account = server.openAccount().begins()
      account.due.push('business_profile.mcc', 'company.tax_id', 'something.new')
      expect(await inspected(server.keyOf(account))).toMatchObject({
        takesPayments: false,
        payouts: { enabled: false },
        missing: [
          'Describe the business at Stripe.',
          'Enter the details of the people who own or run the business at Stripe.',
          'Add a bank account for payouts at Stripe.',
          'Accept the terms of service at Stripe.',
          'Enter the details of the company at Stripe.',
          "Answer what Stripe asks for in the account's dashboard.",
          'Connect Stripe with a live key, which begins with rk_live_.',
        ],
      })
    })

    it.each([
      [{ interval: 'weekly', weekly_payout_days: ['monday', 'thursday'] }, 'every Monday and Thursday'],
      [{ interval: 'weekly', weekly_anchor: 'friday' }, 'every Friday'],
      [{ interval: 'monthly', monthly_payout_days: [1, 15] }, 'every month on day 1 and 15'],
      [{ interval: 'monthly', monthly_anchor: 31 }, 'every month on day 31'],
      [{ interval: 'manual' }, 'by hand'],
      [{ interval: 'hourly' }, null],
    ])('that is paid out by %o', async (schedule, expected) => {
      const account = server.openAccount()
      account.schedule = schedule
      expect((await inspected(server.keyOf(account))).payouts).toEqual({ enabled: true, schedule: expected })
    })

    it('by a restricted key that has just what is needed, and changes nothing there', async () => {
      const account = server.openAccount({ name: 'Hidden' })
      expect(await inspected(server.keyOf(account, NEEDED))).toMatchObject({
        ...{ id: account.id, name: null, payouts: null, methods: ['Cards'], takesPayments: true },
      })
      expect(await inspected(server.keyOf(account, [...NEEDED, ...HELPFUL]))).toMatchObject({
        ...{ id: account.id, name: 'Hidden', payouts: { enabled: true } },
      })
      const { sessions, intents, refunds, events } = account.bank
      expect([sessions.size, intents.size, refunds.size, events.length]).toEqual([0, 0, 0, 0])
    })
  })

  describe('refuses a key', () => {
    it.each([
      ['pk_live_5123456789', 'This is a publishable key, which cannot take payments.'],
      ['whsec_5123456789', 'This is the signing secret of a webhook.'],
      ['my key', 'This is not a key of Stripe.'],
      ['sk_org_live_5123456789', 'This is not a key of Stripe.'],
      ['', 'This is not a key of Stripe.'],
    ])('that cannot be one, without sending it anywhere: %s', async (key, message) => {
      const before = server.received.length
      const error = await inspected(key).catch((caught: unknown) => caught)
      expect(error).toEqual(refused(expect.stringContaining(message)))
      expect(error).toHaveProperty('message', expect.stringContaining('begins with rk_live_'))
      if (key) expect(everythingIn(error)).not.toContain(key)
      await expect(connector.listen(key, NOTICES)).rejects.toThrow(message)
      expect(() => opened(key)).toThrow(KeyRefusedError)
      expect(server.received).toHaveLength(before)
    })

    it('that Stripe does not know, or no longer', async () => {
      const account = server.openAccount()
      const [revoked, expired] = [server.keyOf(account), server.keyOf(account)]
      server.endKey(revoked)
      server.endKey(expired, 'expired')
      for (const [key, message] of [
        ['rk_live_unknown_1', 'The Stripe key is not known to Stripe: it was deleted, or not copied in full.'],
        [revoked, 'The Stripe key is not known to Stripe: it was deleted, or not copied in full.'],
        [expired, 'The Stripe key has expired or was revoked.'],
      ] as const) {
        const error = await inspected(key).catch((caught: unknown) => caught)
        expect(error).toEqual(refused(expect.stringContaining(message)))
        expect(everythingIn(error)).not.toContain(key)
      }
    })

    it.each(Object.entries(PERMISSIONS))('that lacks %s, by the name that its owner reads', async (slug, title) => {
      const key = server.keyOf(
        server.openAccount(),
        NEEDED.filter((one) => one !== slug),
      )
      await expect(inspected(key)).rejects.toEqual(
        refused(
          `The Stripe key lacks a permission: ${title}. Edit the key in Stripe's dashboard, or make another one.`,
          'permission',
        ),
      )
    })

    it('that lacks several permissions, with all of them', async () => {
      const key = server.keyOf(server.openAccount(), HELPFUL)
      const all = Object.values(PERMISSIONS).join(', ')
      await expect(inspected(key)).rejects.toThrow(`The Stripe key lacks permissions: ${all}.`)
      expect(connector.permissions).toEqual(Object.values(PERMISSIONS))
    })
  })

  it('says what to check where Stripe does not say what a key lacks', () => {
    const fault = { type: 'StripePermissionError', message: 'This API key cannot be used from 203.0.113.1.' }
    const message =
      "The Stripe key may not do this. In Stripe's dashboard, check its permissions and the IP addresses that may use it."
    expect(explained(fault, 'account')).toEqual(refused(message, 'permission', PermissionMissingError))
  })

  it('has its permissions in the guide for merchants', () => {
    const guide = readFileSync(new URL('../../../docs/guides/providers.md', import.meta.url), 'utf8')
    const [, write = '', read = ''] = /\n\| (Checkout Sessions.*?) \| (.*?) \|/.exec(guide) ?? []
    const named = [...write.split(', ').map((one) => `${one}: Write`), ...read.split(', ').map((one) => `${one}: Read`)]
    expect(named.toSorted()).toEqual([...connector.permissions].toSorted())
  })

  it('leads to the page of Stripe that makes a key with these permissions', () => {
    const url = new URL(connector.newKeyUrl(true))
    expect(url.origin + url.pathname).toBe('https://dashboard.stripe.com/apikeys/create')
    expect(new URL(connector.newKeyUrl(false)).pathname).toBe('/test/apikeys/create')
    const named = url.searchParams.getAll('permissions[]')
    expect(named).toEqual(expect.arrayContaining([...NEEDED, ...HELPFUL]))
  })

  describe('has Stripe post notices', () => {
    it('of all events that are read, in our version, and takes them with the secret that Stripe gave', async () => {
      const account = server.openAccount()
      const key = server.keyOf(account, NEEDED)
      const { id, secret } = await connector.listen(key, NOTICES)
      const endpoint = account.endpoints.get(id)!
      expect(endpoint).toMatchObject({ url: NOTICES, api_version: API_VERSIONS.stripe.version })
      const provider = opened(key, [secret])
      const { reference } = paid(await payAt(account, provider))
      await provider.refund({ accountId, key: newKey(), amount: 100, currency: 'usd', reference, attempt: 1 })
      account.bank.dispute(reference, 'needs_response')
      const read = account.bank.events.map(async (event) => {
        expect(endpoint.enabled_events).toContain(event.type)
        const { body, headers } = server.signed(event, { secret })
        return provider.readNotice(new TextEncoder().encode(body), () => headers['stripe-signature'])
      })
      expect((await Promise.all(read)).map((notice) => notice?.kind)).toEqual([
        'payment',
        'payment',
        'refund',
        'dispute',
      ])
      const other = server.signed(account.bank.events[0]!)
      const read2 = provider.readNotice(new TextEncoder().encode(other.body), () => other.headers['stripe-signature'])
      await expect(read2).rejects.toThrow('no valid signature')
    })

    it('once for each URL, however often it is asked', async () => {
      const account = server.openAccount()
      const key = server.keyOf(account)
      const first = await connector.listen(key, NOTICES)
      await connector.listen(key, `${NOTICES}?other`)
      const second = await connector.listen(key, NOTICES)
      expect(second.secret).not.toBe(first.secret)
      expect([...account.endpoints.values()].map(({ url }) => url)).toEqual([`${NOTICES}?other`, NOTICES])
      await connector.stopListening(key, first.id)
      await connector.stopListening(key, second.id)
      expect(account.endpoints.size).toBe(1)
    })

    it('or says why Stripe does not', async () => {
      const account = server.openAccount()
      const key = server.keyOf(account)
      const wrong = await connector.listen(key, 'shop.example/notices').catch((caught: unknown) => caught)
      expect(wrong).toBeInstanceOf(ConnectionRefusedError)
      expect(wrong).not.toBeInstanceOf(KeyRefusedError)
      expect(wrong).toMatchObject({ message: /^Stripe does not post notices to this service: Invalid URL/ })
      const reader = server.keyOf(account, ['rak_checkout_session_write'])
      const lacking = 'The Stripe key lacks the permission Webhook Endpoints: Write. '
      await expect(connector.listen(reader, NOTICES)).rejects.toEqual(
        refused(expect.stringContaining(lacking), 'permission', PermissionMissingError),
      )
      server.endKey(key)
      await expect(connector.listen(key, NOTICES)).rejects.toThrow(KeyRefusedError)
      await expect(connector.stopListening(key, 'we_any')).rejects.toThrow(KeyRefusedError)
    })
  })

  describe('opens a provider', () => {
    it('that is live as its key is', () => {
      const [live, test] = ['rk_live_1234567', 'rk_test_1234567'].map((key) => opened(key))
      expect(live).toMatchObject({
        name: 'connection_1',
        title: 'Stripe',
        noticesPath: '/notices/1',
        live: true,
        missing: [],
      })
      expect(test).toMatchObject({ live: false, reason: 'Stripe is set up with a test key, so payments are not real.' })
    })

    it('that throws in all that it does once its key has ended, and repeats nothing of the key', async () => {
      const account = server.openAccount()
      const key = server.keyOf(account)
      const provider = opened(key)
      const { reference, method } = paid(await payAt(account, provider))
      server.endKey(key)
      const money = { accountId, amount: 100, currency: 'usd' }
      for (const asked of [
        () => provider.collect(request()),
        () => provider.charge({ ...money, key: newKey(), description: 'October', method, attempt: 1 }),
        () => provider.charge({ ...money, key: newKey(), description: 'October', method, attempt: 2 }),
        () => provider.refund({ ...money, key: newKey(), reference, attempt: 1 }),
        () => provider.lookUp({ accountId, key: 'any', reference }),
        () => provider.abandon({ accountId, key: 'any', reference }),
      ]) {
        const error = await asked().catch((caught: unknown) => caught)
        expect(error).toEqual(refused(expect.stringContaining('The Stripe key is not known to Stripe')))
        expect(everythingIn(error)).not.toContain(key)
      }
      expect(account.bank.intents.size).toBe(1)
    })

    it('that names the permission which its key has lost', async () => {
      const account = server.openAccount()
      const { reference } = paid(await payAt(account, opened(server.keyOf(account))))
      const without = opened(server.keyOf(account, ['rak_checkout_session_write', 'rak_payment_intent_write']))
      const refund = { accountId, key: newKey(), amount: 100, currency: 'usd', reference, attempt: 1 }
      expect(await without.refund(refund)).toMatchObject({
        state: 'failed',
        message: expect.stringContaining('lacks the permission Charges and Refunds: Write'),
      })
    })

    it('that sees nothing of another account, or of the other mode', async () => {
      const account = server.openAccount()
      const live = server.openAccount({ id: account.id, live: true })
      const { reference, method } = paid(await payAt(account, opened(server.keyOf(account))))
      for (const other of [server.openAccount(), live]) {
        const provider = opened(server.keyOf(other))
        const money = { accountId, key: newKey(), amount: 100, currency: 'usd' }
        await expect(provider.lookUp({ accountId, key: 'any', reference })).rejects.toThrow(
          'no longer has this payment',
        )
        expect(await provider.refund({ ...money, reference, attempt: 1 })).toMatchObject({
          state: 'failed',
          message: /^No such/,
        })
        const charge = { ...money, method, description: 'October', attempt: 1 }
        expect(await provider.charge(charge)).toMatchObject({ state: 'failed', message: /^No such/ })
        expect([other.bank.intents.size, other.bank.refunds.size]).toEqual([0, 0])
      }
      expect(account.bank.refunds.size).toBe(0)
    })

    it('that ignores notices which name another account of ours, since anybody can write its id at Stripe', async () => {
      const account: StripeAccount = server.openAccount()
      const provider = opened(server.keyOf(account), ['whsec_own'])
      await payAt(account, provider)
      for (const event of account.bank.events) {
        const object = event.data.object as { metadata: Record<string, string> }
        object.metadata.account = 'acct_another'
        const { body, headers } = server.signed(event, { secret: 'whsec_own' })
        const read = provider.readNotice(new TextEncoder().encode(body), () => headers['stripe-signature'])
        expect(await read).toBeNull()
      }
    })
  })
})

describe('The stand-in for Stripe', () => {
  const server = new StripeServer()
  beforeAll(() => server.open())
  afterAll(() => server.close())

  const key = server.keyOf(server.own)
  const asked = (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      body,
      headers: {
        authorization: `Bearer ${key}`,
        'stripe-version': API_VERSIONS.stripe.version,
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
    })

  it.each([
    ['amount=5&currency=usd&colour=red', { code: 'parameter_unknown', param: 'colour' }],
    ['amount=5&currency=usd&off_session=true&transfer_data[colour]=red', { param: 'transfer_data[colour]' }],
    ['amount=5&currency=usd&capture_method=later', { param: 'capture_method' }],
    ['amount=five&currency=usd', { code: 'parameter_invalid_integer', param: 'amount' }],
    ['currency=usd', { code: 'parameter_missing', param: 'amount' }],
    ['amount=5&currency=usd&metadata[a][b]=1', { param: 'metadata' }],
  ])('refuses what Stripe’s types do not have: %s', async (body, error) => {
    const answer = await asked('/v1/payment_intents', body)
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: { type: 'invalid_request_error', ...error } },
    ])
  })

  it('refuses another version, another type of content, and fees of accounts that are not connected', async () => {
    const body = 'amount=5&currency=usd'
    for (const [path, sent, headers, message] of [
      ['/v1/payment_intents', body, { 'stripe-version': '2024-06-20' }, /API version/],
      ['/v1/payment_intents', '{}', { 'content-type': 'application/json' }, /Content-Type/],
      ['/v2/core/accounts', '{}', {}, /Content-Type/],
      ['/v1/payment_intents', body, { 'stripe-account': 'acct_other' }, /does not have access to account 'acct_other'/],
    ] as const) {
      const answer = await asked(path, sent, headers)
      expect(await answer.json()).toMatchObject({ error: { message } })
    }
  })
})
