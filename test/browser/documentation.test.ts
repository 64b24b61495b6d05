import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningApp, startApp } from '../support/app.ts'
import { some } from '../support/depth.ts'
import { axeProblems, CHROMIUM, closeTabs, isTooWide, keepScreenshot, openChromium, openTab } from './browser.ts'

const GUIDES =
  'quick-start clients dashboard programs plans program-limits rest lists expansion idempotency errors selling'
const MORE = 'webhooks events test-accounts self-hosting scaling security api'
const REFERENCE = ['api/create_product', 'api/list_orders', 'api/create_formation', 'resources/order', 'resources/form']
const PATHS = [
  ...['/', '/docs', '/docs/search?q=refund', '/docs/errors/invalid_state'],
  ...[...`${GUIDES} ${MORE}`.split(' '), ...REFERENCE].map((name) => `/docs/${name}`),
]
const SHOWN = ['/', '/docs', '/docs/programs', '/docs/webhooks', '/docs/api/create_product', '/docs/resources/order']
const SCREENS = (['light', 'dark'] as const).flatMap((colorScheme) => [
  { name: `phone-${colorScheme}`, colorScheme, viewport: { width: 320, height: 720 } },
  { name: `desktop-${colorScheme}`, colorScheme, viewport: { width: 1440, height: 900 } },
])

describe.skipIf(CHROMIUM === null)('The documentation in Chromium', () => {
  let app: RunningApp
  let browser: Browser

  beforeAll(async () => {
    app = await startApp()
    browser = await openChromium()
  })
  afterAll(async () => {
    await closeTabs(browser)
    await app?.close()
  })

  const focused = (page: Page) => page.evaluate<string>('document.activeElement.name ?? document.activeElement.tagName')

  it.each(some(SCREENS, 1))(
    'has no fault that axe finds, on $name',
    { timeout: 300_000 },
    async ({ name, ...options }) => {
      const { page, complaints, close } = await openTab(browser, options)
      for (const path of options.colorScheme === 'light' ? PATHS : SHOWN) {
        await page.goto(`${app.url}${path}`)
        if (SHOWN.includes(path)) await keepScreenshot(page, `documentation${path.replace(/\W+/g, '-')}-${name}`)
        expect([path, await axeProblems(page), await isTooWide(page), complaints]).toEqual([path, [], false, []])
      }
      await close()
    },
  )

  it('is searched by keyboard alone', async () => {
    const { page, complaints, close } = await openTab(browser)
    await page.goto(`${app.url}/docs`)
    await page.keyboard.press('/')
    expect(await focused(page)).toBe('q')
    await page.keyboard.type('refund')
    await page.waitForSelector('#found li')
    expect(await axeProblems(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await page.isVisible('#found')).toBe(false)
    await page.keyboard.press('ArrowDown')
    const path = await page.getAttribute('#found li[aria-selected="true"]', 'data-path')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${app.url}${path}`)
    expect(complaints).toEqual([])
    await close()
  })

  it('copies the code that is shown', async () => {
    const { page, close } = await openTab(browser, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(`${app.url}/docs/api/create_tag`)
    await page.getByText('Ruby', { exact: true }).first().click()
    await page.click('.tabs .copy')
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toMatch(/^post\("\/tags"/)
    await close()
  })

  it('shows its menu, languages and search without scripts', async () => {
    const { page, close } = await openTab(browser, { javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
    await page.goto(`${app.url}/docs/api/create_tag`)
    expect(await page.isVisible('.tabs .choice:has-text("post(")')).toBe(false)
    await page.getByText('Ruby', { exact: true }).first().click()
    expect(await page.isVisible('.tabs .choice:has-text("post(")')).toBe(true)
    expect(await page.isVisible('.side')).toBe(false)
    await page.click('.menu-button')
    await page.click('.side >> text=Security')
    await page.waitForURL(`${app.url}/docs/security`)
    await page.fill('.search input', 'signature')
    await page.keyboard.press('Enter')
    await page.click('.results a >> nth=0')
    expect(await page.textContent('h1')).toBe('Webhooks')
    await close()
  })
})
