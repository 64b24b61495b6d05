import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, signIn } from '../support/person.ts'
import { png } from '../support/picture.ts'
import { Shop } from '../support/shop.ts'
import { axeProblems, faultsOf, inChromium, isTooWide, openAt } from './browser.ts'

const HOME = '/dashboard/my-shop'

inChromium('The form of a product in a browser', (engine, openTab) => {
  const shop = new Shop()
  const directory = mkdtempSync(join(tmpdir(), 'editor-'))
  const picture = join(directory, 'kite.png')
  let person: Person

  beforeAll(async () => {
    writeFileSync(picture, png(40, 30))
    await shop.open(engine, {})
    person = await signIn(shop.running)
  })
  afterAll(async () => {
    rmSync(directory, { recursive: true })
    await shop.close()
  })

  it('launches a product with two prices, a picture and a code in six clicks from Home', async () => {
    const viewport = { width: 1440, height: 900 }
    const tab = await openAt(openTab, `${shop.running.url}${HOME}`, person, { viewport })
    const { page } = tab
    // Turbo keeps the window from page to page. Fields are reached by the Tab key; what is pressed is counted.
    await page.evaluate(`window.clicks = 0; addEventListener('pointerdown', () => clicks++, true)`)
    const chosen = async (name: string, value: string) => {
      await page.locator(`[name="${name}"]`).click()
      await page.locator(`[name="${name}"]`).selectOption(value)
      await page.keyboard.press('Escape')
    }
    await page.getByRole('link', { name: 'Add a product' }).click()
    await page.getByLabel('Name', { exact: true }).pressSequentially('Kite')
    await page.locator('[name="price.0.amount"]').fill('29')
    const preview = page.frameLocator('iframe[name="preview"]')
    await preview.getByRole('heading', { name: 'Kite' }).waitFor()
    await preview.getByText('$29.00').first().waitFor()
    await page.getByRole('button', { name: 'Add another price' }).click()
    await chosen('price.1.kind', 'subscription')
    await page.locator('[name="price.1.amount"]').fill('9')
    await chosen('price.1.recurring_interval', 'month')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.locator('[data-part="media"] .drop').click(),
    ])
    await chooser.setFiles(picture)
    await page.getByPlaceholder('What this picture shows').fill('A red kite')
    await preview.getByRole('img', { name: 'A red kite' }).waitFor()
    expect(await page.locator('[name="price.0.amount"]').inputValue()).toBe('29')
    await page.locator('[name="code.code"]').fill('KITE25')
    await page.locator('[name="code.percent_off"]').fill('25')
    expect(await faultsOf(tab)).toEqual([])
    await page.getByRole('button', { name: 'Save and publish' }).click()
    await page.getByText('Kite is on sale.').waitFor()
    await page.getByText('is ready: 25% off this product').waitFor()
    expect(await faultsOf(tab)).toEqual([])
    expect(await page.evaluate<number>('clicks')).toBe(6)
    const [product] = (await shop.get('/products?query=Kite')).data
    expect([product.status, product.price_variants.length, product.media_gallery.length]).toEqual(['active', 2, 1])
    expect((await shop.get('/discounts?query=KITE25')).data[0].applies_to_product_ids).toEqual([product.id])
    await tab.close()
  })

  it('previews what was typed while an earlier preview was on its way', async () => {
    const viewport = { width: 1440, height: 900 }
    const tab = await openAt(openTab, `${shop.running.url}${HOME}/products/new`, person, { viewport })
    const { page } = tab
    const name = page.getByLabel('Name', { exact: true })
    const preview = page.frameLocator('iframe[name="preview"]')
    await name.fill('First')
    await preview.getByRole('heading', { name: 'First' }).waitFor()
    const hold = async (route: Route) => {
      const response = await route.fetch()
      await name.fill('Third')
      await route.fulfill({ response })
    }
    await page.route('**/preview*', hold, { times: 1 })
    await name.fill('Second')
    await preview.getByRole('heading', { name: 'Third' }).waitFor()
    await tab.close()
  })

  it('puts prices into another order by the keyboard, and by dragging them', async () => {
    const { id } = await shop.product({ name: 'Ordered' })
    for (const [name, amount] of [
      ['One', 100],
      ['Two', 200],
      ['Three', 300],
    ])
      await shop.price(id, { name, amount })
    // So tall that the bar with the buttons covers no price.
    const options = { viewport: { width: 1440, height: 2600 } }
    const tab = await openAt(openTab, `${shop.running.url}${HOME}/products/${id}/edit`, person, options)
    const { page } = tab
    const names = () => page.locator('.price-row legend').allTextContents()
    await page.getByRole('button', { name: 'Move price 1 down' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(names).toEqual(['Price 1: Two', 'Price 2: One', 'Price 3: Three'])
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('↓Move price 2 down')
    await drag(page.locator('.drag-handle').nth(2), page.locator('.price-row').first())
    await expect.poll(names).toEqual(['Price 1: Three', 'Price 2: Two', 'Price 3: One'])
    expect(await faultsOf(tab)).toEqual([])
    await page.getByRole('button', { name: 'Save', exact: true }).last().click()
    await page.getByText('Ordered was saved.').waitFor()
    expect(await shop.listed(`/price_variants?product=${id}`, 'name')).toEqual(['Three', 'Two', 'One'])
    await tab.close()
  })

  it('asks before words are lost, and not once they are kept', async () => {
    const tab = await openAt(openTab, `${shop.running.url}${HOME}/products/new`, person)
    const { page } = tab
    const asked: string[] = []
    let answer: 'accept' | 'dismiss' = 'dismiss'
    page.on('dialog', async (dialog) => {
      asked.push(dialog.type())
      await (answer === 'accept' ? dialog.accept() : dialog.dismiss())
    })
    await page.getByLabel('Name', { exact: true }).pressSequentially('Nearly lost')
    const away = page.getByRole('link', { name: 'Cancel' })
    await away.click()
    await expect.poll(() => asked).toEqual(['confirm'])
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Nearly lost')
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => asked).toEqual(['confirm', 'beforeunload'])
    answer = 'accept'
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Nearly lost was saved.').waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.waitForURL(/my-shop$/)
    expect(asked).toEqual(['confirm', 'beforeunload'])
    await tab.close()
  })

  it('shows the page without scripts at the press of a button', async () => {
    const options = { javaScriptEnabled: false, viewport: { width: 390, height: 844 } }
    const { page, complaints, close } = await openAt(
      openTab,
      `${shop.running.url}${HOME}/products/new`,
      person,
      options,
    )
    await page.getByLabel('Name', { exact: true }).fill('Paper boat')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.frameLocator('iframe[name="preview"]').getByRole('heading', { name: 'Paper boat' }).waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Paper boat')
    expect([await isTooWide(page), complaints]).toEqual([false, []])
    await close()
  })

  it('gives the shop a look that is seen at once, in shades that can be read', async () => {
    const options = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const }
    const { page, complaints, close } = await openAt(
      openTab,
      `${shop.running.url}${HOME}/settings/branding`,
      person,
      options,
    )
    const shown = page.frameLocator('iframe[name="preview"]')
    await page.getByLabel('Use a color of your own').check()
    await page.locator('[id="field-branding.color"]').fill('#f2b705')
    await page.getByText('so links use #').waitFor()
    await page.locator('[id="field-branding.font"]').selectOption('serif')
    await page.locator('iframe[name="preview"]').scrollIntoViewIfNeeded()
    await expect.poll(() => shown.locator('link[href*="/brand/f2b705-serif-"]').count()).toBe(1)
    expect([await axeProblems(page), await isTooWide(page)]).toEqual([[], false])
    await page.getByRole('button', { name: 'Save', exact: true }).last().click()
    await page.getByText('The branding was saved.').waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto(`${shop.running.url}/s/my-shop/p/kite`)
      expect([colorScheme, await axeProblems(page)]).toEqual([colorScheme, []])
    }
    const box = await page.locator('.buy-bar .button').boundingBox()
    expect(box!.y + box!.height).toBeLessThanOrEqual(844)
    const color = `getComputedStyle(document.querySelector('.buy-bar .button')).backgroundColor`
    expect(await page.evaluate(color)).toBe('rgb(242, 183, 5)')
    expect(complaints).toEqual([])
    await close()
  })

  it('reads feeds, sitemaps and data of the storefront as XML and JSON', async () => {
    await shop.patch('/account', { description: 'Kites & “wind” <b>' })
    const { page, close } = await openAt(openTab, `${shop.running.url}/s/my-shop/p/kite`, person)
    /** The root of a document, whether it is well-formed, and how many elements of a name it has. */
    const parsed = async (path: string, count: string) => {
      const text = JSON.stringify(await (await fetch(`${shop.running.url}/s/my-shop/${path}`)).text())
      const all = `document => [document.documentElement.localName, document.querySelectorAll('parsererror').length, document.querySelectorAll('${count}').length]`
      return page.evaluate(`(${all})(new DOMParser().parseFromString(${text}, 'application/xml'))`)
    }
    expect(await parsed('feed.xml', 'entry > link')).toEqual(['feed', 0, 1])
    expect(await parsed('sitemap.xml', 'url > loc')).toEqual(['urlset', 0, 2])
    const data = await page.locator('script[type="application/ld+json"]').textContent()
    expect(JSON.parse(data!)).toMatchObject({ '@type': 'Product', name: 'Kite', offers: [{ price: '29.00' }, {}] })
    await close()
  })
})

/** Drags as a hand does, with the mouse, to the upper part of a place. */
async function drag(what: Locator, to: Locator): Promise<void> {
  const [from, place] = [(await what.boundingBox())!, (await to.boundingBox())!]
  const { mouse } = what.page()
  await mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await mouse.down()
  await mouse.move(place.x + 60, place.y + place.height * 0.3, { steps: 12 })
  await mouse.move(place.x + 62, place.y + place.height * 0.3, { steps: 2 })
  await mouse.up()
}
