import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, signIn } from '../support/person.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { Shop } from '../support/shop.ts'
import { axeProblems, inChromium, isTooWide } from './browser.ts'
import { says } from './steps.ts'

const BASE = '/dashboard/my-shop'
const WAYS = [
  { name: 'with scripts', javaScriptEnabled: true, viewport: { width: 1440, height: 900 } },
  { name: 'without scripts, on a phone', javaScriptEnabled: false, viewport: { width: 320, height: 740 } },
]

inChromium('A dispute, from its order to the decision', (engine, open) => {
  const shop = new Shop()
  let person: Person

  beforeAll(async () => {
    await shop.open(engine, {})
    person = await signIn(shop.running)
  })
  afterAll(() => shop.close())

  it.each(WAYS)('$name', async ({ name: _, ...options }) => {
    const price = await priceForSale(shop, { amount: 4800 }, { name: 'Field Guide' })
    const { id } = await sell(shop, [{ price_variant: price.id }], { paying: { card: '4000000000000259' } })
    await shop.settled()

    const { page, complaints, close } = await open(options, person)
    const isFine = async () => [await isTooWide(page), options.javaScriptEnabled ? await axeProblems(page) : []]
    await page.goto(`${shop.running.url}${BASE}/orders/${id}`)
    await says(page, 'Dispute of $48.00', 'Answer by')
    expect(await isFine()).toEqual([false, []])
    await page.click('main a:text-is("Dispute of $48.00")')
    await says(page, 'The cardholder says', 'What is sent with your answer')
    expect(await isFine()).toEqual([false, []])
    await page.click('main a:text-is("Answer")')
    await page.fill('[name=answer]', 'The guide was opened twice. winning_evidence')
    expect(await isFine()).toEqual([false, []])
    await page.click('main button:text-is("Answer")')
    await page.waitForURL('**/disputes/*?done=done')
    await says(page, 'You won: the money is yours.', 'What was sent', 'The guide was opened twice.')
    expect([...(await isFine()), complaints]).toEqual([false, [], []])
    await close()
    expect(await shop.get(`/orders/${id}`)).toMatchObject({ status: 'succeeded', amount_refunded: 0 })
  })
})
