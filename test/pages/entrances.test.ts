import { expect, it } from 'vitest'
import { priceForSale } from '../support/sell.ts'
import { type Body, onGateEngine } from '../support/shop.ts'
import { Visitor } from './visitor.ts'

const GOOD = '4242424242424242'

onGateEngine((shop) => {
  const visitor = () => new Visitor(shop.running.url)
  const link = (prices: Body[], more: object = {}): Promise<Body> =>
    shop.post('/checkout_links', { price_variants: prices.map(({ id }) => id), ...more })
  const checkouts = async (of: string) =>
    shop.db.selectFrom('checkouts').select(['id', 'status', 'total']).where('link', '=', of).execute()
  const orders = async () => shop.db.selectFrom('orders').select(['id']).execute()
  const buyer = { email: 'ada@example.com', card: GOOD }

  it('writes nothing when a link is only looked at', async () => {
    const [book, pen] = [await priceForSale(shop, { amount: 2000 }), await priceForSale(shop, { amount: 300 })]
    const shared = await link([book, pen])
    const events = await shop.eventsOf(async () => {
      const page = await visitor().open(shared.url)
      expect(page.text).toContain('Total due today $23.00')
      expect(page.headers.getSetCookie()).toEqual([])
      expect((await visitor().open(shared.url, { method: 'HEAD' })).status).toBe(200)
      expect((await visitor().open(book.purchase_url)).text).toContain('Total due today $20.00')
    })
    expect(events.filter(({ type }) => !type.startsWith('email.'))).toEqual([])
    expect(await checkouts(shared.id)).toEqual([])
  })

  it('opens one checkout per browser with the first form, and pays it at once', async () => {
    const shared = await link([await priceForSale(shop, { amount: 2000 })], {
      metadata: { campaign: 'spring' },
      success_url: 'https://shop.example/thanks',
    })
    const ada = visitor()
    const page = await ada.open(shared.url)
    const paid = await ada.press(page, 'pay', buyer)
    expect(paid.text).toContain('Thank you for your order')
    expect(paid.headers.get('refresh')).toBe('0; url=https://shop.example/thanks')
    const [opened, ...more] = await checkouts(shared.id)
    expect([opened, more]).toMatchObject([{ status: 'complete', total: 2000 }, []])
    expect((await shop.get(`/checkouts/${opened!.id}`)).metadata).toEqual({ campaign: 'spring' })
  })

  it('keeps what a buyer typed whose first card is declined', async () => {
    const shared = await link([await priceForSale(shop, { amount: 2000 })])
    const ada = visitor()
    const typed = { name: 'Ada Łoś', email: 'ada@example.com' }
    const declined = await ada.press(await ada.open(shared.url), 'pay', { ...typed, card: '4000000000000002' })
    expect(declined.text).toContain('The card was declined. Nothing was charged.')
    expect(declined.fields).toMatchObject(typed)
    expect((await visitor().open(declined.action!)).fields.name).toBe('')
  })

  it('remembers the open checkout of a browser, and forgets one that is paid', async () => {
    const shared = await link([await priceForSale(shop, { amount: 2000 })])
    const [ada, grace] = [visitor(), visitor()]
    const page = await ada.open(shared.url)
    const updated = await ada.post(page, 'update', { email: 'ada@example.com' })
    expect([updated.status, updated.action!.startsWith('/checkout/co_')]).toEqual([200, true])
    const [cookie] = ada.cookies.values()
    expect(cookie!.path).toBe(`/l/${shared.id}`)
    expect(cookie!.attributes).toMatch(/Max-Age=86400;.* HttpOnly; SameSite=Lax$/)
    const back = await ada.open(shared.url)
    expect([back.status, back.headers.get('location')]).toEqual([303, updated.action])
    await ada.post(page, 'update')
    expect(await checkouts(shared.id)).toHaveLength(1)
    await grace.post(await grace.open(shared.url), 'update')
    expect(await checkouts(shared.id)).toHaveLength(2)
    await ada.press(await ada.follow(shared.url), 'pay', buyer)
    expect((await ada.open(shared.url)).text).toContain('Total due today $20.00')
  })

  it('takes no cookie of another link or another shop', async () => {
    const price = await priceForSale(shop)
    const [one, two] = [await link([price]), await link([price])]
    const ada = visitor()
    await ada.post(await ada.open(one.url), 'update')
    const [cookie] = ada.cookies.values()
    for (const value of [cookie!.value, 'x', `${cookie!.value}x`]) {
      const page = await visitor().open(two.url, { headers: { Cookie: `checkout=${value}` } })
      expect(page.status).toBe(200)
    }
  })

  it('lets the buyer change quantities and leave items out', async () => {
    const [book, pen] = [await priceForSale(shop, { amount: 2000 }), await priceForSale(shop, { amount: 300 })]
    const shared = await link([book, pen])
    const ada = visitor()
    const page = await ada.open(shared.url)
    const three = await ada.post(page, 'update', { [`quantity[${book.id}]`]: '3' })
    expect(three.text).toContain('Total due today $63.00')
    const one = await ada.post(three, `remove:${pen.id}`)
    expect(one.text).toContain('Total due today $60.00')
    expect(one.buttons).not.toContain(`remove:${book.id}`)
    const none = await ada.post(one, 'update', { [`quantity[${book.id}]`]: '0' })
    expect([none.status, none.text.includes('must keep at least one item')]).toEqual([422, true])
    for (const quantity of ['10001', '-1', '1.5', 'many'])
      expect((await ada.post(one, 'update', { [`quantity[${book.id}]`]: quantity })).status).toBe(422)
    const unseen = await ada.post(one, 'pay', { ...buyer, [`quantity[${book.id}]`]: '2' })
    expect([unseen.status, unseen.text.includes('Pay $40.00')]).toEqual([409, true])
    expect((await ada.press(unseen, 'pay', buyer)).text).toContain('Total paid $40.00')
  })

  it('leaves nothing behind when the first form is refused', async () => {
    const shared = await link([await priceForSale(shop)])
    const before = await orders()
    const ada = visitor()
    const page = await ada.open(shared.url)
    const events = await shop.eventsOf(async () => {
      expect((await ada.post(page, 'pay', { email: 'nobody' })).status).toBe(422)
      expect((await ada.post(page, 'update', { code: 'NOPE' })).text).toContain('Discount code is not valid.')
      expect((await ada.post(page, 'pay', { ...buyer, card: '1' })).status).toBe(422)
    })
    // Receipts of earlier orders are sent in between.
    expect(events.filter(({ type }) => !type.startsWith('email.'))).toEqual([])
    expect([await checkouts(shared.id), await orders()]).toEqual([[], before])
    expect(ada.cookies.size).toBe(0)
  })

  it('takes a code with its link, and others only where the link says so', async () => {
    const price = await priceForSale(shop, { amount: 1000 })
    const [own, other] = [await shop.discount({ percent_off: 10 }), await shop.discount({ percent_off: 50 })]
    const shared = await link([price], { discount: own.id, allow_discount_codes: false })
    const ada = visitor()
    const page = await ada.open(shared.url)
    expect(page.text).toContain('Total due today $9.00')
    expect([page.buttons.includes('remove_code'), page.fields.code]).toEqual([false, undefined])
    const forced = await ada.post(page, 'update', { code: other.code })
    expect(forced.text).toContain('Total due today $9.00')
    await shop.patch(`/discounts/${own.id}`, { status: 'inactive' })
    const without = await visitor().open(shared.url)
    expect(without.text).toContain(`The code ${own.code} is switched off.`)
    expect(without.text).toContain('Total due today $10.00')
  })

  it('names what is unavailable and sells the rest', async () => {
    const [book, pen] = [await priceForSale(shop, {}, { name: 'The Book' }), await priceForSale(shop, { amount: 300 })]
    const shared = await link([book, pen])
    await shop.patch(`/price_variants/${book.id}`, { quantity_available: 0 })
    const ada = visitor()
    const page = await ada.open(shared.url)
    expect(page.text).toContain('The Book is sold out. You can buy the rest.')
    expect((await ada.press(page, 'pay', buyer)).text).toContain('Total paid $3.00')
    await shop.patch(`/price_variants/${pen.id}`, { quantity_available: 0 })
    const nothing = await visitor().open(shared.url)
    expect([nothing.status, nothing.action]).toEqual([410, null])
    expect(nothing.text).toContain('This is not available right now The Book is sold out.')
  })

  it('hides links that are switched off, and what does not exist', async () => {
    const off = await link([await priceForSale(shop)], { active: false })
    const page = await visitor().open(off.url)
    expect([page.status, page.text.includes('Page not found')]).toEqual([404, true])
    const posted = await visitor().open(off.url, { method: 'POST', body: new URLSearchParams({ do: 'pay' }) })
    expect(posted.status).toBe(404)
    for (const path of ['/l/cl_none', '/buy/price_none', '/pay/inv_none', '/l/%00', '/buy/x'])
      expect((await visitor().open(path)).status).toBe(404)
  })

  it('sells a price at its own address', async () => {
    const price = await priceForSale(shop, { amount: 700 }, { name: 'The Pamphlet' })
    const code = await shop.discount({ percent_off: 50 })
    const ada = visitor()
    const page = await ada.open(price.purchase_url)
    const half = await ada.post(page, 'update', { code: code.code, [`quantity[${price.id}]`]: '2' })
    expect(half.text).toContain('Total due today $7.00')
    expect((await ada.open(price.purchase_url)).headers.get('location')).toBe(half.action)
    expect((await ada.press(half, 'pay', buyer)).text).toContain('Total paid $7.00')
  })

  it('starts a link again after its checkout has expired', async () => {
    const shared = await link([await priceForSale(shop)])
    const ada = visitor()
    const opened = await ada.post(await ada.open(shared.url), 'update')
    const [made] = await checkouts(shared.id)
    await shop.set('checkouts', made!.id, { status: 'expired' })
    const expired = await ada.open(opened.action!)
    expect(expired.html).toContain(`href="/l/${shared.id}"`)
    expect((await ada.open(shared.url)).status).toBe(200)
  })

  const bill = async (more: object = {}): Promise<Body> =>
    shop.post('/invoices', {
      price_variant: (await priceForSale(shop, { amount: 4500 })).id,
      email_address: 'bill@example.com',
      customer_name: 'Bill <b>',
      due_at: '2099-05-31T00:00:00Z',
      description: 'Workshop in May',
      ...more,
    })

  it('shows a bill to whoever has its address, and takes its payment', async () => {
    const invoice = await bill()
    const ada = visitor()
    const page = await ada.open(invoice.payment_url)
    expect(page.text).toContain(`Invoice ${invoice.number} from`)
    expect(page.text).toContain('Workshop in May Due on 31 May 2099.')
    expect(page.text).toContain('Bill <b>, bill@example.com')
    expect(Object.keys(page.fields).toSorted()).toEqual(['agreed', 'card'])
    const open = shop.db.selectFrom('checkouts').select('id').where('invoice', '=', invoice.id)
    expect(await open.execute()).toEqual([])
    await ada.press(page, 'pay', { card: '4000000000000002' })
    const [checkout] = await open.execute()
    expect((await visitor().open(invoice.payment_url)).headers.get('location')).toMatch(
      `/checkout/${checkout!.id}_secret_`,
    )
    const again = await ada.follow(invoice.payment_url)
    expect((await ada.post(again, 'pay', { card: GOOD, email: 'other@example.com' })).status).toBe(422)
    const paid = await ada.press(again, 'pay', { card: GOOD })
    expect(paid.text).toContain('A receipt is on its way to bill@example.com')
    expect((await shop.get(`/invoices/${invoice.id}`)).status).toBe('paid')
    expect((await visitor().open(invoice.payment_url)).text).toContain(`Invoice ${invoice.number} is paid`)
  })

  it('takes nothing for a bill that was canceled, and shows none by its id', async () => {
    const invoice = await bill()
    const page = await visitor().open(invoice.payment_url)
    await shop.post(`/invoices/${invoice.id}/void`)
    const late = await visitor().post(page, 'pay', { card: GOOD })
    expect([late.status, late.text.includes('was canceled')]).toEqual([410, true])
    expect((await visitor().open(`/pay/${invoice.id}`)).status).toBe(404)
  })

  it('starts a payment of a bill once, however many windows pay it', async () => {
    const invoice = await bill()
    const pages = await Promise.all(Array.from({ length: 6 }, () => visitor().open(invoice.payment_url)))
    await Promise.all(pages.map((page) => visitor().post(page, 'pay', { card: GOOD })))
    const made = await shop.db.selectFrom('orders').select('status').where('invoice', '=', invoice.id).execute()
    expect(made).toEqual([{ status: 'succeeded' }])
  })
})
