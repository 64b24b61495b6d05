import { beforeAll, describe, expect, it } from 'vitest'
import { recovered } from '../../src/pages/dashboard/recover/recover.ts'
import { fieldsOf, type Person, signIn } from '../support/person.ts'
import { DECLINED, pay, priceForSale } from '../support/sell.ts'
import { onGateEngine } from '../support/shop.ts'
import { words } from '../support/words.ts'

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
      [{ back: 1000, open: 2000 }, '$10.00 100% of the $10.00 that was decided; $20.00 still open'],
      [{ back: 1000, lost: 3000 }, '$10.00 25% of the $40.00 that was decided; $30.00 lost'],
    ])('say which share of the decided amounts came back: %j', ({ back = 0, lost = 0, open = 0 }, expected) => {
      const row = (amount: number) => (amount > 0 ? [{ currency: 'usd', amount, subscriptions: 1, invoices: 0 }] : [])
      const some = row(back).map((one) => ({ ...one, recovered_by: 'retry' as const, orders: 1 }))
      expect(words(String(recovered({ recovered: some, lost: row(lost) }, row(open), 'usd'))).trim()).toBe(expected)
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
