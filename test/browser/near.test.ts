import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, signIn } from '../support/person.ts'
import { Shop } from '../support/shop.ts'
import { faultsOf, inChromium } from './browser.ts'

const BASE = '/dashboard/my-shop'
const EDITOR = /\/dashboard\/-\/(prosemirror|dashboard-writing)/

inChromium('Editors and previews', (engine, openTab) => {
  const shop = new Shop()
  let person: Person
  beforeAll(async () => {
    await shop.open(engine, {})
    person = await signIn(shop.running)
  })
  afterAll(() => shop.close())

  const desktop = { viewport: { width: 1440, height: 700 }, reducedMotion: 'reduce' as const }
  /** Opens a page, with what it asks for from then on. */
  const opened = async (path: string, options = {}) => {
    const tab = await openTab({ ...desktop, ...options }, person)
    const asked: string[] = []
    tab.page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await tab.page.goto(shop.running.url + BASE + path)
    return { ...tab, asked, count: (what: RegExp) => asked.filter((one) => what.test(one)).length }
  }
  const kept = (page: Page) => page.locator('textarea[name="body_html"]').inputValue()

  it('load the editor of a text when it comes into sight, and the preview below a form likewise', async () => {
    const viewport = { width: 390, height: 700 }
    const tab = await opened('/products/new', { viewport })
    await tab.page.waitForLoadState('networkidle')
    expect([tab.count(EDITOR), tab.count(/^POST .*\/products\/preview/)]).toEqual([0, 0])
    await tab.page.getByLabel('Name', { exact: true }).fill('Kite')
    await tab.page.locator('.editor').scrollIntoViewIfNeeded()
    await tab.page.locator('.writing').waitFor()
    expect(tab.count(EDITOR)).toBeGreaterThan(5)
    expect(tab.count(/^POST .*\/products\/preview/)).toBe(0)
    await tab.page.locator('iframe[name="preview"]').scrollIntoViewIfNeeded()
    await tab.page.frameLocator('iframe[name="preview"]').getByRole('heading', { name: 'Kite' }).waitFor()
    expect(await faultsOf(tab)).toEqual([])
    await tab.close()
  })

  it('keep what was typed before the editor arrived, and the focus at its place', async () => {
    const tab = await opened('/products/new', { viewport: { width: 1440, height: 300 } })
    const { page } = tab
    const waiting = Promise.withResolvers<void>()
    await page.route(/dashboard-writing/, async (route) => {
      await waiting.promise
      await route.continue()
    })
    const area = page.locator('textarea[name="body_html"]')
    await area.focus()
    await page.keyboard.type('Light & strong\n\nIt flies')
    for (let step = 0; step < 'flies'.length; step++) await page.keyboard.press('ArrowLeft')
    waiting.resolve()
    await page.locator('.writing:focus').waitFor()
    await page.keyboard.type('always ')
    expect(await kept(page)).toBe('<p>Light &amp; strong</p><p>It always flies</p>')
    expect(await faultsOf(tab)).toEqual([])
    await tab.close()
  })

  it('let a text be written as HTML where the editor cannot be loaded, and try again with the next focus', async () => {
    const tab = await opened('/products/new', { viewport: { width: 1440, height: 300 } })
    const { page } = tab
    await page.route(/dashboard-writing/, (route) => route.abort())
    await page.locator('textarea[name="body_html"]').focus()
    await page.getByText('The editor could not be loaded').waitFor()
    await page.locator('textarea[name="body_html"]').fill('<h2>Kept</h2>')
    await page.unroute(/dashboard-writing/)
    await page.getByLabel('Name', { exact: true }).focus()
    await page.locator('textarea[name="body_html"]').focus()
    await page.locator('.writing h2', { hasText: 'Kept' }).waitFor()
    await tab.close()
  })

  it.each([
    ['/products/new', 'Name', '/products/preview', [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]],
    ['/social_posts/new', 'Text', '/social_posts/new', [1_000, 2_000]],
  ])('wait longer and longer for a server that is away, and say so (%s)', async (path, label, preview, expected) => {
    await shop.post('/social_accounts', { platform: 'x', username: `at${Date.now()}`, credentials: { token: 'x' } })
    const { page, close } = await opened('/tags')
    await page.clock.install()
    await page.goto(shop.running.url + BASE + path)
    await page.clock.runFor(2_000)
    await page.waitForLoadState('networkidle')
    await page.route(`**${preview}*`, (route) => route.abort())
    let failures = 0
    page.on('requestfailed', (request) => {
      if (request.url().includes(preview)) failures += 1
    })
    // The clock of the page says when it asks, however long the machine takes.
    await page.evaluate(
      `window.asked = []; const ask = fetch; window.fetch = (...given) => {
        if (String(given[0].url ?? given[0]).includes('${preview}')) asked.push(Date.now())
        return ask(...given)
      }`,
    )
    const asked = () => page.evaluate<number[]>('asked')
    await page.getByLabel(label, { exact: true }).fill('Kite')
    while (failures <= expected.length) {
      await page.clock.runFor(500)
      const sent = (await asked()).length
      await expect.poll(() => failures).toBeGreaterThanOrEqual(sent)
      await page.evaluate('new Promise((done) => requestAnimationFrame(done))')
    }
    await page.getByText('This preview is out of date').waitFor()
    const times = await asked()
    for (const [index, wait] of expected.entries()) {
      const waited = times[index + 1]! - times[index]!
      expect(waited).toBeGreaterThanOrEqual(wait)
      expect(waited).toBeLessThanOrEqual(wait + 4_000)
    }
    await page.unroute(`**${preview}*`)
    await page.evaluate("dispatchEvent(new Event('online'))")
    await page.clock.runFor(1_000)
    await expect.poll(() => page.getByText('This preview is out of date').count()).toBe(0)
    await close()
  })
})
