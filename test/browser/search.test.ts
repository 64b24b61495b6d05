import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, signIn } from '../support/person.ts'
import { Shop } from '../support/shop.ts'
import { faultsOf, inChromium, keepScreenshot, openAt, SCREENS } from './browser.ts'

const BASE = '/dashboard/my-shop'

inChromium('The palette', (engine, openTab) => {
  const shop = new Shop()
  let person: Person
  let product: string

  beforeAll(async () => {
    await shop.open(engine, {})
    product = (await shop.product({ name: 'Walnut Board' })).id
    await shop.customer({ name: 'Wanda Walnut', email: 'wanda@example.com' })
    await shop.tag({ name: 'Walnut lovers' })
    person = await signIn(shop.running)
  })
  afterAll(() => shop.close())

  const field = (page: Page) => page.getByRole('combobox', { name: 'Search this account' })
  const chosen = (page: Page) => page.locator('.palette [role=option][aria-selected=true]')
  const options = (page: Page) => page.locator('.palette [role=option]')

  it.each(SCREENS)('finds and opens a thing with the keyboard alone: $name', async ({ name, ...screen }) => {
    const tab = await openAt(openTab, `${shop.running.url}${BASE}/tags`, person, screen)
    const { page, complaints, close } = tab
    await page.keyboard.press('Control+k')
    await field(page).waitFor()
    await page.keyboard.type('walnut')
    await expect.poll(() => options(page).count()).toBeGreaterThan(2)
    expect(await chosen(page).textContent()).toContain('Wanda Walnut')
    expect(await faultsOf(tab)).toEqual([])
    await keepScreenshot(page, `palette-${name}`)
    await page.keyboard.press('ArrowDown')
    expect(await chosen(page).textContent()).toContain('Walnut Board')
    expect(await field(page).getAttribute('aria-activedescendant')).toBe(await chosen(page).getAttribute('id'))
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${BASE}/products/${product}`)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('/')
    await expect.poll(() => options(page).allTextContents()).toEqual(['Tags'])
    expect(await faultsOf(tab)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await field(page).count()).toBe(0)
    expect(complaints).toEqual([])
    await close()
  })

  it('leaves a slash to whoever writes, and shows the last search where an earlier one answers late', async () => {
    const { page, close } = await openAt(openTab, `${shop.running.url}${BASE}/tags/new`, person)
    await page.getByLabel('Name').first().fill('')
    await page.getByLabel('Name').first().press('/')
    expect(await page.getByLabel('Name').first().inputValue()).toBe('/')
    expect(await field(page).count()).toBe(0)
    await page.route('**/search?q=wan&*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      await route.continue().catch(() => {})
    })
    await page.keyboard.press('Meta+k')
    await field(page).fill('wan')
    await page.waitForRequest('**/search?q=wan&*')
    await field(page).fill('qqqqzz')
    await page.getByText('Nothing was found.').first().waitFor()
    await page.waitForTimeout(1_200)
    expect(await options(page).count()).toBe(0)
    await close()
  })

  it('leads to the page of the search where Enter comes before the results', async () => {
    const { page, close } = await openAt(openTab, `${shop.running.url}${BASE}`, person)
    await page.getByRole('link', { name: 'Search Ctrl K' }).click()
    await field(page).fill('walnut')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${BASE}/search?q=walnut`)
    await page.getByRole('link', { name: 'Walnut Board' }).waitFor()
    await close()
  })
})
