import { expect, it } from 'vitest'
import { accountTables } from '../../src/database/account-tables.ts'
import { anyTable } from '../../src/records/records.ts'
import { priceForSale } from '../support/sell.ts'
import { onGateEngine } from '../support/shop.ts'
import { checkoutsOf } from './checkouts.ts'

const GOOD = '4242 4242 4242 4242'
const DECLINED = '4000000000000002'
const SECOND_STEP = '4000002500003155'

onGateEngine((shop) => {
  const { visitor, open, item, now, orders } = checkoutsOf(shop)

  it('shows the shop, what is bought and what it costs', async () => {
    await shop.patch('/account', { name: 'Ada’s <Books>', support_email: 'help@example.com' })
    const book = await priceForSale(shop, { amount: 1250, name: 'Hardcover' }, { name: 'Ruby & <i>you</i>' })
    const checkout = await open([item(book, { quantity: 2 })], {
      email: 'ada@example.com',
      cancel_url: 'https://shop.example/cart',
    })
    const page = await visitor().open(checkout.url)
    expect(page.status).toBe(200)
    expect(page.text).toContain('Pay Ada’s <Books>')
    expect(page.text).toContain('Ruby & <i>you</i> Hardcover $25.00 2 × $12.50')
    expect(page.text).toContain('Total due today $25.00')
    expect(page.text).toContain('Test mode No real money is taken')
    expect(page.text).toContain('4000 0025 0000 3155 needs a second step')
    expect(page.text).toContain('help@example.com')
    expect(page.fields).toMatchObject({ email: 'ada@example.com', card: '' })
    expect(page.html).toContain('href="https://shop.example/cart"')
    expect(page.buttons).toContain('pay')
  })

  it('takes a payment, once, and says what was bought', async () => {
    const book = await priceForSale(shop, { amount: 1250 })
    const checkout = await open([item(book)])
    const buyer = visitor()
    const page = await buyer.open(checkout.url)
    const paying = await buyer.post(page, 'pay', { email: ' Ada@Example.com ', name: 'Ada Lovelace', card: GOOD })
    expect([paying.status, paying.headers.get('location')]).toEqual([303, `/checkout/${checkout.client_secret}?on`])
    const done = await buyer.follow(checkout.url)
    const paid = await now(checkout)
    expect(paid).toMatchObject({ status: 'complete', email: 'ada@example.com', total: 1250 })
    expect(done.text).toContain('A receipt is on its way to ada@example.com')
    expect(done.text).toContain(`Order ${paid.order}`)
    expect((await shop.get(`/customers/${paid.customer}`)).name).toBe('Ada Lovelace')
    const again = await buyer.press(page, 'pay', { email: 'ada@example.com', card: GOOD })
    expect(again.text).toContain(`Order ${paid.order}`)
    expect(await orders(checkout)).toEqual([{ status: 'succeeded', amount: 1250 }])
  })

  it('says at once all that is missing, keeps what was typed, and never shows a card again', async () => {
    const checkout = await open([item(await priceForSale(shop))])
    const buyer = visitor()
    const page = await buyer.open(checkout.url)
    const blank = await buyer.post(page, 'pay', {})
    expect(blank.status).toBe(422)
    expect(blank.html).toMatch(/<title>Problem: /)
    expect(blank.html).toMatch(/role="alert"[^>]*autofocus/)
    expect(blank.html).toContain('<a href="#email">Enter your e-mail address.</a>')
    expect(blank.html).toContain('<a href="#card">Enter a card number.</a>')
    expect(blank.html).toMatch(/id="email"[^>]* aria-describedby="email-hint email-problem" aria-invalid="true"/)
    const wrong = await buyer.post(page, 'pay', { email: 'nobody', name: 'Ada', card: '5555555555554444' })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('E-mail address must be an e-mail address such as name@example.com.')
    expect(wrong.fields).toMatchObject({ email: 'nobody', name: 'Ada', card: '' })
    const unknown = await buyer.post(page, 'pay', { email: 'ada@example.com', card: '5555 5555 5555 4444' })
    expect([unknown.status, unknown.fields.email]).toEqual([422, 'ada@example.com'])
    expect(unknown.text).toContain('Card number is not one of the test cards below.')
    expect(wrong.html + unknown.html).not.toMatch(/5555/)
    expect(await orders(checkout)).toEqual([])
  })

  it('lets a buyer whose card was declined try again, ten times', async () => {
    const checkout = await open([item(await priceForSale(shop))], { email: 'ada@example.com' })
    const buyer = visitor()
    const typed = { name: 'Ada Łoś; Lovelace', email: 'countess@example.com' }
    const declined = await buyer.press(await buyer.open(checkout.url), 'pay', { ...typed, card: DECLINED })
    expect(declined.text).toContain('The card was declined. Nothing was charged.')
    expect(declined.fields).toMatchObject(typed)
    expect(declined.html).not.toContain(DECLINED)
    expect((await buyer.open(checkout.url)).fields).toMatchObject(typed)
    expect((await visitor().open(checkout.url)).fields.name).toBe('')
    for (let tries = 2; tries <= 10; tries++)
      await buyer.press(await buyer.open(checkout.url), 'pay', { card: DECLINED })
    const closed = await buyer.open(checkout.url)
    expect([closed.status, closed.action]).toEqual([410, null])
    expect(closed.text).toContain('This checkout has expired')
    expect((await orders(checkout)).map(({ status }) => status)).toEqual(Array(10).fill('failed'))
  })

  it('asks at the simulated bank where a card needs a second step', async () => {
    const price = await priceForSale(shop, { amount: 4200 })
    const buyer = visitor()
    const checkout = await open([item(price)], { email: 'ada@example.com' })
    const bank = await buyer.press(await buyer.open(checkout.url), 'pay', { card: SECOND_STEP })
    expect(bank.text).toContain('requests $42.00')
    expect(bank.buttons).toEqual(['approve', 'refuse'])
    expect((await visitor().open(checkout.url)).buttons).toEqual(['approve', 'refuse'])
    const refused = await buyer.press(bank, 'refuse')
    expect(refused.text).toContain('The payment was not approved at the bank. Nothing was charged.')
    const second = await buyer.press(refused, 'pay', { card: SECOND_STEP })
    const done = await buyer.press(second, 'approve')
    expect(done.text).toContain('Thank you for your order')
    expect((await buyer.press(bank, 'refuse')).text).toContain('Thank you for your order')
    expect((await orders(checkout)).map(({ status }) => status)).toEqual(['failed', 'succeeded'])
  })

  it('does not sell what is gone, and says what it is', async () => {
    const [book, pen] = [
      await priceForSale(shop, { quantity_available: 3 }, { name: 'The Book' }),
      await priceForSale(shop),
    ]
    const cancel_url = 'https://shop.example/cart'
    const checkout = await open([item(book, { quantity: 2 }), item(pen)], { email: 'ada@example.com', cancel_url })
    const buyer = visitor()
    const before = await buyer.open(checkout.url)
    await shop.patch(`/price_variants/${book.id}`, { quantity_available: 1 })
    const refused = await buyer.post(before, 'pay', { card: GOOD })
    expect([refused.status, await orders(checkout)]).toEqual([422, []])
    expect(refused.text).toContain('The Book has only 1 left.')
    const page = await buyer.open(checkout.url)
    expect(page.text).toContain('This order cannot be paid yet')
    expect(page.buttons).not.toContain('pay')
    expect(page.html).toContain(`href="${cancel_url}"`)
  })

  it('sends buyers who have paid to where the shop wants them, once', async () => {
    const success_url = 'https://shop.example/thanks?a=1&b=2'
    const checkout = await open([item(await priceForSale(shop))], { email: 'ada@example.com', success_url })
    const buyer = visitor()
    const done = await buyer.press(await buyer.open(checkout.url), 'pay', { card: GOOD })
    expect(done.headers.get('refresh')).toBe(`0; url=${success_url}`)
    const later = await buyer.open(checkout.url)
    expect(later.headers.get('refresh')).toBe(null)
    expect(later.html).toContain('href="https://shop.example/thanks?a=1&amp;b=2"')
    const elsewhere = await buyer.open(`${checkout.url}?on&success_url=https://evil.example&url=//evil.example`)
    expect(elsewhere.headers.get('refresh')).toBe(`0; url=${success_url}`)
  })

  it('says what has become of a checkout that can no longer be paid', async () => {
    const price = await priceForSale(shop)
    const expired = await open([item(price)], { cancel_url: 'https://shop.example/cart' })
    await shop.set('checkouts', expired.id, { status: 'expired' })
    const page = await visitor().open(expired.url)
    expect([page.status, page.action]).toEqual([410, null])
    expect(page.text).toMatch(/This checkout has expired .* Back to /)
    const replaced = await open([item(price)])
    await shop.set('checkouts', replaced.id, { status: 'abandoned' })
    expect((await visitor().open(replaced.url)).text).toContain('This checkout was replaced')
    const posted = await visitor().press({ ...page, action: `/checkout/${expired.client_secret}` }, 'pay', {
      card: GOOD,
      email: 'a@example.com',
    })
    expect(posted.text).toContain('This checkout has expired')
  })

  it('opens to nobody without the right secret', async () => {
    const checkout = await open([item(await priceForSale(shop))])
    const other = await open([item(await priceForSale(shop))])
    const swapped = `${checkout.id}_secret_${other.client_secret.split('_secret_')[1]}`
    for (const secret of [
      checkout.id,
      `${checkout.id}_secret_`,
      swapped,
      'co_nothing_secret_x',
      '%00',
      `${checkout.client_secret}_secret_x`,
    ]) {
      const page = await visitor().open(`/checkout/${secret}`)
      expect([page.status, page.text.includes('Page not found')]).toEqual([404, true])
    }
  })

  it('charges once when a buyer presses twice', async () => {
    const checkout = await open([item(await priceForSale(shop))], { email: 'ada@example.com' })
    const page = await visitor().open(checkout.url)
    const pressed = await Promise.all(Array.from({ length: 8 }, () => visitor().post(page, 'pay', { card: GOOD })))
    expect(pressed.map(({ status }) => status)).toEqual(Array(8).fill(303))
    expect((await orders(checkout)).length).toBe(1)
  })

  it('leaves no card number behind, however the payment ends', async () => {
    const price = await priceForSale(shop)
    for (const card of ['4000 0000 0000 0341', '4000-0000-0000-5126', DECLINED, '4111 1111 1111 1111']) {
      const checkout = await open([item(price)], { email: 'ada@example.com' })
      const buyer = visitor()
      await buyer.press(await buyer.open(checkout.url), 'pay', { card })
    }
    const rows = await Promise.all(
      (await accountTables(shop.db)).map(({ name: table }) =>
        anyTable({ db: shop.db }).selectFrom(table).selectAll().execute(),
      ),
    )
    const stored = JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))
    expect(stored).toContain('ada@example.com')
    expect(stored).not.toMatch(/4[01]\d\d[ -]?\d{4}[ -]?\d{4}[ -]?\d{4}/)
  })
})
