import { expect, it } from 'vitest'
import { priceForSale } from '../support/sell.ts'
import { onGateEngine } from '../support/shop.ts'
import { checkoutsOf } from './checkouts.ts'

const GOOD = '4242 4242 4242 4242'

onGateEngine((shop) => {
  const { visitor, open, item, now, orders } = checkoutsOf(shop)

  it('takes discount codes, and charges no total that the buyer has not seen', async () => {
    const price = await priceForSale(shop, { amount: 1000 })
    const code = await shop.discount({ percent_off: 20 })
    const checkout = await open([item(price)], { email: 'ada@example.com' })
    const buyer = visitor()
    const page = await buyer.open(checkout.url)
    const wrong = await buyer.post(page, 'update', { code: 'NOPE', name: 'Ada' })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('Discount code is not valid.')
    expect(wrong.fields).toMatchObject({ code: 'NOPE', name: 'Ada' })
    const unseen = await buyer.post(page, 'pay', { code: code.code, card: GOOD })
    expect(unseen.status).toBe(409)
    expect(unseen.text).toContain('Nothing was charged yet: check the order, then pay again.')
    expect(unseen.text).toContain(`Discount ${code.code} −$2.00 Total due today $8.00`)
    const removed = await buyer.post(unseen, 'remove_code')
    expect(removed.text).toContain('Your order was updated.')
    expect(removed.text).toContain('Total due today $10.00')
    const applied = await buyer.post(removed, 'update', { code: ` ${code.code.toLowerCase()} ` })
    expect(applied.status).toBe(200)
    await buyer.press(applied, 'pay', { card: GOOD })
    expect(await orders(checkout)).toEqual([{ status: 'succeeded', amount: 800 }])
  })

  it('names a code that has ended meanwhile, and does not charge the higher price unasked', async () => {
    const price = await priceForSale(shop, { amount: 1000 })
    const code = await shop.discount({ percent_off: 20 })
    const checkout = await open([item(price)], { email: 'ada@example.com', discount_code: code.code })
    const buyer = visitor()
    const before = await buyer.open(checkout.url)
    await shop.patch(`/discounts/${code.id}`, { status: 'inactive' })
    expect((await visitor().open(checkout.url)).text).toContain(`The code ${code.code} is switched off.`)
    const unseen = await buyer.post(before, 'pay', { card: GOOD })
    expect([unseen.status, await orders(checkout)]).toEqual([409, []])
    expect(unseen.text).toContain(`The code ${code.code} is switched off.`)
    const after = await buyer.open(checkout.url)
    expect(after.text).toContain('Total due today $10.00')
    await buyer.press(after, 'pay', { card: GOOD })
    expect(await orders(checkout)).toEqual([{ status: 'succeeded', amount: 1000 }])
  })

  it('asks for an amount where the shop has named none, within its bounds', async () => {
    const tip = await priceForSale(shop, { amount_type: 'custom', amount: 0, maximum_amount: 10_000, currency: 'eur' })
    const checkout = await open([item(tip)], { email: 'ada@example.com' })
    const buyer = visitor()
    const page = await buyer.open(checkout.url)
    const field = `amount[${tip.id}]`
    expect(page.fields[field]).toBe('')
    expect(page.text).toContain('up to €100.00')
    for (const [entered, problem] of [
      ['', 'Enter an amount: up to €100.00.'],
      ['100.01', 'Enter an amount: up to €100.00.'],
      ['ten', 'Your price must be an amount such as 12.50 or 1,250.00.'],
    ] as const) {
      const wrong = await buyer.post(page, 'pay', { [field]: entered, card: GOOD })
      expect([wrong.status, wrong.text.includes(problem), wrong.fields[field]]).toEqual([422, true, entered])
    }
    const seen = await buyer.post(page, 'pay', { [field]: '12,50', card: GOOD })
    expect([seen.status, seen.fields[field]]).toEqual([409, '12.50'])
    await buyer.press(seen, 'pay', { card: GOOD })
    expect(await orders(checkout)).toEqual([{ status: 'succeeded', amount: 1250 }])
  })

  it('keeps quantities, and amounts that the shop has named, as the shop made them', async () => {
    const tip = await priceForSale(shop, { amount_type: 'custom', amount: 0, minimum_amount: 500 })
    const checkout = await open([item(tip, { amount: 700 })], { email: 'ada@example.com' })
    const buyer = visitor()
    const page = await buyer.open(checkout.url)
    expect(Object.keys(page.fields).toSorted()).toEqual(['agreed', 'card', 'code', 'email', 'name'])
    await buyer.press(page, 'pay', { [`amount[${tip.id}]`]: '5.00', [`quantity[${tip.id}]`]: '3', card: GOOD })
    expect(await orders(checkout)).toEqual([{ status: 'succeeded', amount: 700 }])
  })

  it('gives away what is free without asking for a card', async () => {
    const free = await priceForSale(shop, { amount: 0 }, { name: 'The Sampler' })
    const checkout = await open([item(free)])
    const buyer = visitor()
    const page = await buyer.open(checkout.url)
    expect(page.text).toContain('Get The Sampler')
    expect(page.fields).not.toHaveProperty('card')
    const done = await buyer.press(page, 'pay', { email: 'free@example.com' })
    expect(done.text).toContain('All done')
    expect(await now(checkout)).toMatchObject({ status: 'complete', total: 0 })
  })

  it('completes nothing by a code alone', async () => {
    const checkout = await open([item(await priceForSale(shop))], { email: 'ada@example.com' })
    const code = await shop.discount({ percent_off: 100 })
    const buyer = visitor()
    const page = await buyer.post(await buyer.open(checkout.url), 'update', { code: code.code })
    expect((await now(checkout)).status).toBe('open')
    expect(page.text).toContain('Complete the order')
    await buyer.press(page, 'pay')
    expect((await now(checkout)).status).toBe('complete')
  })

  it('says in words what a subscription will cost', async () => {
    const club = await priceForSale(shop, {
      amount: 2400,
      billing_type: 'subscription',
      recurring_interval: 'month',
      trial_period_days: 14,
      setup_fee_amount: 500,
    })
    const checkout = await open([item(club)])
    const buyer = visitor()
    const page = await buyer.open(checkout.url)
    expect(page.text).toMatch(/Free until \d+ \w+ 20\d\d, then \$24\.00 every month until canceled\./)
    expect(page.text).toContain('One-time setup fee $5.00 Total due today $5.00')
    expect(page.text).toContain('Start the trial and pay $5.00')
    const done = await buyer.press(page, 'pay', { email: 'club@example.com', card: GOOD })
    expect(done.text).toMatch(/Your trial is free until \d+ \w+ 20\d\d\./)
  })
})
