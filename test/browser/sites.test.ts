import { afterAll, beforeAll, expect, it } from 'vitest'
import { signIn } from '../support/person.ts'
import { type Body, Shop } from '../support/shop.ts'
import { faultsOf, inChromium, keepScreenshot, SCREENS } from './browser.ts'

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

inChromium('A site that the service builds, in Chromium', (engine, openTab) => {
  const shop = new Shop()

  beforeAll(async () => {
    await shop.open(engine, {})
    await shop.patch('/account', { description: 'Paper, made by hand.', support_email: 'help@example.com' })
    const file = await shop.post('/files', { filename: 'sheet.png', alternative_text: 'A sheet of cotton paper' })
    await fetch(file.upload_url, { method: 'PUT', headers: file.upload_headers, body: PNG })
    await shop.post(`/files/${file.id}/uploaded`)
    for (const [name, media] of [
      ['Cotton paper', [file.id]],
      ['Kozo', []],
    ] as const) {
      const product = await shop.product({ name, media, description: 'Ten sheets.' })
      await shop.price(product.id)
      await shop.patch(`/products/${product.id}`, { status: 'active' })
    }
  })
  afterAll(() => shop.close())

  async function built(subdomain: string, values: object = {}): Promise<Body> {
    const { id } = await shop.post('/sites', {
      prompt: 'Paper in warm colours.',
      name: 'The mill',
      subdomain,
      ...values,
    })
    await shop.settled()
    return shop.get(`/sites/${id}`)
  }

  it.each(SCREENS)('opens at its own host without a fault, on $name', async ({ name, ...options }) => {
    const site = await built(`mill-${name}`)
    const tab = await openTab(options)
    await tab.page.goto(site.app_url)
    expect(await tab.page.textContent('h1')).toBe('The mill')
    expect(await tab.page.evaluate<number>("document.querySelector('.hero img').naturalWidth")).toBe(1)
    expect(await tab.page.evaluate<string>("getComputedStyle(document.querySelector('.button')).borderRadius")).toBe(
      '999px',
    )
    await keepScreenshot(tab.page, `site-${name}`)
    expect(await faultsOf(tab)).toEqual([])
    expect(await tab.page.context().cookies()).toEqual([])
    await tab.page.goto(`${site.app_url}/nothing-here`)
    expect(await tab.page.textContent('h1')).toBe('Page not found')
    expect(await faultsOf(tab)).toEqual([])
    await tab.close()
  })

  it('lets a person in who is signed in at the service, by way of it', async () => {
    const site = await built('closed-mill', { access_mode: 'account' })
    const person = await signIn(shop.running)
    const tab = await openTab({}, person)
    await tab.page.goto(`${site.app_url}/#products`)
    expect([tab.page.url(), await tab.page.textContent('h1')]).toEqual([`${site.app_url}/#products`, 'The mill'])
    const cookies = await tab.page.context().cookies(site.app_url)
    expect(cookies).toMatchObject([{ name: 'shopwright_site', domain: 'closed-mill.localhost', httpOnly: true }])
    await tab.close()
    const stranger = await openTab()
    await stranger.page.goto(site.app_url)
    expect(stranger.page.url()).toContain('/sign-in?next=')
    await stranger.close()
  })
})
