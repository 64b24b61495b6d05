import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { priceForSale } from '../support/sell.ts'
import { Shop } from '../support/shop.ts'
import { StripeServer } from '../support/stripe-server.ts'
import { axeProblems, inChromium, isTooWide, keepScreenshot, SCREENS } from './browser.ts'
import { type State, statesOf } from './states.ts'

inChromium('The checkout page in Chromium', (engine, openTab) => {
  /** A page looks the same whatever keeps its data. */
  const screens = engine === 'sqlite' ? SCREENS : SCREENS.slice(0, 1)
  const stripe = new StripeServer()
  const [shop, live] = [new Shop(), new Shop()]
  let states: State[]
  let merchant: Server
  let thanks: string

  beforeAll(async () => {
    await stripe.open()
    await shop.open(engine, {})
    await live.open(engine, stripe.settings)
    states = await statesOf(shop)
    merchant = createServer((_, response) => response.end('Thanks from the shop'))
    await new Promise<void>((resolve) => merchant.listen(0, '127.0.0.1', resolve))
    thanks = `http://127.0.0.1:${(merchant.address() as AddressInfo).port}/thanks`
  }, 120_000)
  afterAll(async () => {
    merchant?.close()
    await shop.close()
    await live.close()
    await stripe.close()
  })

  it.each(screens)('has no fault that axe finds, in any state, on $name', { timeout: 240_000 }, async (screen) => {
    const { name: screenName, ...options } = screen
    for (const { name, words, reach } of states) {
      const { page, complaints, close } = await openTab(options)
      await reach(page)
      expect(await page.textContent('main'), name).toMatch(words)
      await keepScreenshot(page, `${name}-${screenName}`)
      expect([name, await axeProblems(page)]).toEqual([name, []])
      expect([name, await isTooWide(page), complaints]).toEqual([name, false, []])
      await close()
    }
  })

  const checkout = async (of: Shop, more: object = {}) => {
    const price = await priceForSale(of, { amount: 2900 })
    return of.post('/checkouts', { line_items: [{ price_variant: price.id }], ...more })
  }
  const statusOf = async (of: Shop, { id }: { id: string }) => (await of.get(`/checkouts/${id}`)).status

  it('is paid without scripts, by keyboard alone', async () => {
    const { page, close } = await openTab({ javaScriptEnabled: false })
    const open = await checkout(shop)
    await page.goto(open.url)
    await page.focus('#email')
    await page.keyboard.type('ada@example.com')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Ada Lovelace')
    await page.keyboard.press('Tab')
    await page.keyboard.type('4242 4242 4242 4242')
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=Thank you for your order')
    expect(await statusOf(shop, open)).toBe('complete')
    await page.reload()
    await page.waitForSelector('text=Thank you for your order')
    await close()
  })

  it('begins to read at what is wrong, and leads to its field', async () => {
    const { page, close } = await openTab()
    await page.goto((await checkout(shop)).url)
    await page.click('button.primary')
    expect(await page.evaluate('document.activeElement.role')).toBe('alert')
    expect(await page.title()).toMatch(/^Problem: /)
    await page.click('text=Enter your e-mail address. >> nth=0')
    expect(await page.evaluate('document.activeElement.id')).toBe('email')
    await close()
  })

  it('goes on to the page of the shop after the payment, although forms may go nowhere else', async () => {
    const { page, complaints, close } = await openTab({ javaScriptEnabled: false })
    await page.goto((await checkout(shop, { email: 'ada@example.com', success_url: thanks })).url)
    await page.fill('#card', '4242424242424242')
    await page.click('button.primary')
    await page.waitForURL(thanks)
    expect([await page.textContent('body'), complaints]).toEqual(['Thanks from the shop', []])
    await close()
  })

  it('asks for a second step, and for another card where that was refused', async () => {
    const { page, close } = await openTab({ javaScriptEnabled: false })
    const open = await checkout(shop, { email: 'ada@example.com' })
    await page.goto(open.url)
    await page.fill('#card', '4000002500003155')
    await page.click('button.primary')
    await page.click('text=Refuse')
    await page.waitForSelector('text=The payment was not approved at the bank.')
    await page.fill('#card', '4000002500003155')
    await page.click('button.primary')
    await page.click('text=Approve >> nth=-1')
    await page.waitForSelector('text=Thank you for your order')
    expect(await statusOf(shop, open)).toBe('complete')
    await close()
  })

  it('goes to the page of the provider and comes back', async () => {
    const { page, complaints, close } = await openTab({ javaScriptEnabled: false })
    const open = await checkout(live, { email: 'ada@example.com' })
    await page.goto(open.url)
    await keepScreenshot(page, 'live')
    await page.click('button.primary')
    await page.waitForURL(`${stripe.url}/**`)
    await page.click('button[value=back]')
    await page.waitForSelector('text=You came back without paying.')
    await page.click('button.primary')
    await page.waitForURL(`${stripe.url}/**`)
    await page.click('button[value=pays]')
    await page.waitForSelector('text=Thank you for your order')
    expect([await statusOf(live, open), complaints]).toEqual(['complete', []])
    await close()
  })

  it.each(screens)('has no fault while a payment is under way, on $name', async ({ name, ...options }) => {
    const { page, close } = await openTab(options)
    const open = await checkout(live, { email: 'ada@example.com' })
    await page.goto(open.url)
    expect(await axeProblems(page)).toEqual([])
    await page.click('button.primary')
    await page.waitForURL(`${stripe.url}/**`)
    await page.goto(open.url)
    await keepScreenshot(page, `at-provider-${name}`)
    expect([await axeProblems(page), await isTooWide(page)]).toEqual([[], false])
    await live.set(
      'payments',
      (await live.db.selectFrom('payments').select('id').where('checkout', '=', open.id).execute())[0]!.id,
      { status: 'pending' },
    )
    await page.goto(open.url)
    await keepScreenshot(page, `processing-${name}`)
    expect([await axeProblems(page), await isTooWide(page)]).toEqual([[], false])
    await close()
  })
})
