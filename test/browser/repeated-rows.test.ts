import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, signIn } from '../support/person.ts'
import {
  allRowLists,
  type Filler,
  formPagesOf,
  knownValues,
  marksIn,
  pricesOf,
  useRows,
} from '../support/repeated-rows.ts'
import { Shop } from '../support/shop.ts'
import { stock } from '../support/stock.ts'
import { inChromium } from './browser.ts'

const BASE = '/dashboard/my-shop'

inChromium('The rows of forms', (engine, open) => {
  const shop = new Shop()
  let person: Person
  beforeAll(async () => {
    await shop.open(engine, {})
    person = await signIn(shop.running)
  })
  afterAll(() => shop.close())

  it('are added, moved, removed and saved in every form', { timeout: 600_000 }, async () => {
    const pages = formPagesOf(BASE, shop.running.app.pipeline, await stock(shop))
    const lists = await allRowLists(pages, async (path) => (await person.get(path)).html)
    const { page, close } = await open({}, person)
    const prices = await pricesOf(shop)
    const faults: object[] = []
    for (const list of lists) {
      const fault = await useRows(fillerOf(page, shop.running.url, list.list), list, knownValues(list, prices))
      if (fault !== null) faults.push({ ...list, fault })
    }
    await close()
    expect(faults).toEqual([])
  })
})

/** A browser with its scripts. */
function fillerOf(page: Page, url: string, list: string): Filler {
  const marks = async () => marksIn(await page.content(), list).join(' ')
  // Some lists are folded away.
  const unfold = () => page.evaluate("for (const part of document.querySelectorAll('main details')) part.open = true")
  return {
    async open(path) {
      await page.goto(url + path)
      return page.content()
    },
    async press(change) {
      await unfold()
      const before = await marks()
      await page.locator(`button[value="${change}"]`).click()
      await expect.poll(marks, { timeout: 60_000 }).not.toBe(before)
      return page.content()
    },
    async fill(values) {
      await unfold()
      for (const [name, value] of Object.entries(values)) {
        const control = page.locator(`[name="${name}"]:visible`)
        if ((await control.count()) !== 1) continue
        const isChoice = await control.evaluate((element) => (element as { tagName: string }).tagName === 'SELECT')
        await (isChoice ? control.selectOption(value) : control.fill(value))
      }
    },
    async save() {
      const answer = page.waitForResponse(
        (response) => response.request().method() === 'POST' && response.url().startsWith(url + BASE),
      )
      await page.locator('form.card.form .form-buttons button').first().click()
      const response = await answer
      if (response.status() !== 303) return { saved: null, html: await response.text() }
      const saved = new URL(response.headers().location!, url).pathname
      await page.waitForURL((address) => address.pathname === saved)
      return { saved, html: await page.content() }
    },
  }
}
