import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { some } from '../support/depth.ts'
import { type Person, signIn } from '../support/person.ts'
import { Shop } from '../support/shop.ts'
import { axeProblems, inChromium, isTooWide, type OpenTab, openAt } from './browser.ts'

const BASE = '/dashboard/my-shop'
const SCREENS = [
  { width: 320, colorScheme: 'dark' },
  { width: 1440, colorScheme: 'light' },
] as const

inChromium('Writing in a browser', (engine, openTab) => {
  const shop = new Shop()
  let person: Person

  beforeAll(async () => {
    await shop.open(engine, {})
    person = await signIn(shop.running)
  })
  afterAll(() => shop.close())

  const visiting = (path: string, options?: Parameters<OpenTab>[0]) =>
    openAt(openTab, shop.running.url + path, person, options)

  it('writes an article with the editor, publishes it, and readers see it', async () => {
    const { page, complaints, close } = await visiting(`${BASE}/blog_posts/new`)
    await page.getByLabel('Title', { exact: true }).fill('From the editor')
    const paper = page.locator('.writing')
    await paper.click()
    await page.getByRole('button', { name: 'Heading', exact: true }).click()
    await page.keyboard.type('Begin')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Some ')
    await page.getByRole('button', { name: 'Bold' }).click()
    await page.keyboard.type('bold')
    expect(await axeProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Save draft', exact: true }).click()
    await page.getByRole('link', { name: 'Publish', exact: true }).click()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('“From the editor” published.').waitFor()
    const reader = await openTab()
    await reader.page.goto(`${shop.running.url}/s/my-shop/blog`)
    await reader.page.getByRole('link', { name: 'From the editor' }).click()
    await reader.page.getByRole('heading', { name: 'From the editor', level: 1 }).waitFor()
    expect(await reader.page.content()).toContain('<h2>Begin</h2><p>Some <strong>bold</strong></p>')
    expect([...complaints, ...reader.complaints]).toEqual([])
    await Promise.all([close(), reader.close()])
  })

  it('leaves a text as HTML that the editor would lose parts of', async () => {
    const fields = { title: 'With a table', content: '<table><tbody><tr><td>1</td></tr></tbody></table>' }
    const post = (await person.submit(`${BASE}/blog_posts/new`, fields)).location!.split('?')[0]
    const { page, close } = await visiting(`${post}/edit`)
    await page.getByText('the editor cannot show').waitFor()
    expect(await page.locator('textarea[name="content"]').inputValue()).toContain('<td>1</td>')
    await close()
  })

  it('uploads files with their progress and shows them', async () => {
    const { page, complaints, close } = await visiting(`${BASE}/files`)
    const buffer = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>')
    await page.locator('.drop input[type="file"]').setInputFiles([
      { name: 'drawing.svg', mimeType: 'image/svg+xml', buffer },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.alloc(3_000_000, 'a') },
    ])
    await page.getByText('notes.txt', { exact: true }).and(page.locator('.tile-name')).waitFor()
    expect(await page.locator('.tile').count()).toBe(2)
    expect(await axeProblems(page)).toEqual([])
    expect(complaints).toEqual([])
    await close()
  })

  it.each([true, false])('builds a form, with scripts: %s', async (javaScriptEnabled) => {
    const { page, complaints, close } = await visiting(`${BASE}/forms/new`, { javaScriptEnabled })
    const name = javaScriptEnabled ? 'With scripts' : 'Without scripts'
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByRole('button', { name: 'Add question' }).click()
    const third = page.getByRole('group', { name: 'Question 3' })
    await third.getByLabel('Question', { exact: true }).fill('Which size?')
    await third.getByRole('button', { name: 'Move up' }).click()
    const second = page.getByRole('group', { name: 'Question 2' })
    await expect.poll(() => second.getByLabel('Question', { exact: true }).inputValue()).toBe('Which size?')
    await page.getByRole('button', { name: 'Create form' }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    const { body } = await shop.running.api('GET', '/forms', undefined)
    const made = body.data.find((form: { name: string }) => form.name === name)
    expect(made.fields.map(({ label }: { label: string }) => label)).toEqual(['Email', 'Which size?', 'Name'])
    expect(complaints).toEqual([])
    await close()
  })

  const PAGES = ['social', 'social_posts/new', 'social/analytics', 'tasks/new', 'formations/new', 'forms/new']
  const MORE = [
    'experiences/new',
    'experiences/new?kind=course',
    'event_sources/new?provider=rss',
    'social_accounts/new',
  ]

  it.each(some(SCREENS, 1))('has pages without fault at $width pixels', async ({ width, colorScheme }) => {
    const { page, complaints, close } = await visiting(BASE, { viewport: { width, height: 900 }, colorScheme })
    const faults: object[] = []
    for (const path of [...PAGES, ...MORE]) {
      const found = await faultsOf(page, path)
      if (found.length > 0) faults.push({ path, found })
    }
    expect(faults).toEqual([])
    expect(complaints).toEqual([])
    await close()
  })

  async function faultsOf(page: Page, path: string): Promise<string[]> {
    const answer = await page.goto(`${shop.running.url}${BASE}/${path}`)
    const wide = (await isTooWide(page)) ? ['is too wide'] : []
    return [...(answer?.status() === 200 ? [] : [`answers ${answer?.status()}`]), ...wide, ...(await axeProblems(page))]
  }
})
