import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  axeProblems,
  CHROMIUM,
  closeTabs,
  isTooWide,
  keepScreenshot,
  openChromium,
  openTab,
  type Tab,
} from '../browser/browser.ts'
import { some, times } from '../support/depth.ts'
import { Shop } from '../support/shop.ts'
import { type HandedOut, handedOut, servedFields } from './handed-out.ts'

const SCREENS = [
  { name: 'a phone', viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
  { name: 'a desktop', viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
] as const
/** Some hundred pages, on a machine that does much else. */
const OPENING = { timeout: 600_000 }
/** Orders have more checkouts than differ in anything. */
const OF_A_KIND = times({ gate: 2, deep: 8 })

describe.skipIf(CHROMIUM === null)('Every address that the API hands out', () => {
  const shop = new Shop()
  let browser: Browser
  let addresses: HandedOut[]

  beforeAll(async () => {
    await shop.open('sqlite', { DEMO_DATA: 'shop' })
    browser = await openChromium()
    addresses = await handedOut(shop)
  }, 240_000)
  afterAll(async () => {
    await closeTabs(browser)
    await shop.close()
  })

  it('is in the demo shop', () => {
    const found = new Set(addresses.map(({ field }) => field))
    const missing = servedFields(shop).filter((field) => !found.has(field))
    expect(missing, 'The demo shop has nothing with these; give it something').toEqual([])
  })

  it('answers as its resource says, with the headers that keep a page from doing harm', {
    timeout: 120_000,
  }, async () => {
    for (const { url, field, status } of addresses) {
      const answer = await fetch(url)
      await answer.body?.cancel()
      expect([field, url, answer.status]).toEqual([field, url, status])
      expect([url, harmless(answer.url, Object.fromEntries(answer.headers))]).toEqual([url, []])
    }
  })

  it.each(some(SCREENS, 1))('opens on $name without fault, and so does what it links to', OPENING, async (screen) => {
    const open = new Map(fewOfEachKind().map(({ url, field }) => [url, field]))
    const named = open.size
    const { name, ...options } = screen
    const tab = await openTab(browser, options)
    for (const [url, field] of open) {
      const { faults, links } = (await isPage(url)) ? await look(tab, url) : await openFile(browser, url)
      expect([field, url, faults]).toEqual([field, url, []])
      const fresh = links.filter((link) => link.startsWith(`${shop.running.url}/`) && !open.has(link))
      for (const link of fresh) open.set(link, `a link of ${field}`)
      if (links.length > 0) await keepScreenshot(tab.page, `${fileName(url)}-on-${name}`)
    }
    await tab.close()
    expect(open.size).toBeGreaterThan(named)
  })

  it('says the same where no script may run', OPENING, async () => {
    const open = (javaScriptEnabled: boolean) => openTab(browser, { javaScriptEnabled })
    const tabs = await Promise.all([true, false].map(open))
    for (const { url } of addresses.filter(isOfItsKind)) {
      if (!(await isPage(url))) continue
      const texts = await Promise.all(tabs.map(({ page }) => textAt(page, url)))
      expect([url, texts[1]]).toEqual([url, texts[0]])
    }
    await Promise.all(tabs.map(({ close }) => close()))
  })

  /** A few of each field and status. */
  function fewOfEachKind(): HandedOut[] {
    const kinds = Map.groupBy(addresses, ({ field, status }) => `${field} ${status}`)
    return [...kinds.values()].flatMap((kind) => kind.slice(0, OF_A_KIND)).filter(({ status }) => status === 200)
  }

  /** The first of each field and status: scripts make no difference between two of a kind. */
  function isOfItsKind(one: HandedOut): boolean {
    return one === addresses.find(({ field, status }) => field === one.field && status === one.status)
  }
})

async function textAt(page: Page, url: string): Promise<string> {
  await page.goto(url)
  return (await page.textContent('body')) ?? ''
}

/** Whether it is a page, and not a file. */
async function isPage(url: string): Promise<boolean> {
  const { headers } = await fetch(url, { method: 'HEAD' })
  return !headers.has('content-disposition') && headers.get('content-type')!.startsWith('text/html')
}

interface Look {
  /** What is wrong with the page. */
  faults: string[]
  /** Where it leads. */
  links: string[]
}

async function look({ page, complaints }: Tab, url: string): Promise<Look> {
  complaints.length = 0
  const answer = await page.goto(url)
  const faults = answer?.status() === 200 ? [] : [`It answered ${answer?.status()}.`]
  faults.push(...harmless(page.url(), answer?.headers() ?? {}), ...(await axeProblems(page)), ...complaints)
  if (await isTooWide(page)) faults.push('It scrolls sideways.')
  const links = await page.$$eval('a[href]', (all) => all.map((one) => String(Reflect.get(one, 'href'))))
  return { faults, links: links.map((link) => link.replace(/#.*/, '')) }
}

/** A browser shows a file in a page of its own, or saves it. */
async function openFile(browser: Browser, url: string): Promise<Look> {
  const { page, complaints, close } = await openTab(browser)
  const saving = page.waitForEvent('download', { timeout: 0 }).catch(() => null)
  const shown = await page.goto(url).catch(() => null)
  const failure = shown === null ? await (await saving)?.failure() : null
  // The viewer of PDF is an extension.
  const faults = complaints.filter((complaint) => shown !== null && !complaint.startsWith('chrome-extension:'))
  await close()
  return { faults: failure == null ? faults : [...faults, failure], links: [] }
}

function fileName(url: string): string {
  return `address${new URL(url).pathname.replaceAll(/\W+/g, '-').slice(0, 60)}`
}

/** Pages of orders have one script of their own, for the total. */
const ORDERS = /^http:\/\/[^/]+\/(buy|checkout|l|pay)\//

/** What its headers should say and do not. By lower-case name. */
function harmless(url: string, headers: Record<string, string>): string[] {
  const policy = headers['content-security-policy'] ?? ''
  return [
    headers['x-content-type-options'] === 'nosniff' ? '' : 'It has no nosniff.',
    policy.startsWith("default-src 'none'") ? '' : 'Its policy does not begin with nothing.',
    (ORDERS.test(url) ? /script-src (?!'self';)|unsafe-eval/ : /script-src|unsafe-eval/).test(policy)
      ? 'Its policy lets scripts run.'
      : '',
    /frame-ancestors '(none|self)'|; sandbox/.test(policy) ? '' : 'It can be framed.',
    headers['referrer-policy'] === undefined ? 'It has no Referrer-Policy.' : '',
  ].filter(Boolean)
}
