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
    await shop.post('/social_accounts', { platform: 'x', username: `at${path.length}`, credentials: { token: 'x' } })
    const { page, close, count } = await opened('/tags')
    await page.clock.install()
    await page.goto(shop.running.url + BASE + path)
    await page.clock.runFor(2_000)
    await page.waitForLoadState('networkidle')
    await page.route(`**${preview}*`, (route) => route.abort())
    const asks = () => count(new RegExp(`^POST .*${preview}$`))
    const before = asks()
    await page.getByLabel(label, { exact: true }).fill('Kite')
    const waits: number[] = []
    for (let waited = 0; waits.length <= expected.length; waited += 500) {
      await page.clock.runFor(500)
      await page.evaluate('new Promise((done) => requestAnimationFrame(done))')
      if (asks() - before <= waits.length) continue
      await page.getByText('This preview is out of date').waitFor()
      waits.push(waited)
      waited = 0
    }
    // The first one is the pause after the last key. What the machine needs in between may add steps to a wait, which the next one
    // then lacks, and takes none away from all so far.
    const sum = (all: number[], count: number) => all.slice(0, count).reduce((total, one) => total + one, 0)
    for (const [index, wait] of waits.slice(1).entries()) {
      expect(sum(waits, index + 2)).toBeGreaterThanOrEqual(sum(expected, index + 1) - 1_000)
      expect(wait).toBeLessThanOrEqual(expected[index]! + 4_000)
    }
    await page.unroute(`**${preview}*`)
    await page.evaluate("dispatchEvent(new Event('online'))")
    await page.clock.runFor(1_000)
    await expect.poll(() => page.getByText('This preview is out of date').count()).toBe(0)
    await close()
  })
})
