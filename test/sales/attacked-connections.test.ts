import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  deleteAccount,
  endWebhooksOfDeleted,
  finishDeletions,
} from '../../src/resources/company/account/life/delete.ts'
import { paymentSettings } from '../../src/resources/dashboard/payment-settings/settings.ts'
import { ConnectedShop } from '../support/connected.ts'
import { memberOf, ownerOf } from '../support/dashboard.ts'
import { signIn } from '../support/person.ts'
import { type Body, onGateEngine } from '../support/shop.ts'
import type { StripeAccount } from '../support/stripe-account.ts'
import { StripeServer } from '../support/stripe-server.ts'
import { words } from '../support/words.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NEEDED = [
  ...['rak_checkout_session_write', 'rak_payment_intent_write', 'rak_setup_intent_read', 'rak_payment_method_read'],
  ...['rak_charge_write', 'rak_dispute_write', 'rak_webhook_write', 'rak_accounts_kyc_basic_read'],
]
const without = (permission: string) => [
  ...NEEDED.filter((one) => one !== permission),
  permission.replace('write', 'read'),
]

const stripe = await new StripeServer().open()
afterAll(() => stripe.close())

describe('Connections', () => {
  onGateEngine(
    (shop) => {
      let ada: ConnectedShop
      let bob: ConnectedShop
      beforeAll(async () => {
        ada = await new ConnectedShop(shop, stripe).open()
        bob = await new ConnectedShop(shop.as(await shop.running.another('bobs')), stripe).open()
      })

      /** An account that is connected by a key, which ends or loses permissions later. */
      const connected = async (permissions: readonly string[] | 'all' = 'all') => {
        const account = stripe.openAccount()
        const key = stripe.keyOf(account, permissions)
        return { account, key, id: await ada.connect(account, key) }
      }
      const disputed = async (account: StripeAccount): Promise<string> => {
        await ada.sell(account)
        account.bank.dispute([...account.bank.intents.keys()].at(-1)!, 'needs_response')
        await ada.told(account)
        return (await ada.owner.get('/disputes', { limit: 1 })).data[0].id
      }

      it('are not known to other accounts, and not to roles without settings', async () => {
        const { id } = await connected()
        const path = `/payment_settings/connections/${id}`
        const requests = [
          ['POST', '/payment_settings/connections', { key: 'sk_test_unknown_1' }],
          ['POST', '/payment_settings/onboarding'],
          ['POST', `${path}/check`],
          ['POST', `${path}/remove`],
          ['DELETE', path],
        ] as const
        for (const role of ['viewer', 'support', 'editor', 'member'] as const) {
          const person = await memberOf(shop, role)
          await expect(person.read(paymentSettings)).rejects.toMatchObject({ code: 'permission_denied' })
          for (const [method, to, body] of requests)
            expect([role, method, to, (await person.try(method, to, body))[0]]).toEqual([role, method, to, 403])
        }
        for (const [method, to] of requests.slice(2)) {
          const unknown = await bob.owner.try(method, to.replace(id, 'pcon_unknown'))
          expect(await bob.owner.try(method, to)).toEqual(unknown)
          expect(unknown[0]).toBe(404)
        }
        expect(await ada.connectionOf(id)).toMatchObject({ status: 'current' })
      })

      it('without the permission say so of an answer at once, keep it, and send it again', async () => {
        const { account, key } = await connected(NEEDED)
        const id = await disputed(account)
        stripe.limitKey(key, without('rak_dispute_write'))
        await ada.owner.post(`/disputes/${id}/answer`, { answer: 'It was delivered on 3 May.' })
        await shop.settled()
        expect(await ada.owner.get(`/disputes/${id}`)).toMatchObject({
          ...{ status: 'needs_response', response_status: 'refused', can_be_answered: true },
          response_error:
            "The Stripe key lacks the permission Disputes: Write. Add it to the key in Stripe's dashboard.",
        })
        const page = `/dashboard/my-shop/disputes/${id}`
        const person = await signIn(shop.running)
        const shown = words((await person.get(page)).html)
        expect(shown).toContain('Answer by')
        expect(shown).toContain('What is sent with your answer')
        expect((await person.get(`${page}/answer`)).html).toContain('It was delivered on 3 May.</textarea>')
        expect(await ada.sell(account)).toMatchObject({ status: 'complete' })
        stripe.limitKey(key, NEEDED)
        await person.submit(`${page}/answer`, {})
        await shop.settled()
        expect(await ada.owner.get(`/disputes/${id}`)).toMatchObject({
          ...{ status: 'under_review', response_status: 'sent', answer: 'It was delivered on 3 May.' },
        })
      })

      it('send what is known of a sale when an answer goes out again', async () => {
        const { account, key } = await connected(NEEDED)
        const id = await disputed(account)
        stripe.limitKey(key, without('rak_dispute_write'))
        await ada.owner.post(`/disputes/${id}/answer`, { answer: 'It was delivered.' })
        await shop.settled()
        const [policy] = (await shop.get('/legal_pages')).data.filter(({ kind }: Body) => kind === 'refund_policy')
        await shop.patch(`/legal_pages/${policy.id}`, { content: '<p>Within 14 days.</p>', published: true })
        stripe.limitKey(key, NEEDED)
        await ada.owner.post(`/disputes/${id}/answer`, { answer: 'It was delivered.' })
        await shop.settled()
        expect([...account.bank.disputes.values()].at(-1)!.evidence).toMatchObject({
          refund_policy_disclosure: 'Within 14 days.',
        })
      })

      it('without the permission fail a refund, and go on selling', async () => {
        const { account, key } = await connected(NEEDED)
        const { order } = await ada.sell(account)
        stripe.limitKey(key, without('rak_charge_write'))
        await shop.post('/refunds', { order, amount: 100 })
        await shop.settled()
        expect((await shop.get(`/refunds?order=${order}`)).data).toMatchObject([
          { status: 'failed', failure_message: expect.stringContaining('Charges and Refunds: Write') },
        ])
        expect(await ada.sell(account)).toMatchObject({ status: 'complete' })
      })

      it('that were replaced leave new sales where they are when only their key is renewed', async () => {
        const [old, now] = [await connected(), await connected()]
        stripe.endKey(old.key)
        await ada.owner.post(`/payment_settings/connections/${old.id}/check`)
        const renewed = stripe.keyOf(old.account)
        await ada.owner.post('/payment_settings/connections', { key: renewed })
        expect(await ada.connectionOf(old.id)).toMatchObject({ status: 'replaced', refused_reason: null })
        expect(await ada.connectionOf(now.id)).toMatchObject({ status: 'current' })
        await ada.owner.post('/payment_settings/connections', { key: renewed })
        expect(await ada.connectionOf(old.id)).toMatchObject({ status: 'current' })
      })

      it('whose key is refused say so of a notice once, and take it with the next key', async () => {
        const { account, key, id } = await connected()
        const checkout = await ada.begin()
        stripe.endKey(key)
        account.bank.enterCard([...account.bank.sessions.keys()].at(-1)!, 'pays')
        const events = [...account.bank.events]
        const warned = shop.running.warnings.length
        expect(await ada.told(account)).toEqual([503, 503])
        expect(shop.running.errors).toEqual([])
        expect(shop.running.warnings.slice(warned)).toMatchObject([{ provider: id }])
        expect(await ada.connectionOf(id)).toMatchObject({ refused_reason: expect.stringContaining('The Stripe key') })
        await ada.connect(account)
        account.bank.events.push(...events)
        await ada.told(account)
        expect(await shop.get(`/checkouts/${checkout.id}`)).toMatchObject({ status: 'complete' })
      })

      it('have their webhooks ended when their account is deleted, also where Stripe is away at first', async () => {
        const [first, second] = [stripe.openAccount(), stripe.openAccount()]
        await bob.connect(first)
        await bob.connect(second)
        const { database, services } = shop.running.app
        await deleteAccount(database, bob.shop.accountId)
        expect([first, second].map(({ endpoints }) => endpoints.size)).toEqual([1, 1])
        stripe.breaks('unavailable')
        await endWebhooksOfDeleted(database, services)
        expect(first.endpoints.size + second.endpoints.size).toBe(1)
        await endWebhooksOfDeleted(database, services)
        expect(first.endpoints.size + second.endpoints.size).toBe(0)
        const deletions = await shop.db.selectFrom('account_deletions').selectAll().execute()
        expect(deletions).toMatchObject([{ payment_webhooks: null }])
        await finishDeletions(database, Date.now() + 2 * DAY_MS)
      })
    },
    { STRIPE_API_URL: stripe.url },
  )
})

describe('A restored copy', () => {
  onGateEngine(
    (shop) => {
      it('shows the connections of its accounts, and asks nobody by them', async () => {
        const { accountId: account_id, running } = shop
        const now = new Date().toISOString()
        await running.app.database.transaction(async ({ db }) => {
          const row = { account_id, id: 'pcon_1', provider: 'stripe', provider_account: 'acct_1', name: 'Ada’s Books' }
          const key = { sealed_key: null, key_hint: null, sealed_notices_secrets: null, notices_id: null }
          const details = JSON.stringify({ takesPayments: true, methods: [], payouts: null, missing: [] })
          const state = { live: 1, access: 'key', status: 'current', refused_at: null, refused_reason: null } as const
          const times = { created_at: now, updated_at: now }
          await db
            .insertInto('payment_connections')
            .values({ ...row, ...key, ...state, ...times, details })
            .execute()
        })
        const person = await signIn(running)
        const page = words((await person.get('/dashboard/my-shop/settings/payments')).html)
        expect(page).toContain('Stripe: Ada’s Books')
        const owner = await ownerOf(shop)
        expect(await owner.try('POST', '/payment_settings/connections/pcon_1/check')).toMatchObject([
          400,
          { error: { message: 'This service connects no accounts to payment providers.' } },
        ])
      })
    },
    { OUTBOUND_DISABLED: 'true' },
  )
})

const platform = await new StripeServer().open()
afterAll(() => platform.close())

describe('Accounts that the platform has made', () => {
  onGateEngine(
    (shop) => {
      const told = async () => {
        await platform.notifyPlatform(`${shop.running.url}/payments/stripe/connect/notices`)
        await shop.settled()
      }
      /** Begins an account there. */
      const begun = async (name: string) => {
        const one = await new ConnectedShop(shop.as(await shop.running.another(name)), platform).open()
        await one.owner.post('/payment_settings/onboarding')
        const [connection] = (await one.owner.read(paymentSettings)).connections
        const rows = shop.db
          .selectFrom('payment_connections')
          .select('provider_account')
          .where('id', '=', connection!.id)
        const { provider_account } = await rows.executeTakeFirstOrThrow()
        return { one, id: connection!.id, account: platform.account(provider_account) }
      }

      it('do not take the sales from a key that was entered later, unless a person says so', async () => {
        const { one, id, account } = await begun('late')
        const own = await one.connect(platform.openAccount())
        account.completes()
        await told()
        expect(await one.connectionOf(own)).toMatchObject({ status: 'current' })
        await one.owner.post(`/payment_settings/connections/${id}/check`)
        expect(await one.connectionOf(id)).toMatchObject({ status: 'current' })
      })

      it('are not made a second time once they have a key of their own', async () => {
        const { one, account } = await begun('own-key')
        account.completes()
        await told()
        await one.connect(account)
        expect(await one.owner.try('POST', '/payment_settings/onboarding')).toMatchObject([
          400,
          { error: { message: expect.stringContaining('enter a key of it') } },
        ])
      })

      it('go on when a notice of their end comes late', async () => {
        const { one, account } = await begun('late-end')
        account.completes()
        account.disconnects()
        account.platform = platform.own
        await told()
        expect((await one.owner.read(paymentSettings)).taken_by).toBe('connection')
      })
    },
    { ...platform.settings, ...platform.platformSettings },
  )
})
