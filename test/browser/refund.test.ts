import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, signIn } from '../support/person.ts'
import { priceForSale } from '../support/sell.ts'
import { Shop } from '../support/shop.ts'
import { axeProblems, inChromium, isTooWide } from './browser.ts'
import { says } from './steps.ts'

const BASE = '/dashboard/my-shop'
const SCREEN = { javaScriptEnabled: true, viewport: { width: 1440, height: 900 } }
const WAYS = [
  { name: 'with scripts', ...SCREEN },
  { name: 'without scripts, on a phone', javaScriptEnabled: false, viewport: { width: 320, height: 740 } },
]

inChromium('A sale, from the hosted page to its refund', (engine, open) => {
  const shop = new Shop()
  let person: Person

  beforeAll(async () => {
    await shop.open(engine, {})
    person = await signIn(shop.running)
  })
  afterAll(() => shop.close())

  it.each(WAYS)('$name', async ({ name, ...options }) => {
    const product = `Field Guide ${name}`
    const price = await priceForSale(shop, { amount: 4800 }, { name: product })
    const order = await buy(price.id)

    const { page, complaints, close } = await open(options, person)
    await page.goto(`${shop.running.url}${BASE}`)
    await page.click(`text=${product}`)
    await says(page, 'What was bought', '$48.00', 'Succeeded')
    await page.click('a:text-is("Refund")')
    await says(page, 'Left to refund', '$48.00')
    await page.fill('[name=amount]', '18.50')
    await page.fill('[name=reason]', 'One page was torn')
    await page.click('main button:text-is("Refund")')
    await page.waitForURL('**/orders/*?done=refunded')
    await says(page, 'Partially refunded', 'One page was torn', '$29.50')
    expect([await isTooWide(page), options.javaScriptEnabled ? await axeProblems(page) : []]).toEqual([false, []])
    await page.click('main a:text-is("Ada Lovelace")')
    await says(page, 'Total spent', '$29.50', `Paid $48.00 for ${product}`)
    expect(complaints).toEqual([])
    await close()

    const { amount_refunded, status, customer } = await shop.get(`/orders/${order}`)
    expect([amount_refunded, status]).toEqual([1850, 'partially_refunded'])
    await shop.post('/refunds', { order })
    expect((await shop.get(`/customers/${customer}`)).total_spend).toBe(0)
  })

  /** Pays on the hosted page with a test card, and gives the order. */
  async function buy(price_variant: string): Promise<string> {
    const checkout = await shop.post('/checkouts', { line_items: [{ price_variant }] })
    const { page, close } = await open()
    await page.goto(checkout.url)
    await page.fill('#email', 'ada@example.com')
    await page.fill('#name', 'Ada Lovelace')
    await page.locator('#name').press('Tab')
    await page.keyboard.type('4242 4242 4242 4242')
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=Thank you for your order')
    await close()
    return (await shop.get(`/checkouts/${checkout.id}`)).order
  }
})
