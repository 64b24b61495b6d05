import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, signIn } from '../support/person.ts'
import { Shop } from '../support/shop.ts'
import { faultsOf, inChromium, openAt } from './browser.ts'

const BASE = '/dashboard/my-shop'
const WIDE = { width: 1440, height: 900 }

inChromium('Rows of a list', (engine, openTab) => {
  const shop = new Shop()
  let person: Person

  beforeAll(async () => {
    await shop.open(engine, {})
    for (const name of ['Amber', 'Blue', 'Cyan', 'Dust', 'Ecru']) await shop.product({ name })
    person = await signIn(shop.running)
  })
  afterAll(() => shop.close())

  const visiting = async (path: string, viewport = WIDE) => {
    const tab = await openAt(openTab, `${shop.running.url}${BASE}/${path}`, person, { viewport })
    await tab.page.locator('.opens').waitFor()
    return tab
  }
  const names = (page: Page) => page.locator('tbody .row-link').allTextContents()
  const boxes = (page: Page) => page.locator('[name="chosen"]')
  const said = (page: Page) => page.locator('[data-list-target="said"]')
  const search = (page: Page) => page.getByRole('searchbox', { name: 'Search', exact: true })

  it('are narrowed while somebody types, who keeps typing, and by the address that is shown', async () => {
    const tab = await visiting('products?sort=name')
    const { page } = tab
    expect(await page.getByRole('button', { name: 'Apply' }).isVisible()).toBe(false)
    await search(page).pressSequentially('blu')
    await expect.poll(() => names(page)).toEqual(['Blue'])
    await expect.poll(() => new URL(page.url()).search).toBe('?query=blu&sort=name')
    await page.keyboard.type('x')
    await page.locator('.empty', { hasText: 'No products match search “blux”.' }).waitFor()
    expect(await search(page).inputValue()).toBe('blux')
    await expect.poll(() => said(page).textContent()).toBe('No products match search “blux”.')
    expect(await faultsOf(tab)).toEqual([])
    await page.getByRole('link', { name: 'Clear', exact: true }).click()
    await expect.poll(() => names(page)).toHaveLength(5)
    await page.getByLabel('Status').selectOption('Active')
    await page.getByRole('link', { name: 'Remove the filter Status: Active' }).waitFor()
    await page.goBack()
    await page.locator('.empty', { hasText: 'No products match search “blux”.' }).waitFor()
    await tab.close()
  })

  it('open where they are clicked, in a tab of their own as links do, and never while text is selected', async () => {
    const { page, close } = await visiting('products?sort=name')
    const cell = page.locator('tbody tr', { hasText: 'Cyan' }).getByText('Draft')
    const opened = page.context().waitForEvent('page')
    await cell.click({ modifiers: ['Control'] })
    expect((await opened).url()).toMatch(/\/products\/prod_/)
    const box = (await page.locator('tbody tr', { hasText: 'Cyan' }).locator('time').boundingBox())!
    await page.mouse.move(box.x + 1, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width - 1, box.y + box.height / 2, { steps: 3 })
    await page.mouse.up()
    expect(await page.evaluate<string>('getSelection().toString()')).not.toBe('')
    expect(page.url()).toContain('?sort=name')
    await page.evaluate('getSelection().removeAllRanges()')
    await cell.click()
    await page.getByRole('heading', { name: 'Cyan', level: 1 }).waitFor()
    await close()
  })

  it('are chosen one by one, in a range and all at once', async () => {
    const tab = await visiting('products?sort=name')
    const { page } = tab
    const checked = () =>
      boxes(page).evaluateAll((all) => all.map((one) => Number((one as HTMLInputElement).checked)).join(''))
    const bar = page.getByRole('form', { name: 'With the rows that are chosen' })
    expect(await bar.isVisible()).toBe(false)
    await boxes(page).nth(1).click()
    await boxes(page)
      .nth(3)
      .click({ modifiers: ['Shift'] })
    expect(await checked()).toBe('01110')
    await bar.getByText('3 chosen').waitFor()
    expect(await faultsOf(tab)).toEqual([])
    await page.getByLabel('Choose all on this page').check()
    expect(await checked()).toBe('11111')
    await page.getByLabel('Choose all on this page').uncheck()
    expect([await checked(), await bar.isVisible()]).toEqual(['00000', false])
    await boxes(page).nth(0).focus()
    await page.keyboard.press('Space')
    await bar.getByRole('button', { name: 'Archive' }).click()
    await page.getByRole('heading', { name: 'Archive: 1 product', level: 1 }).waitFor()
    await tab.close()
  })

  it('come by themselves, and leave focus, choice and place as they are; a hidden tab asks for nothing', async () => {
    const tab = await visiting('products')
    const { page } = tab
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const look = () => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await boxes(page).nth(2).click()
    const link = page.locator('.row-link').nth(1)
    await link.focus()
    const focused = await link.textContent()
    await shop.product({ name: 'Flax' })
    await page.evaluate("Object.defineProperty(document, 'hidden', { configurable: true, value: true })")
    await look()
    expect(asked).toEqual([])
    await page.evaluate('delete document.hidden')
    await look()
    await expect.poll(() => said(page).textContent()).toBe('1 new product.')
    expect((await names(page))[0]).toBe('Flax')
    expect(await page.evaluate('document.activeElement.textContent')).toBe(focused)
    expect(await boxes(page).evaluateAll((all) => all.findIndex((one) => (one as HTMLInputElement).checked))).toBe(3)
    expect(asked).toEqual([`${BASE}/products/latest`, `${BASE}/products`])
    await look()
    await expect.poll(() => asked.length).toBe(3)
    expect(await faultsOf(tab)).toEqual([])
    await tab.close()
  })

  it('stay below heads that stay in sight', async () => {
    const { page, close } = await visiting('products', { width: 1440, height: 320 })
    await page.mouse.move(800, 250)
    await page.mouse.wheel(0, 300)
    await expect.poll(() => page.evaluate<number>('scrollY')).toBeGreaterThan(200)
    expect((await page.locator('thead th').first().boundingBox())!.y).toBe(0)
    await close()
  })

  it('are beside a menu that keeps its place and its groups as they were left', async () => {
    const { page, close } = await visiting('products', { width: 1440, height: 320 })
    const group = page.locator('#nav-agents')
    await page.getByText('Agents', { exact: true }).click()
    await page.locator('.side').evaluate((side) => side.scrollTo(0, 100))
    await page.getByRole('link', { name: 'Customers', exact: true }).evaluate((one) => (one as HTMLElement).click())
    await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor()
    await expect.poll(() => page.locator('.side').evaluate((side) => side.scrollTop)).toBe(100)
    expect(await group.getAttribute('open')).toBe('')
    await page.reload()
    expect(await group.getAttribute('open')).toBe('')
    await page.getByText('Agents', { exact: true }).click()
    await page.reload()
    expect(await group.getAttribute('open')).toBeNull()
    await close()
  })
})
