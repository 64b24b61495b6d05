import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeNotice } from '../../src/http/payment-notices.ts'
import { BodyReader } from '../../src/pipeline/body-reader.ts'
import type { Notice } from '../../src/providers/payments/provider.ts'
import { createPayments } from '../../src/providers/payments/registry.ts'
import { type RunningApp, startApp } from '../support/app.ts'
import { STRIPE_KEY, STRIPE_WEBHOOK_SECRET, StripeServer } from '../support/stripe-server.ts'

const PATH = '/payments/stripe/notices'
const foreign = { type: 'customer.created', data: { object: { id: 'cus_1' } } }

describe('The address for notices of Stripe', () => {
  let stripe: StripeServer
  let shop: RunningApp
  beforeAll(async () => {
    stripe = await new StripeServer().open()
    shop = await startApp({ settings: stripe.settings })
  })
  afterAll(async () => {
    await shop.close()
    await stripe.close()
  })

  const post = (body: string | ReadableStream, headers: Record<string, string> = {}) =>
    fetch(`${shop.url}${PATH}`, { method: 'POST', body, headers, ...(typeof body !== 'string' && { duplex: 'half' }) })

  it('takes what is signed, from the bytes as they came', async () => {
    const { body, headers } = stripe.signed({ ...foreign, note: 'Größe  "1" \u2028' })
    const answer = await post(body, headers)
    expect([answer.status, await answer.json()]).toEqual([200, { received: true }])
  })

  it('refuses what is not, in the form of other errors', async () => {
    const { body } = stripe.signed(foreign)
    const answer = await post(body, { 'stripe-signature': 't=1,v1=00' })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { code: 'parameter_invalid', message: /no valid signature/ } })
    expect((await post('', {})).status).toBe(400)
    expect((await fetch(`${shop.url}${PATH}`)).status).toBe(404)
  })

  it('refuses what is longer than 256 kB before it has read it', async () => {
    expect((await post('x'.repeat(256_001))).status).toBe(413)
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(64_000)) })
    expect((await post(endless)).status).toBe(413)
  })

  it('exists only where Stripe is set up', async () => {
    const without = await startApp()
    const answer = await fetch(`${without.url}${PATH}`, { method: 'POST', body: '{}' })
    expect(answer.status).toBe(404)
    await without.close()
  })

  it('asks for a notice again that could not be applied, and logs no secret', async () => {
    const applied: Notice[] = []
    const logged: object[] = []
    const provider = createPayments(stripe.settings).named('stripe')
    const begun = await provider.collect({
      accountId: 'acct_1',
      key: 'pay_1',
      amount: 100,
      currency: 'usd',
      description: 'Book',
      email: 'ada@example.com',
      saveMethod: false,
      returnUrl: shop.url,
    })
    stripe.bank.enterCard(begun.reference!, 'pays')
    const event = stripe.bank.events.find(({ type }) => type === 'checkout.session.completed')!
    const take = (onNotice: (notice: Notice) => Promise<void>) => {
      const { body, headers } = stripe.signed(event)
      const request = new Request(shop.url, { method: 'POST', body, headers })
      const log = { error: (details: object) => logged.push(details) }
      const parts = { onNotice, bodies: new BodyReader(), log }
      const header = (name: string) => request.headers.get(name)
      return takeNotice(provider, parts, { request, address: '127.0.0.1', header, requestId: 'req_notice' })
    }
    const broken = take(() => Promise.reject(new Error('The database is away')))
    await expect(broken).rejects.toMatchObject({ code: 'overloaded', status: 503 })
    expect(logged).toMatchObject([
      { provider: 'stripe', requestId: 'req_notice', err: { message: 'The database is away' } },
    ])
    stripe.breaks('unavailable')
    await expect(take(async () => {})).rejects.toMatchObject({ status: 503 })
    expect(logged).toHaveLength(2)
    expect(String(logged.map((one) => Reflect.get(one, 'err')))).not.toMatch(
      new RegExp(`${STRIPE_KEY}|${STRIPE_WEBHOOK_SECRET}`),
    )
    await take(async (notice) => void applied.push(notice))
    expect(applied).toMatchObject([
      { kind: 'payment', accountId: 'acct_1', key: 'pay_1', outcome: { state: 'succeeded' } },
    ])
  })
})
