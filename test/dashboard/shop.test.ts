import { beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, type Person, signIn } from '../support/person.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { type Body, onGateEngine } from '../support/shop.ts'
import { words } from '../support/words.ts'

const BASE = '/dashboard/my-shop'
const HOSTILE = `"'><img src=x onerror=alert(1)><script>alert(1)</script>`

describe('The pages of the shop', () => {
  onGateEngine((shop) => {
    let person: Person
    beforeAll(async () => {
      person = await signIn(shop.running)
    })
    const textOf = async (path: string) => words((await person.get(`${BASE}${path}`)).html)
    const idIn = (location: string | null, noun: string) => new RegExp(`${noun}_[a-z0-9]+`).exec(location ?? '')![0]

    it('make a product with its price, and show both in one place', async () => {
      const price = { kind: 'subscription', amount: '9', recurring_interval: 'month', minimum_amount: '3' }
      const row = Object.fromEntries(Object.entries(price).map(([name, value]) => [`price.0.${name}`, value]))
      const made = await person.submit(`${BASE}/products/new`, { name: 'Pattern club', do: 'publish', ...row })
      const product = idIn(made.location, 'prod')
      expect(made.location).toBe(`${BASE}/products/${product}?done=created`)
      const page = await textOf(`/products/${product}`)
      for (const part of ['$9.00 every month', 'On sale', 'Purchase link', 'No sales in this period'])
        expect(page).toContain(part)
      const [{ id }] = (await shop.get(`/price_variants?product=${product}`)).data
      const free = await person.submit(`${BASE}/price_variants/${id}/edit`, { kind: 'free' })
      expect(free.location).toBe(`${BASE}/products/${product}?done=saved`)
      const changed = await shop.get(`/price_variants/${id}`)
      expect([changed.amount_type, changed.billing_type, changed.recurring_interval]).toEqual(['free', 'free', null])
      expect(await textOf(`/products/${product}`)).toContain('Free On sale')
    })

    it('refund a part of an order and then the rest, and say what is left', async () => {
      const order = await soldOrder('Field Guide', 4800)
      const own = `${BASE}/orders/${order.id}`
      expect(await textOf('/orders')).toContain('Field Guide')
      expect(words((await person.get(`${own}/refund`)).html)).toMatch(/Left to refund \$48\.00/)
      const emptied = await person.submit(`${own}/refund`, { amount: '' })
      expect([emptied.status, words(emptied.html)]).toEqual([
        422,
        expect.stringContaining('Enter the amount to refund'),
      ])
      const tooMuch = await person.submit(`${own}/refund`, { amount: '48.01', reason: HOSTILE })
      expect([tooMuch.status, tooMuch.html.includes('<script>alert')]).toEqual([422, false])
      const part = await person.submit(`${own}/refund`, { amount: '18.50', reason: 'damaged' })
      expect(part.location).toBe(`${own}?done=refunded`)
      const page = words((await person.get(own)).html)
      for (const one of ['Partially refunded', 'Refunded −$18.50', 'Left $29.50', 'damaged'])
        expect(page).toContain(one)
      const rest = await person.get(`${own}/refund`)
      expect(fieldsOf(rest.html, `${own}/refund`).amount).toBe('29.50')
      await person.submit(`${own}/refund`, {})
      expect((await shop.get(`/orders/${order.id}`)).status).toBe('refunded')
      expect((await person.get(own)).html).not.toContain(`${own}/refund`)
    })

    it('find an order by the number of its receipt, and say so when there is none', async () => {
      const { id } = await soldOrder('Field Guide', 4800)
      expect(await textOf(`/orders/${id}`)).toContain(`Order number ${id}`)
      expect((await person.get(`${BASE}/orders?query=%20${id}`)).location).toBe(`${BASE}/orders/${id}`)
      expect(await textOf('/orders?query=ord_none')).toContain('No orders match search “ord_none”.')
    })

    it('show all that concerns a customer, and set their tags', async () => {
      const order = await soldOrder('Printing Day', 6500)
      await shop.post('/refunds', { order: order.id, amount: 500 })
      await shop.tag({ name: 'Wholesale' })
      await shop.post('/emails', { customer: order.customer.id, subject: 'It is on its way', text: 'Soon.' })
      const own = `/customers/${order.customer.id}`
      const page = await textOf(own)
      const parts = ['Total spent $60.00', 'Has paid', 'Paid $65.00 for Printing Day']
      for (const part of [...parts, 'Access Product', 'No end date', 'E-mail: It is on its way'])
        expect(page).toContain(part)
      const [wholesale] = (await shop.get('/tags?query=wholesale')).data
      const form = await person.get(`${BASE}${own}`)
      const fields = { csrf: fieldsOf(form.html, `${BASE}${own}/set-tags`).csrf!, tag: wholesale.id, new: 'Printer' }
      expect((await person.post(`${BASE}${own}/set-tags`, fields)).status).toBe(303)
      const tagged = await shop.get(`${own}?expand=tags`)
      expect(tagged.tags.map(({ name }: Body) => name).toSorted()).toEqual(['Printer', 'Wholesale'])
    })

    it('say what an action on a subscription does, and when', async () => {
      const monthly = { billing_type: 'subscription', recurring_interval: 'month', amount: 900 }
      const price = await priceForSale(shop, monthly, { name: 'Pattern Club' })
      const { subscription } = await sell(shop, [{ price_variant: price.id }])
      const own = `/subscriptions/${subscription}`
      expect(await textOf(own)).toMatch(/\$9\.00 is charged on \d+ \w+ \d{4}, before discounts/)
      expect(await textOf(`${own}/cancel`)).toMatch(
        /Nothing more is charged. It continues until the paid period ends on \d+ \w+ \d{4}/,
      )
      await person.submit(`${BASE}${own}/cancel`, { reason: 'moved away' })
      expect(await textOf(own)).toMatch(/It ends on \d+ \w+ \d{4} and will not continue, because it was canceled/)
      expect(await textOf(`${own}/resume`)).toMatch(/It continues as before: the next payment of \$9\.00/)
      await person.submit(`${BASE}${own}/resume`, {})
      await person.submit(`${BASE}${own}/pause`, {})
      expect(await textOf(own)).toContain('It stays paused until someone resumes it')
      await person.submit(`${BASE}${own}/cancel`, { immediately: 'true' })
      expect(await textOf(own)).toContain('Nothing more is charged')
    })

    it('end a subscription now that is to end later, without a question whose answer is known', async () => {
      const monthly = { billing_type: 'subscription', recurring_interval: 'month', amount: 900 }
      const { subscription: id } = await sell(shop, [{ price_variant: (await priceForSale(shop, monthly)).id }])
      await shop.post(`/subscriptions/${id}/cancel`)
      const own = `/subscriptions/${id}`
      expect(await textOf(own)).toContain('End now')
      const asked = await person.get(`${BASE}${own}/cancel`)
      expect(words(asked.html)).toMatch(/The subscription and its access end now, not on \d+/)
      expect(asked.html).not.toContain('name="immediately"')
      expect((await person.submit(`${BASE}${own}/cancel`, { reason: 'moved' })).status).toBe(303)
      expect(await shop.get(own)).toMatchObject({ status: 'canceled', cancellation_reason: 'moved' })
    })

    it('give the addresses of invoices and links, and say in words what a discount does', async () => {
      const price = await priceForSale(shop, { amount: 7900 })
      const bill = { price_variant: price.id, due_at: '2099-01-01T00:00', email_address: 'bill@example.com' }
      const invoice = idIn((await person.submit(`${BASE}/invoices/new`, bill)).location, 'inv')
      const { payment_url } = await shop.get(`/invoices/${invoice}`)
      expect(await textOf(`/invoices/${invoice}`)).toContain(payment_url)
      await person.submit(`${BASE}/invoices/${invoice}/void`, {})
      const voided = await person.get(`${BASE}/invoices/${invoice}`)
      expect(words(voided.html)).toContain('It is void and can never be paid')
      expect(voided.html).not.toContain(`href="${BASE}/invoices/${invoice}/void"`)
      const link = { name: 'Spring', price_variants: price.id }
      const made = idIn((await person.submit(`${BASE}/checkout_links/new`, link)).location, 'cl')
      expect(await textOf(`/checkout_links/${made}`)).toContain((await shop.get(`/checkout_links/${made}`)).url)
      const code = { code: 'HALF', discount_type: 'percent_off', percent_off: '50', max_redemptions: '10' }
      const discount = idIn((await person.submit(`${BASE}/discounts/new`, code)).location, 'disc')
      const page = await textOf(`/discounts/${discount}`)
      for (const part of ['50% off', 'the first payment', 'Buyers can use it now', 'Used 0 of 10'])
        expect(page).toContain(part)
    })

    it('publish a review and take it back', async () => {
      const review = await shop.review((await shop.product()).id, { content: HOSTILE, published: false })
      const own = `${BASE}/reviews/${review.id}`
      await person.submit(own, {}, `${own}/published`)
      expect((await shop.get(`/reviews/${review.id}`)).published).toBe(true)
      await person.submit(own, {}, `${own}/published`)
      expect((await shop.get(`/reviews/${review.id}`)).published).toBe(false)
      expect((await person.get(own)).html).not.toContain('<img src=x')
    })

    it('say how the shop is doing, each figure with its table, and what needs attention', async () => {
      const order = await soldOrder(HOSTILE, 1000)
      await shop.set('orders', order.id, { status: 'disputed' })
      const { html } = await person.get(BASE)
      const page = words(html)
      for (const part of [
        '1 order is disputed by its buyer',
        'Net revenue',
        'As a table',
        'Latest orders',
        'the 30 days before',
      ])
        expect(page).toContain(part)
      expect(html).not.toContain('<script>alert')
      expect(html).not.toMatch(/\sstyle="/)
      expect(words((await person.get(`${BASE}?range=12m`)).html)).toContain('the 12 months before')
      expect((await person.get(`${BASE}?range=nonsense`)).status).toBe(200)
    })

    it('answer things of another account as if there were none', async () => {
      const other = shop.as(await shop.running.another(`neighbour-${Date.now() % 1e7}`))
      const price = await priceForSale(other)
      const order = await sell(other, [{ price_variant: price.id }])
      const review = await other.review(price.product)
      const { csrf } = fieldsOf((await person.get(`${BASE}/tags/new`)).html, `${BASE}/tags/new`)
      const fields = { csrf: csrf!, amount: '1.00', tag: 'VIP', published: 'false' }
      const own = [`/orders/${order.id}/refund`, `/customers/${order.customer.id}/set-tags`]
      for (const path of [...own, `/reviews/${review.id}/published`]) {
        const answer = await person.post(`${BASE}${path}`, fields)
        expect([path, answer.status]).toEqual([path, 404])
      }
      expect((await person.get(`${BASE}${own[0]}`)).status).toBe(404)
      expect((await other.get(`/orders/${order.id}`)).amount_refunded).toBe(0)
    })

    async function soldOrder(name: string, amount: number): Promise<Body> {
      const price = await priceForSale(shop, { amount }, { name })
      return sell(shop, [{ price_variant: price.id }])
    }
  })
})
