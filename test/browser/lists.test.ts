import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, signIn } from '../support/person.ts'
import { Shop } from '../support/shop.ts'
import { faultsOf, inChromium, type OpenTab, openAt } from './browser.ts'

const BASE = '/dashboard/my-shop'
const PHONE = { width: 320, height: 640 }
const LISTS = ['products', 'customers', 'tags', 'discounts', 'blog_posts', 'developers/events']

inChromium('Lists in a browser', (engine, openTab) => {
  const shop = new Shop()
  let person: Person

  beforeAll(async () => {
    await shop.open(engine, {})
    await shop.product({ name: 'Ink', status: 'active' })
    await shop.product({ name: 'Paper' })
    await shop.customer()
    await shop.tag()
    await shop.discount()
    await shop.blogPost()
    person = await signIn(shop.running)
  })
  afterAll(() => shop.close())

  const visiting = (path: string, options?: Parameters<OpenTab>[0]) =>
    openAt(openTab, `${shop.running.url}${BASE}/${path}`, person, options)
  const search = (page: Page) => page.getByRole('searchbox', { name: 'Search', exact: true })
  const fold = (page: Page) => page.locator('.filters-fold > summary')
  const rows = (page: Page) => page.locator('tbody tr')
  /** How far down the page the first row ends. */
  const endOfFirst = async (page: Page) => {
    const box = await rows(page).first().boundingBox()
    return box!.y + box!.height
  }

  it.each([true, false])('begin on the first screen of a phone, with scripts: %s', async (javaScriptEnabled) => {
    const { page, complaints, close } = await visiting('products', { viewport: PHONE, javaScriptEnabled })
    for (const path of LISTS) {
      await page.goto(`${shop.running.url}${BASE}/${path}`)
      expect([path, await endOfFirst(page)]).toEqual([path, expect.toSatisfy((end) => end < PHONE.height)])
      expect(await page.locator('.filters').isVisible()).toBe(false)
    }
    expect(complaints).toEqual([])
    await close()
  })

  it('cut nothing off on a phone', async () => {
    const { page, close } = await visiting('you', { viewport: PHONE })
    for (const path of [...LISTS, 'you', 'developers/tokens']) {
      await page.goto(`${shop.running.url}${BASE}/${path}`)
      const cut = `[...document.querySelectorAll('.table')].filter((table) => table.scrollWidth > table.clientWidth).length`
      expect([path, await page.evaluate(cut)]).toEqual([path, 0])
    }
    await close()
  })

  it.each([true, false])('are narrowed on a phone with the keyboard, with scripts: %s', async (javaScriptEnabled) => {
    const tab = await visiting('products', { viewport: PHONE, javaScriptEnabled, colorScheme: 'dark' })
    const { page, close } = tab
    await fold(page).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type('ink')
    if (javaScriptEnabled) expect(await faultsOf(tab)).toEqual([])
    await page.keyboard.press('Enter')
    await fold(page).getByText('1 set').waitFor()
    await expect.poll(() => search(page).isVisible()).toBe(false)
    expect(await rows(page).locator('th').allTextContents()).toEqual(['Ink'])
    expect(await endOfFirst(page)).toBeLessThan(PHONE.height)
    await fold(page).press('Space')
    expect(await search(page).inputValue()).toBe('ink')
    await page.getByRole('link', { name: 'Clear', exact: true }).click()
    await expect.poll(() => rows(page).count()).toBe(2)
    await close()
  })

  it('show on a phone what is set where nothing matches', async () => {
    const tab = await visiting('products?query=glue', { viewport: PHONE })
    expect(await search(tab.page).inputValue()).toBe('glue')
    expect(await search(tab.page).isVisible()).toBe(true)
    expect(await faultsOf(tab)).toEqual([])
    await tab.close()
  })

  it.each([true, false])('show on a desktop what narrows them, with scripts: %s', async (javaScriptEnabled) => {
    const tab = await visiting('products', { viewport: { width: 1440, height: 900 }, javaScriptEnabled })
    const { page, close } = tab
    expect([await fold(page).isVisible(), await search(page).isVisible()]).toEqual([false, true])
    await search(page).fill('paper')
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Apply' }).click()
    await expect.poll(() => rows(page).locator('th').allTextContents()).toEqual(['Paper'])
    expect(await search(page).isVisible()).toBe(true)
    if (javaScriptEnabled) expect(await faultsOf(tab)).toEqual([])
    await close()
  })
})
