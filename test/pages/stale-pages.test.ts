import { expect, it } from 'vitest'
import { daysAfter, type Rehearsal, rehearse } from '../support/rehearsal.ts'
import { priceForSale } from '../support/sell.ts'
import { type Body, onGateEngine } from '../support/shop.ts'
import { Visitor } from './visitor.ts'

type Values = Record<string, unknown>

const FAILS_AT_RENEWAL = '4000000000000341'
const ASKS_AT_THE_BANK = '4000002500003155'
const BUYER = { email: 'ada@example.com', card: '4242424242424242' }
const WEEKLY = { recurring_interval: 'week' }
const ASKED_AGAIN = 'Your order or its terms have changed. Nothing was charged yet'

onGateEngine(
  (shop) => {
    const visitor = () => new Visitor(shop.running.url)

    /** A subscription whose last renewal has failed, and the page that its buyer was sent. */
    async function unpaid(life: Rehearsal, price: Values = {}, checkout: Values = {}) {
      const { id, current_period_end: due } = await life.subscribe(price, { card: FAILS_AT_RENEWAL, ...checkout })
      await life.past(due)
      const open = shop.db
        .selectFrom('checkouts')
        .select('id')
        .where('subscription', '=', id)
        .where('status', '=', 'open')
      const { url } = await life.shop.get(`/checkouts/${(await open.executeTakeFirstOrThrow()).id}`)
      return { id, due, url }
    }

    it.each([
      [
        {},
        null,
        '$20.00 every month until canceled. This payment is for 28 February 2035 to 31 March 2035, and the next is due on 31 March 2035.',
      ],
      [
        { installment_count: 3 },
        null,
        '2 payments of $20.00, one every month. This payment is for 28 February 2035 to 31 March 2035, and the next is due on 31 March 2035.',
      ],
      [
        { installment_count: 2 },
        null,
        'The last of 2 payments, $20.00. This payment is for 28 February 2035 to 31 March 2035.',
      ],
      [
        {},
        { percent_off: 50, duration: 'repeating', duration_in_months: 2 },
        '$10.00 now, then $20.00 every month until canceled. This payment is for 28 February 2035 to 31 March 2035, and the next is due on 31 March 2035.',
      ],
      [
        { trial_period_days: 7, setup_fee_amount: 500 },
        { percent_off: 50, duration: 'repeating', duration_in_months: 3 },
        '$10.00 every month for the next 3 payments, then $20.00 every month until canceled. This payment is for 7 February 2035 to 7 March 2035, and the next is due on 7 March 2035.',
      ],
    ] as [Values, Values | null, string][])(
      'says what a late payment is for, and what follows, with %j and %j',
      async (price, discount, words) => {
        const life = await rehearse(shop)
        const code = discount && (await life.shop.discount(discount))
        const { url } = await unpaid(life, price, code ? { discount_code: code.code } : {})
        const { text, html } = await visitor().open(url)
        expect(text).toContain(words)
        expect(html).toContain('<h1 id="title">Pay for ')
        expect(text).not.toMatch(/Subscribe|today|for the first/)
        expect(text.includes('future payments')).toBe(!words.startsWith('The last'))
      },
    )

    it('says the terms that were agreed to, whatever became of the discount', async () => {
      const life = await rehearse(shop)
      const code = await life.shop.discount({ percent_off: 50, duration: 'forever' })
      const { url } = await unpaid(life, {}, { discount_code: code.code })
      const before = await visitor().open(url)
      expect(before.text).toContain('$10.00 every month until canceled, in place of $20.00.')
      await life.shop.patch(`/discounts/${code.id}`, { status: 'inactive' })
      const after = await visitor().open(url)
      expect(after.text).toContain('$10.00 every month until canceled, in place of $20.00.')
      expect(after.fields.agreed).toBe(before.fields.agreed)
      expect((await visitor().press(after, 'pay', { card: BUYER.card })).text).toContain('Thank you')
    })

    it('asks again when the period that was to be paid is over', async () => {
      const life = await rehearse(shop)
      const { id, due, url } = await unpaid(life, WEEKLY)
      const ada = visitor()
      const page = await ada.open(url)
      expect(page.text).toContain('and the next is due on 14 February 2035.')
      await life.past(daysAfter(due, 9))
      const asked = await ada.post(page, 'pay', { card: BUYER.card })
      expect([asked.status, asked.text]).toEqual([409, expect.stringContaining(ASKED_AGAIN)])
      expect(asked.text).toContain('The period begins with this payment, and the next is due on 23 February 2035.')
      expect((await life.subscription(id)).status).toBe('past_due')
      expect((await ada.press(asked, 'pay', { card: BUYER.card })).text).toContain('Thank you')
      expect(await life.subscription(id)).toMatchObject({
        status: 'active',
        current_period_end: expect.stringMatching(/^2035-02-23/),
      })
    })

    it('charges nothing for a period that was paid or ended while its page was open', async () => {
      const life = await rehearse(shop)
      for (const through of ['try', 'cancel']) {
        const { id, due, url } = await unpaid(life)
        const page = await visitor().open(url)
        if (through === 'cancel') await life.act(id, 'cancel')
        else {
          await life.shop.set('subscriptions', id, { method: JSON.stringify({ token: 'succeeds' }) })
          await life.past(daysAfter(due, 1))
        }
        const { length } = await life.orders(id)
        const late = await visitor().press(page, 'pay', { card: BUYER.card })
        expect(late.text).not.toContain('Thank you')
        expect(await life.orders(id)).toHaveLength(length)
      }
    })

    it('charges what an invoice says, however its price changes while its page is open', async () => {
      const price = await priceForSale(shop, { amount: 5000 })
      const invoice = await invoiceOf(price)
      const ada = visitor()
      const page = await ada.follow(invoice.payment_url)
      await shop.patch(`/price_variants/${price.id}`, { amount: 7000 })
      await shop.patch(`/products/${price.product}`, { name: 'Another book' })
      expect((await ada.follow(invoice.payment_url)).fields.agreed).toBe(page.fields.agreed)
      expect((await ada.press(page, 'pay', { card: BUYER.card })).text).toContain('Thank you')
      expect(await shop.get(`/invoices/${invoice.id}?expand=order`)).toMatchObject({
        status: 'paid',
        order: { amount: 5000 },
      })
    })

    it('charges nothing for an invoice that was voided, or billed anew, while its page was open', async () => {
      const price = await priceForSale(shop, { amount: 5000 })
      for (const opened of [false, true]) {
        const invoice = await invoiceOf(price)
        const ada = visitor()
        // The second time, a checkout is open before the page is.
        if (opened) await shop.post('/checkouts', { invoice: invoice.id })
        const page = await ada.follow(invoice.payment_url)
        await shop.post(`/invoices/${invoice.id}/void`)
        const anew = await invoiceOf(price)
        const late = await ada.press(page, 'pay', { card: BUYER.card })
        expect(late.text).not.toContain('Thank you')
        expect(late.text).not.toContain(anew.number)
        const { data } = await shop.get('/orders?limit=100')
        expect(data.filter((order: Body) => [invoice.id, anew.id].includes(order.invoice))).toEqual([])
        expect(await shop.get(`/invoices/${anew.id}`)).toMatchObject({ status: 'open' })
      }
    })

    it('charges nothing by the page of a checkout that another of its invoice has replaced', async () => {
      const invoice = await invoiceOf(await priceForSale(shop, { amount: 5000 }))
      const first = await shop.post('/checkouts', { invoice: invoice.id })
      const page = await visitor().open(first.url)
      await shop.post('/checkouts', { invoice: invoice.id })
      expect((await visitor().press(page, 'pay', { card: BUYER.card })).text).not.toContain('Thank you')
      expect(await shop.get(`/invoices/${invoice.id}`)).toMatchObject({ status: 'open', order: null })
    })

    it('asks again over what the shop changed of a checkout while its page was open', async () => {
      const price = await priceForSale(shop, { amount: 5000 })
      const code = await shop.discount({ percent_off: 10 })
      for (const change of [{ line_items: [{ price_variant: price.id, quantity: 2 }] }, { discount_code: code.code }]) {
        const checkout = await shop.post('/checkouts', { line_items: [{ price_variant: price.id }] })
        const ada = visitor()
        const page = await ada.open(checkout.url)
        await shop.patch(`/checkouts/${checkout.id}`, change)
        const asked = await ada.post(page, 'pay', BUYER)
        expect([asked.status, asked.text]).toEqual([409, expect.stringContaining(ASKED_AGAIN)])
        expect(await shop.get(`/checkouts/${checkout.id}`)).toMatchObject({ status: 'open', order: null })
        expect((await ada.press(asked, 'pay', BUYER)).text).toContain('Thank you')
      }
    })

    it('approves at the bank only the payment that its page shows', async () => {
      const price = await priceForSale(shop, { amount: 5000 })
      const { url, id } = await shop.post('/checkouts', { line_items: [{ price_variant: price.id }] })
      const [ada, elsewhere] = [visitor(), visitor()]
      const bank = await ada.press(await ada.open(url), 'pay', { ...BUYER, card: ASKS_AT_THE_BANK })
      expect(bank.text).toContain('requests $50.00')
      const refused = await elsewhere.press(await elsewhere.open(url), 'refuse')
      await shop.patch(`/checkouts/${id}`, { line_items: [{ price_variant: price.id, quantity: 9 }] })
      const again = await elsewhere.press(await elsewhere.open(url), 'pay', { ...BUYER, card: ASKS_AT_THE_BANK })
      expect([refused.buttons.includes('pay'), again.text]).toEqual([true, expect.stringContaining('requests $450.00')])
      const late = await ada.press(bank, 'approve')
      expect(late.text).toContain('requests $450.00')
      expect(await shop.get(`/checkouts/${id}`)).toMatchObject({ status: 'open', order: null })
      expect((await ada.press(late, 'approve')).text).toContain('Thank you')
    })

    it('approves nothing at the bank for an invoice that was voided meanwhile', async () => {
      const invoice = await invoiceOf(await priceForSale(shop, { amount: 5000 }))
      const ada = visitor()
      const bank = await ada.press(await ada.follow(invoice.payment_url), 'pay', { card: ASKS_AT_THE_BANK })
      expect(bank.text).toContain('requests $50.00')
      await shop.post(`/invoices/${invoice.id}/void`)
      expect((await ada.press(bank, 'approve')).text).not.toContain('Thank you')
      expect(await shop.get(`/invoices/${invoice.id}`)).toMatchObject({ status: 'void' })
    })

    function invoiceOf(price: Body): Promise<Body> {
      return shop.post('/invoices', {
        price_variant: price.id,
        due_at: '2090-01-01T00:00:00Z',
        email_address: BUYER.email,
      })
    }
  },
  { CHECKOUT_POSTS_PER_MINUTE: '10000' },
)
