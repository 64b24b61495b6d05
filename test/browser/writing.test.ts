import { afterAll, beforeAll, expect, it } from 'vitest'
import { accessPath, signedInBuyer } from '../pages/buyer.ts'
import { type Person, signIn } from '../support/person.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { Shop } from '../support/shop.ts'
import { connected } from '../support/social.ts'
import { axeProblems, faultsOf, inChromium, isTooWide, keepScreenshot, openAt, SCREENS } from './browser.ts'

const BASE = '/dashboard/my-shop'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const PICTURE = { name: 'kestrel.png', mimeType: 'image/png', buffer: PNG }

inChromium('Writing and buying', (engine, openTab) => {
  const shop = new Shop()
  let person: Person
  beforeAll(async () => {
    await shop.open(engine, {})
    person = await signIn(shop.running)
  })
  afterAll(() => shop.close())

  it('publish a post with a picture from this device, which needs words or says that it is decorative', async () => {
    const tab = await openAt(openTab, `${shop.running.url}${BASE}/blog_posts/new`, person)
    const { page, close } = tab
    await page.getByLabel('Title', { exact: true }).fill('A kestrel')
    await page.locator('.writing').click()
    await page.keyboard.type('Seen today. ')
    await page.getByRole('button', { name: 'Picture', exact: true }).click()
    await page.getByLabel('From this device').setInputFiles(PICTURE)
    await page.getByText('kestrel.png is uploaded. Now say what it shows.').waitFor()
    await page.getByRole('button', { name: 'Add the picture' }).click()
    await page.getByText('Say what the picture shows, or that it is decorative.').waitFor()
    expect(await page.locator('.writing img[src]').count()).toBe(0)
    await page.getByLabel('Alternative text').first().fill('A kestrel above a field')
    expect(await faultsOf(tab)).toEqual([])
    await page.getByRole('button', { name: 'Add the picture' }).click()
    await page.locator('.writing img[src]').waitFor()
    await page.getByRole('button', { name: 'Save and publish' }).click()
    await page.getByText('“A kestrel” is published.').waitFor()
    const [post] = (await shop.get('/blog_posts?limit=1')).data
    expect(post.status).toBe('published')
    expect(post.content).toMatch(/^<p>Seen today. <img src="http[^"]+kestrel\.png" alt="A kestrel above a field"/)
    await close()
  })

  it('show a post as each network counts it, while it is written', async () => {
    await connected(shop, { platform: 'x' })
    const tab = await openAt(openTab, `${shop.running.url}${BASE}/social_posts/new`, person)
    const { page, close } = tab
    await page
      .getByLabel('Text', { exact: true })
      .fill('日本 https://example.com/a-very-long-address-that-counts-for-less')
    const preview = page.getByRole('article', { name: /^X / })
    // Two characters count twice, a link for 23.
    await preview.getByText('28 of 280 characters').waitFor()
    await page.getByLabel('Text', { exact: true }).fill('a'.repeat(285))
    await preview.getByText('285 of 280 characters: 5 too many').waitFor()
    expect(await faultsOf(tab)).toEqual([])
    await close()
  })

  it('pay for another quantity by one press, with the total shown before', async () => {
    const price = await priceForSale(shop, { amount: 2900 }, { name: 'Handbook' })
    const { page, complaints, close } = await openTab()
    await page.goto(`${shop.running.url}/buy/${price.id}`)
    await page.getByLabel('E-mail').fill('ada@example.com')
    await page.getByLabel('Card number').fill('4242424242424242')
    await page.getByLabel('Quantity of Handbook').fill('3')
    await page.getByRole('button', { name: 'Pay $87.00' }).click()
    await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
    const [order] = (await shop.get('/orders?limit=1')).data
    expect([order.amount, complaints]).toEqual([8700, []])
    await close()
  })

  it.each(SCREENS)('show a buyer everything without a fault that axe finds, on $name', async (screen) => {
    const { name, ...options } = screen
    const club = await priceForSale(shop, { billing_type: 'subscription', recurring_interval: 'month' })
    const { customer, subscription } = await sell(shop, [{ price_variant: club.id }])
    const visitor = await signedInBuyer(shop, customer)
    const path = await accessPath(shop)
    const { value } = [...visitor.cookies.values()][0]!
    const cookies = [{ name: 'shopwright_buyer', value, url: shop.running.url + path }] as Person['cookies']
    for (const below of ['', `/subscriptions/${subscription}`, '/details']) {
      const { page, complaints, close } = await openTab(options, { cookies })
      await page.goto(shop.running.url + path + below)
      await keepScreenshot(page, `buyer${below.replaceAll('/', '-').slice(0, 14)}-${name}`)
      expect([below, await axeProblems(page), await isTooWide(page), complaints]).toEqual([below, [], false, []])
      await close()
    }
  })
})
