import { beforeAll, describe, expect, it } from 'vitest'
import { recovered } from '../../src/pages/dashboard/recover/recover.ts'
import { ownerOf } from '../support/dashboard.ts'
import { fieldsOf, type Person, signIn } from '../support/person.ts'
import { rehearse } from '../support/rehearsal.ts'
import { DECLINED, pay, priceForSale } from '../support/sell.ts'
import { onGateEngine } from '../support/shop.ts'
import { words } from '../support/words.ts'

const FAILS_AT_RENEWAL = '4000000000000341'
const BASE = '/dashboard/my-shop'

describe('The pages of failed payments and letters', () => {
  onGateEngine((shop) => {
    let person: Person
    beforeAll(async () => {
      person = await signIn(shop.running)
    })

    it('say of an order why its payment failed, and give the link to pay it', async () => {
      const price = await priceForSale(shop, { amount: 1500 })
      const email = 'buyer@example.com'
      const open = await shop.post('/checkouts', { line_items: [{ price_variant: price.id }], email })
      await pay(shop, open.id, { card: DECLINED })
      const [order] = (await shop.get('/orders?status=failed')).data
      const page = await person.get(`${BASE}/orders/${order.id}`)
      expect(words(page.html)).toContain('The bank declined the card and did not say why.')
      expect(fieldsOf(page.html, `${BASE}/recover/link`).order).toBe(order.id)
      const link = await person.submit(`${BASE}/orders/${order.id}`, {}, `${BASE}/recover/link`)
      expect([link.status, link.html.includes(open.url)]).toEqual([200, true])
      const mailed = await person.submit(`${BASE}/orders/${order.id}`, {}, `${BASE}/recover/mail`)
      expect(mailed.location).toBe(`${BASE}/orders/${order.id}?done=sent`)
      expect(words((await person.get(`${BASE}/recover`)).html)).toContain('Every subscription is paid.')
    })

    it.each<[{ back?: number; lost?: number; open?: number }, string]>([
      [{}, '$0.00 Nothing recovered, nothing lost'],
      [{ open: 2000 }, '$0.00 $20.00 still open'],
      [{ back: 1000, open: 2000 }, '$10.00 $20.00 still open 1 of 1 unpaid renewal recovered'],
      [{ back: 1000, lost: 3000 }, '$10.00 $30.00 lost 1 of 2 unpaid renewals recovered'],
    ])('say what came back, what is lost and what is open: %j', ({ back = 0, lost = 0, open = 0 }, expected) => {
      const row = (amount: number) => (amount > 0 ? [{ currency: 'usd', amount, subscriptions: 1, invoices: 0 }] : [])
      const some = row(back).map((one) => ({ ...one, recovered_by: 'retry' as const, orders: 1 }))
      const periods = { periods_recovered: some.length, periods_lost: row(lost).length }
      const window = { recovered: some, lost: row(lost), ...periods }
      expect(words(String(recovered(window, row(open), 'usd'))).trim()).toBe(expected)
    })

    it('ask before a saved card is charged, and say on the page one came from why that failed', async () => {
      const life = await rehearse(shop)
      const {
        id,
        customer,
        current_period_end: end,
      } = await life.subscribe({ amount: 2900 }, { card: FAILS_AT_RENEWAL })
      await life.past(end)
      const { caller } = await ownerOf(life.shop)
      const owner = await signIn(shop.running, caller.userId)
      const base = `/dashboard/${(await life.shop.get('/account')).subdomain}`
      const { method } = await life.shop.db
        .selectFrom('subscriptions')
        .select('method')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      await life.shop.set('subscriptions', id, {
        method: JSON.stringify({ ...JSON.parse(method!), card: 'Visa ending in 4242' }),
      })
      const charge = async () => {
        const { html } = await owner.get(`${base}/recover`)
        const [, link = ''] = /href="([^"]+)">Charge \$29\.00 now/.exec(html) ?? []
        const asked = await owner.get(link.replaceAll('&amp;', '&'))
        expect(words(asked.html)).toContain('Charge $29.00 now?')
        expect(words(asked.html)).toContain(
          `Visa ending in 4242 of ${(await life.shop.get(`/customers/${customer}`)).email} is charged $29.00`,
        )
        const { location } = await owner.post(`${base}/recover/charge`, fieldsOf(asked.html, `${base}/recover/charge`))
        return [location, words((await owner.get(location!)).html)]
      }
      expect(await charge()).toEqual([
        `${base}/recover?done=failed`,
        expect.stringMatching(/The payment of \$29\.00 failed\. .+ Another try may work/),
      ])
      expect(await life.subscription(id)).toMatchObject({ failed_payments_count: 2 })
      await life.shop.set('subscriptions', id, {
        method: JSON.stringify({ token: 'succeeds', card: 'Visa ending in 4242' }),
      })
      expect(await charge()).toEqual([`${base}/recover?done=done`, expect.stringContaining('$29.00 was charged.')])
      const late = await owner.get(`${base}/recover/charge?subscription=${id}&back=/subscriptions/${id}`)
      expect(late.location).toBe(`${base}/subscriptions/${id}?done=failed`)
    })

    it('lead back to the page of a button whose operation refuses, which says why', async () => {
      const price = await priceForSale(shop)
      const { id } = await shop.post('/invoices', {
        ...{ price_variant: price.id, due_at: '2099-01-01T00:00:00Z', email_address: 'bill@example.com' },
      })
      const path = `${BASE}/invoices/${id}`
      const form = fieldsOf((await person.get(path)).html, `${BASE}/recover/mail`)
      await shop.post(`/invoices/${id}/void`)
      const { location } = await person.post(`${BASE}/recover/mail`, form)
      expect(location).toBe(`${path}?done=failed`)
      expect((await person.get(location!)).html).toContain(
        '<p class="notice bad" role="alert">The payment link was not',
      )
      const headers = { Referer: `${shop.running.url}${BASE}/settings/export` }
      const csrf = { csrf: form.csrf! }
      const gone = await person.post(`${BASE}/webhook_events/none/resend`, csrf, headers)
      expect(gone.status).toBe(404)
    })

    it('show each letter in both parts, and what was written', async () => {
      const settings = await person.get(`${BASE}/settings/letters`)
      expect(settings.status).toBe(200)
      const letters = [...settings.html.matchAll(/letters\/preview\/(\w+)"/g)].map(([, letter]) => letter)
      expect(letters).toHaveLength(14)
      for (const letter of letters) {
        expect((await person.get(`${BASE}/settings/letters/preview/${letter}`)).status).toBe(200)
        expect((await person.get(`${BASE}/settings/letters/html/${letter}`)).html).toContain('<!doctype html>')
      }
      await person.submit(`${BASE}/settings/letters`, { sales: 'true' }, `${BASE}/settings/letters/own`)
      const { id } = await shop.customer()
      const mail = await shop.post('/emails', { customer: id, subject: 'Hello', text: 'See you at 10.' })
      expect(words((await person.get(`${BASE}/emails/${mail.id}`)).html)).toContain('See you at 10.')
    })
  })
})
