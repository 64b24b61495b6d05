import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { findChromium } from '../support/chromium.mjs'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Not in the repository: for people to look at. */
const SCREENSHOTS = fileURLToPath(new URL('../../.cache/screenshots', import.meta.url))

export const CHROMIUM = findChromium()

/** A phone and a desktop, each in light and in dark. */
export const SCREENS = (['light', 'dark'] as const).flatMap((colorScheme) => [
  { name: `phone-${colorScheme}`, colorScheme, viewport: { width: 390, height: 844 } },
  { name: `desktop-${colorScheme}`, colorScheme, viewport: { width: 1280, height: 800 } },
])

/** In a container Chromium cannot make its sandbox as root; it opens nothing but our own pages here. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

export interface Tab {
  page: Page
  /** What the browser complained of: refused by the policy, not found, not understood. */
  complaints: string[]
  close(): Promise<void>
}

export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  const context: BrowserContext = await browser.newContext(options)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    // A page that says what was wrong has a status, which the console repeats; so does a stand-in that lacks an icon.
    const status = /^Failed to load resource: .* status of 4\d\d/.test(message.text())
    if (message.type() === 'error' && !status) complaints.push(message.text())
  })
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText
    // Whoever leaves a page stops the loading of its icon.
    const isLeft = why === 'net::ERR_ABORTED' && request.url().includes('/favicon.')
    if (!isLeft) complaints.push(`${request.url()}: ${why}`)
  })
  return { page, complaints, close: () => context.close() }
}

/** What axe finds on the page as it is, a line for each element. */
export async function axeProblems(page: Page): Promise<string[]> {
  // Run by the debugger, which the page's policy does not bind.
  await page.evaluate(AXE)
  const results = await page.evaluate<AxeResults>('axe.run()')
  return results.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`))
}

/** Whether something reaches beyond the right edge of the screen. */
export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')
}

export async function keepScreenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true })
}
