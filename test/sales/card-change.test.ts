import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { vaultOf } from '../../src/access/vault.ts'
import { requireRow } from '../../src/records/records.ts'
import type { Services } from '../../src/records/services.ts'
import { accessUrl } from '../../src/resources/content/experience/access.ts'
import { SALE_EVENTS } from '../../src/resources/sales/payment/events.ts'
import { chargeNextPeriod } from '../../src/resources/sales/subscription/jobs.ts'
import { Subscription } from '../../src/resources/sales/subscription/subscription.ts'
import { type Seen, Visitor } from '../pages/visitor.ts'
import { SECRET_KEY } from '../support/app.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { type Body, onGateEngine, Shop } from '../support/shop.ts'
import { StripeServer } from '../support/stripe-server.ts'

const MONTHLY = { amount: 2900, billing_type: 'subscription', recurring_interval: 'month' }

const accessOf = (shop: Shop, customer: string): string => {
  const services = { vault: vaultOf(SECRET_KEY) } as Services
  return accessUrl({ services, publicUrl: shop.running.url }, customer)
}
const cardAt = (shop: Shop, customer: string) => `${accessOf(shop, customer)}/-/card`

/** Charges the next period, as the job does that falls due. */
async function renew(shop: Shop, id: string): Promise<void> {
  const { pipeline, database } = shop.running.app
  const caller = { kind: 'job', accountId: shop.accountId, jobId: 'a-test' } as const
  const due = async (context: Parameters<typeof chargeNextPeriod>[0]) =>
    chargeNextPeriod(context, await requireRow(context, Subscription, id))
  await pipeline.contexts.part(database, caller, SALE_EVENTS, due, { inTurn: true })
  await shop.settled()
}

describe('A buyer who replaces the card of a subscription at Stripe', () => {
  const stripe = new StripeServer()
  const shop = new Shop()
  let price: Body
  beforeAll(async () => {
    await stripe.open()
    await shop.open('sqlite', stripe.settings)
    price = await priceForSale(shop, MONTHLY)
  })
  afterAll(async () => {
    await shop.close()
    await stripe.close()
  })

  const newest = () => [...stripe.bank.sessions.values()].at(-1)!
  /** Posts what Stripe has to tell, each twice; gives the statuses of the answers. */
  const told = async (arranged = (events: Body[]) => events): Promise<number[]> => {
    const statuses: number[] = []
    const events = arranged(stripe.bank.events.splice(0))
    for (const event of [...events, ...events]) {
      const { body, headers } = stripe.signed(event)
      const url = `${shop.running.url}/payments/stripe/notices`
      statuses.push((await fetch(url, { method: 'POST', body, headers })).status)
    }
    await shop.settled()
    return statuses
  }
  const subscribed = async (card: 'pays' | 'fails_later' = 'pays'): Promise<{ id: string; customer: string }> => {
    const email = `ada-${stripe.bank.sessions.size}@example.com`
    const checkout = await shop.post('/checkouts', { line_items: [{ price_variant: price.id }], email })
    const buyer = new Visitor(shop.running.url)
    await buyer.press(await buyer.open(checkout.url), 'pay')
    stripe.bank.enterCard(newest().id, card)
    await told()
    const { subscription, customer } = await shop.get(`/checkouts/${checkout.id}`)
    return { id: subscription, customer }
  }
  const methodOf = async (id: string): Promise<string> => {
    const row = shop.db.selectFrom('subscriptions').select(['provider', 'method']).where('id', '=', id)
    const { provider, method } = await row.executeTakeFirstOrThrow()
    expect(provider).toBe('stripe')
    return JSON.parse(method!).token
  }
  /** The buyer presses the button, and is sent to Stripe. */
  const begun = async (
    customer: string,
  ): Promise<{ buyer: Visitor; page: Seen; session: ReturnType<typeof newest> }> => {
    const buyer = new Visitor(shop.running.url)
    const page = await buyer.press(await buyer.open(cardAt(shop, customer)), 'change')
    return { buyer, page, session: newest() }
  }

  it('enters it on a page of Stripe where nothing is taken, and it is charged at the next renewal', async () => {
    const { id, customer } = await subscribed()
    const first = await methodOf(id)
    const home = await new Visitor(shop.running.url).open(accessOf(shop, customer))
    expect(home.html).toContain(`href="${cardAt(shop, customer)}"`)
    const { buyer, page, session } = await begun(customer)
    expect(page.headers.get('refresh')).toBe(`0; url=${session.url}`)
    expect(session).toMatchObject({ mode: 'setup', amount_total: 0, payment_status: 'no_payment_required' })
    expect(session.success_url).toBe(`${cardAt(shop, customer)}?payment=done`)
    expect(await methodOf(id)).toBe(first)
    stripe.bank.enterCard(session.id, 'pays')
    const back = await buyer.follow(session.success_url)
    expect(back.text).toContain('Your new card is saved.')
    const second = await methodOf(id)
    expect(second).not.toBe(first)
    expect(await told()).toEqual([200, 200])
    await renew(shop, id)
    const charged = stripe.received.findLast(
      ({ method, path }) => method === 'POST' && path.endsWith('/payment_intents'),
    )
    expect(`${charged!.params.customer}/${charged!.params.payment_method}`).toBe(second)
    expect(await shop.get(`/subscriptions/${id}`)).toMatchObject({ status: 'active', payments_count: 2 })
    expect(await methodOf(id)).toBe(second)
  })

  it('has it saved by the notice alone, once, in whichever order notices come', async () => {
    const { id, customer } = await subscribed()
    const { session } = await begun(customer)
    stripe.bank.enterCard(session.id, 'pays')
    expect(await told((events) => events.toReversed())).toEqual([200, 200])
    const second = await methodOf(id)
    // A later change is not undone by the notice of the one before it.
    const before = stripe.signed({ id: 'evt_again', type: 'checkout.session.completed', data: { object: session } })
    const again = await begun(customer)
    stripe.bank.enterCard(again.session.id, 'pays')
    await told()
    const third = await methodOf(id)
    expect(third).not.toBe(second)
    const late = { method: 'POST', body: before.body, headers: before.headers }
    expect((await fetch(`${shop.running.url}/payments/stripe/notices`, late)).status).toBe(200)
    expect(await methodOf(id)).toBe(third)
  })

  it('pays what is past due with it, at the next try', async () => {
    const { id, customer } = await subscribed('fails_later')
    await renew(shop, id)
    expect(await shop.get(`/subscriptions/${id}`)).toMatchObject({ status: 'past_due' })
    const { buyer, session } = await begun(customer)
    stripe.bank.enterCard(session.id, 'pays')
    await buyer.follow(session.success_url)
    await renew(shop, id)
    expect(await shop.get(`/subscriptions/${id}`)).toMatchObject({ status: 'active' })
  })

  it('keeps a card that was entered while the one before it was being charged', async () => {
    const { id, customer } = await subscribed()
    stripe.breaks('answer_lost')
    const { pipeline, database } = shop.running.app
    const caller = { kind: 'job', accountId: shop.accountId, jobId: 'a-test' } as const
    await pipeline.contexts.part(
      database,
      caller,
      SALE_EVENTS,
      async (context) => chargeNextPeriod(context, await requireRow(context, Subscription, id)),
      { inTurn: true },
    )
    await expect.poll(() => stripe.bank.events.map(({ type }) => type)).toContain('payment_intent.succeeded')
    const renewal = stripe.bank.events.splice(0)
    const { buyer, session } = await begun(customer)
    stripe.bank.enterCard(session.id, 'pays')
    await buyer.follow(session.success_url)
    const second = await methodOf(id)
    stripe.bank.events.unshift(...renewal)
    await told()
    expect(await shop.get(`/subscriptions/${id}`)).toMatchObject({ payments_count: 2 })
    expect(await methodOf(id)).toBe(second)
  })

  it('keeps the present one when the page expires, when they turn back, and when they only say that it is done', async () => {
    const { id, customer } = await subscribed()
    const first = await methodOf(id)
    const { buyer, session } = await begun(customer)
    const back = await buyer.open(session.cancel_url)
    expect(back.text).toContain('Use another card')
    const said = await buyer.open(session.success_url)
    expect(said.headers.get('refresh')).toBe('3')
    // Whoever presses again goes on to the same page.
    const sessions = stripe.bank.sessions.size
    const again = await buyer.press(back, 'change')
    expect(again.headers.get('refresh')).toBe(`0; url=${session.url}`)
    expect(stripe.bank.sessions.size).toBe(sessions)
    stripe.bank.expireSession(session.id)
    expect(await told()).toEqual([200, 200])
    expect((await buyer.open(`${cardAt(shop, customer)}?saved`)).text).toContain('keep their present card')
    expect(await methodOf(id)).toBe(first)
  })

  it('is the only one who reaches the page', async () => {
    const [one, other] = [await subscribed(), await subscribed()]
    const visitor = new Visitor(shop.running.url)
    const capability = accessOf(shop, other.customer).split('/').at(-1)
    const wrong = `/access/${one.customer}/${capability}/-/card`
    expect((await visitor.open(wrong)).status).toBe(404)
    const sessions = stripe.bank.sessions.size
    const post = { method: 'POST', body: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    expect((await visitor.open(wrong, post)).status).toBe(404)
    const foreign = { ...post, headers: { ...post.headers, 'sec-fetch-site': 'cross-site' } }
    expect((await visitor.open(cardAt(shop, one.customer), foreign)).status).toBe(403)
    expect(stripe.bank.sessions.size).toBe(sessions)
    const page = await visitor.open(cardAt(shop, one.customer))
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.headers.get('cache-control')).toBe('no-store')
  })

  it('needs a subscription that goes on', async () => {
    const { id, customer } = await subscribed()
    await shop.post(`/subscriptions/${id}/cancel`, { immediately: true })
    const visitor = new Visitor(shop.running.url)
    const page = await visitor.open(cardAt(shop, customer))
    expect(page.text).toContain('You have no subscription that is charged to a card.')
    expect((await visitor.open(accessOf(shop, customer))).html).not.toContain('/-/card')
    const sessions = stripe.bank.sessions.size
    const post = { method: 'POST', body: 'do=change', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    expect((await visitor.open(cardAt(shop, customer), post)).status).toBe(303)
    expect(stripe.bank.sessions.size).toBe(sessions)
  })

  it('is offered the wallets of Stripe’s page, since none is turned off', () => {
    const sessions = stripe.received.filter(({ method, path }) => method === 'POST' && path === '/v1/checkout/sessions')
    expect(sessions.length).toBeGreaterThan(5)
    for (const { params } of sessions) {
      expect(params.allowed_payment_method_types).toEqual({ 0: 'card' })
      expect(Object.keys(params)).not.toEqual(expect.arrayContaining(['wallet_options']))
      expect(Object.keys(params)).not.toEqual(expect.arrayContaining(['payment_method_options']))
    }
  })
})

describe('A buyer who replaces the test card of a subscription', () => {
  onGateEngine((shop) => {
    it('enters another test card, and no real one', async () => {
      const price = await priceForSale(shop, MONTHLY)
      const { customer, subscription: id } = await sell(shop, [{ price_variant: price.id }])
      const token = async () => {
        const row = shop.db.selectFrom('subscriptions').select('method').where('id', '=', id)
        return (await row.executeTakeFirstOrThrow()).method
      }
      const before = await token()
      const buyer = new Visitor(shop.running.url)
      const page = await buyer.open(cardAt(shop, customer.id))
      expect(page.text).toContain('Test mode')
      const wrong = await buyer.post(page, 'change', { card: '4111111111111111' })
      expect(wrong.status).toBe(422)
      expect(wrong.html).not.toContain('4111111111111111')
      const declined = await buyer.press(page, 'change', { card: '4000000000000002' })
      expect(declined.text).toContain('keep their present card')
      expect(await token()).toBe(before)
      const done = await buyer.press(page, 'change', { card: '4000000000000341' })
      expect(done.text).toContain('Your new card is saved.')
      expect(await token()).not.toBe(before)
    })
  })
})
