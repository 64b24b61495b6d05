import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { some, times } from '../support/depth.ts'
import { type Person, signIn } from '../support/person.ts'
import { Shop } from '../support/shop.ts'
import { CHROMIUM, closeTabs, faultsOf, keepScreenshot, openChromium, openTab, type Tab } from './browser.ts'

const BASE = '/dashboard/my-shop'
const SCREENS = [
  { name: 'a phone', viewport: { width: 320, height: 740 }, colorScheme: 'dark' },
  { name: 'a desktop', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
] as const
/** Some hundred pages, on a machine that does much else. */
const OPENING = { timeout: 900_000 }
/** Pages of one kind, such as those of products: in the deep suite a second one, or the same with another filter. */
const OF_A_KIND = times({ gate: 1, deep: 2 })

describe.skipIf(CHROMIUM === null)('Every page of the dashboard', () => {
  const shop = new Shop()
  let browser: Browser
  let person: Person

  beforeAll(async () => {
    await shop.open('sqlite', { DEMO_DATA: 'shop' })
    person = await signIn(shop.running)
    browser = await openChromium()
  })
  afterAll(async () => {
    await closeTabs(browser)
    await shop.close()
  })

  it.each(some(SCREENS, 1))('is without fault on $name', OPENING, async ({ name, ...options }) => {
    const tab = await openTab(browser, options, person)
    const { url } = shop.running
    const seen = new Map<string, number>()
    const open = [BASE]
    const faults: object[] = []
    for (const path of open) {
      const { found, links } = await look(tab, url + path)
      if (found.length > 0) faults.push({ path, found })
      for (const link of links) if (isNew(seen, link)) open.push(link)
    }
    await tab.close()
    expect(faults).toEqual([])
    expect(open.length).toBeGreaterThan(100)
    await keepFew(name)
  })

  /** What is wrong with a page, and which pages of the dashboard it leads to. */
  async function look(tab: Tab, address: string): Promise<{ found: string[]; links: string[] }> {
    const { page, complaints } = tab
    complaints.length = 0
    const answer = await page.goto(address, { waitUntil: 'load' })
    const titles = await page.evaluate<number>("document.querySelectorAll('h1').length")
    const found = [
      ...(answer?.status() === 200 ? [] : [`answers ${answer?.status()}`]),
      ...(titles === 1 ? [] : [`has ${titles} headings of the first rank`]),
      ...(await faultsOf(tab)),
    ]
    const links = await page.evaluate<string[]>(
      `[...document.querySelectorAll('a[href]')].map((link) => link.getAttribute('href'))`,
    )
    return {
      found,
      links: links.filter((link) => link.startsWith(`${BASE}/`) && !/\.(csv|pdf)\b|\/download\b/.test(link)),
    }
  }

  async function keepFew(name: string): Promise<void> {
    const { page, close } = await openTab(browser, SCREENS.find((screen) => screen.name === name)!, person)
    const { url } = shop.running
    for (const path of ['', '/orders', '/products', '/plans']) {
      await page.goto(url + BASE + path)
      await keepScreenshot(page, `dashboard${path.replace('/', '-')}-${name.replace('a ', '')}`)
    }
    await close()
  }
})

/** Whether a link leads to a page that few of its kind were opened of; ids and what lists are narrowed by make no kind. */
function isNew(seen: Map<string, number>, link: string): boolean {
  const kind = link.replace(/[?#].*$/, '').replaceAll(/\/[a-z]+_[0-9a-z]{20,}/g, '/…')
  const count = seen.get(kind) ?? 0
  const exact = `= ${link.replace(/#.*$/, '')}`
  if (count >= OF_A_KIND || seen.has(exact)) return false
  seen.set(kind, count + 1)
  seen.set(exact, 1)
  return true
}
