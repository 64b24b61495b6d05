import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, signIn } from '../support/person.ts'
import { type Body, Shop } from '../support/shop.ts'
import { faultsOf, inChromium, type OpenTab, openAt } from './browser.ts'

const BASE = '/dashboard/my-shop'

/** A preview that is shown anew, or left, stops the loading of its films. */
const withoutStopped = (faults: unknown[]) => faults.filter((one) => !String(one).endsWith('.mp4: net::ERR_ABORTED'))

inChromium('The order of files in a browser', (engine, openTab) => {
  const shop = new Shop()
  let person: Person

  beforeAll(async () => {
    await shop.open(engine, {})
    for (const filename of ['three.mp4', 'two.mp4', 'one.mp4']) await shop.file({ filename, content_type: 'video/mp4' })
    person = await signIn(shop.running)
  })
  afterAll(() => shop.close())

  const visiting = (path: string, options?: Parameters<OpenTab>[0]) =>
    openAt(openTab, `${shop.running.url}${BASE}/${path}`, person, options)
  const gallery = (page: Page) => page.getByRole('group', { name: 'Pictures and videos', exact: true })
  const move = (page: Page, name: string, verb: string): Locator =>
    gallery(page).getByRole('button', { name: `Move ${name} ${verb}`, exact: true })
  const chosen = async (page: Page) =>
    (await gallery(page).locator('.pick:has(:checked) .pick-words').allInnerTexts()).map((words) => words.trim())
  const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent')

  it.each([
    { javaScriptEnabled: true, width: 1440, colorScheme: 'light' as const },
    { javaScriptEnabled: false, width: 320, colorScheme: 'dark' as const },
  ])('is changed with the keyboard, with scripts: $javaScriptEnabled', async (screen) => {
    const { javaScriptEnabled, width, colorScheme } = screen
    const viewport = { width, height: 800 }
    const tab = await visiting('products/new', { javaScriptEnabled, colorScheme, viewport })
    const { page, complaints, close } = tab
    const name = `Ordered at ${width}`
    await page.getByLabel('Name', { exact: true }).fill(name)
    for (const file of ['one.mp4', 'two.mp4', 'three.mp4'])
      await gallery(page).getByRole('checkbox', { name: file }).check()
    expect(await move(page, 'one.mp4', 'earlier').isVisible()).toBe(false)
    expect(await move(page, 'three.mp4', 'later').isVisible()).toBe(false)
    await move(page, 'three.mp4', 'earlier').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('three.mp4 is number 2 of 3 now.').waitFor()
    expect(await chosen(page)).toEqual(['one.mp4', 'three.mp4', 'two.mp4'])
    await expect.poll(() => focused(page)).toContain('Move three.mp4 earlier')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('three.mp4 is number 1 of 3 now.').waitFor()
    await expect.poll(() => focused(page)).toContain('Move three.mp4 later')
    if (javaScriptEnabled) expect(withoutStopped(await faultsOf(tab))).toEqual([])
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(name)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    const [made] = (await shop.get('/products?limit=1')).data
    const titles = await Promise.all(made.media_gallery.map(({ id }: Body) => shop.get(`/files/${id}`)))
    expect(titles.map(({ filename }) => filename)).toEqual(['three.mp4', 'one.mp4', 'two.mp4'])
    expect(withoutStopped(complaints)).toEqual([])
    await close()
  })

  it('is changed at once with scripts, without asking the server', async () => {
    const { page, close } = await visiting('products/new', { viewport: { width: 320, height: 800 } })
    const posts: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') posts.push(request.url())
    })
    for (const file of ['one.mp4', 'two.mp4']) await gallery(page).getByRole('checkbox', { name: file }).check()
    await move(page, 'one.mp4', 'later').click()
    expect(await chosen(page)).toEqual(['two.mp4', 'one.mp4'])
    expect(posts).toEqual([])
    await page.getByLabel('Name', { exact: true }).press('Enter')
    await expect.poll(() => posts).toHaveLength(1)
    await page.getByRole('alert').waitFor()
    expect(await chosen(page)).toEqual(['two.mp4', 'one.mp4'])
    await close()
  })
})
