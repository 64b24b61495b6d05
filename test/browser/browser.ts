import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Frame,
  type Page,
} from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import { type EngineName, gateEngines } from '../support/app.ts'
import { findChromium } from '../support/chromium.mjs'
import { DEEP, some } from '../support/depth.ts'
import type { Person } from '../support/person.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Not in the repository: for people to look at. */
const SCREENSHOTS = fileURLToPath(new URL('../../.cache/screenshots', import.meta.url))

export const CHROMIUM = findChromium()

/** For a machine that does much else. */
const LONGEST_WAIT_MS = 60_000

const EVERY_SCREEN = (['light', 'dark'] as const).flatMap((colorScheme) => [
  { name: `phone-${colorScheme}`, colorScheme, viewport: { width: 390, height: 844 } },
  { name: `desktop-${colorScheme}`, colorScheme, viewport: { width: 1280, height: 800 } },
])
/** A phone and a desktop, each in light and in dark; a phone in the gate. */
export const SCREENS = some(EVERY_SCREEN, 1)

/** In a container Chromium cannot make its sandbox as root; it opens nothing but our own pages here. */
const ARGUMENTS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']

let started: Promise<Browser> | undefined

/** The browser of this worker, whose suites run one after the other: started for the first of them, and ended with the worker. */
export async function openChromium(): Promise<Browser> {
  const browser = await started
  if (browser?.isConnected()) return browser
  started = chromium.launch({ executablePath: CHROMIUM!, args: ARGUMENTS })
  return started
}

/** Closes what a suite has opened and not closed. */
export async function closeTabs(browser: Browser | undefined): Promise<void> {
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()))
}

/** Opens a tab with cookies of its own: those of somebody who is signed in, or none. */
export type OpenTab = (options?: BrowserContextOptions, person?: Pick<Person, 'cookies'>) => Promise<Tab>

/** Runs a suite with tabs of its own: on one engine in the gate, and on every one in the deep suite. */
export function inChromium(what: string, suite: (engine: EngineName, open: OpenTab) => void): void {
  describe.skipIf(CHROMIUM === null)(what, () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await openChromium()
    })
    afterAll(() => closeTabs(browser))
    for (const { name, available } of gateEngines)
      describe.skipIf(!available)(`on ${name}`, () => suite(name, (...given) => openTab(browser, ...given)))
  })
}

export interface Tab {
  page: Page
  /** What the browser complained of: refused by the policy, not found, not understood. */
  complaints: string[]
  close(): Promise<void>
}

/** Opens a tab at an address, as somebody who is signed in. */
export async function openAt(
  open: OpenTab,
  address: string,
  person: Person,
  options: BrowserContextOptions = {},
): Promise<Tab> {
  const tab = await open(options, person)
  await tab.page.goto(address)
  return tab
}

export async function openTab(
  browser: Browser,
  options: BrowserContextOptions = {},
  person: Pick<Person, 'cookies'> = { cookies: [] },
): Promise<Tab> {
  const context: BrowserContext = await browser.newContext(options)
  context.setDefaultTimeout(LONGEST_WAIT_MS)
  await context.addCookies(person.cookies)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    // A page that says what was wrong has a status, which the console repeats; so does a stand-in that lacks an icon.
    const status = /^Failed to load resource: .* status of 4\d\d/.test(message.text())
    if (message.type() === 'error' && !status) complaints.push(message.text())
  })
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText
    // A newer preview or search aborts the one before, a sent form aborts its page's check for changes, and leaving a page the request for
    // its icon.
    const looksForNews = request.resourceType() === 'fetch' && request.url() === page.url()
    const isLeft =
      why === 'net::ERR_ABORTED' &&
      (looksForNews || /\/favicon\.|\/preview$|\/search\?.*as=options$/.test(request.url()))
    if (!isLeft) complaints.push(`${request.url()}: ${why}`)
  })
  return { page, complaints, close: () => context.close() }
}

/** What axe finds on the page as it is, a line for each element. */
export async function axeProblems(page: Page | Frame): Promise<string[]> {
  const { violations } = await runAxe(page)
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`))
}

/** Begins again when the page has reloaded itself meanwhile, as pages do that wait for a payment. */
async function runAxe(page: Page | Frame, tries = 5): Promise<AxeResults> {
  try {
    // Run by the debugger, which the page's policy does not bind. Of what a page does right, axe need not gather the elements.
    return await page.evaluate<AxeResults>(`${AXE}\n;axe.run({ resultTypes: ['violations'] })`)
  } catch (error) {
    if (tries === 1 || !String(error).includes('Execution context was destroyed')) throw error
    await page.waitForLoadState()
    return runAxe(page, tries - 1)
  }
}

/** Whether something reaches beyond the right edge of the screen. */
export function isTooWide(page: Page | Frame): Promise<boolean> {
  return page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')
}

/** Everything that is wrong with the page as it is. */
export async function faultsOf({ page, complaints }: Tab): Promise<string[]> {
  return [...(await axeProblems(page)), ...((await isTooWide(page)) ? ['is too wide'] : []), ...complaints]
}

/** In the deep suite alone. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (!DEEP) return
  mkdirSync(SCREENSHOTS, { recursive: true })
  // A busy machine cannot always take one, and no test depends on it.
  const taken = page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true })
  await taken.catch((error: Error) => console.warn(`${name} has no screenshot: ${error.message}`))
}
