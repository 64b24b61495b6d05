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
  return {
    async open(path) {
      // Scripts of modules have run by then; pictures need not be there.
      await page.goto(url + path, { waitUntil: 'domcontentloaded' })
      return page.content()
    },
    async press(change) {
      await page.evaluate(UNFOLD)
      const before = await marks()
      await page.locator(`button[value="${change}"]`).click()
      await expect.poll(marks, { timeout: 60_000, interval: 10 }).not.toBe(before)
      return page.content()
    },
    fill: (values) => page.evaluate(`${UNFOLD}; (${FILL})(${JSON.stringify(values)})`),
    async save() {
      const answer = page.waitForResponse(
        (response) => response.request().method() === 'POST' && response.url().startsWith(url + BASE),
      )
      await page.locator('form.card.form .form-buttons button').first().click()
      const response = await answer
      if (response.status() !== 303) return { saved: null, html: await response.text() }
      const saved = new URL(response.headers().location!, url).pathname
      await page.waitForURL((address) => address.pathname === saved, { waitUntil: 'domcontentloaded' })
      return { saved, html: await page.content() }
    },
  }
}

/** Some lists are folded away. */
const UNFOLD = "for (const part of document.querySelectorAll('main details')) part.open = true"

/** Fills in what is shown once, all of it in one step, with the events that scripts wait for. */
const FILL = `(values) => {
  for (const [name, value] of Object.entries(values)) {
    const shown = [...document.querySelectorAll('[name="' + CSS.escape(name) + '"]')].filter((one) => one.checkVisibility())
    if (shown.length !== 1) continue
    shown[0].value = value
    for (const type of ['input', 'change']) shown[0].dispatchEvent(new Event(type, { bubbles: true }))
  }
}`
