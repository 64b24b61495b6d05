import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, signIn } from '../support/person.ts'
import { Shop } from '../support/shop.ts'
import { faultsOf, inChromium, type OpenTab, openAt } from './browser.ts'

const COURSE = '/dashboard/my-shop/experiences/new?kind=course'

inChromium('Pictures for texts in a list', (engine, openTab) => {
  const shop = new Shop()
  let person: Person
  let picture: string

  beforeAll(async () => {
    await shop.open(engine, {})
    picture = untimed((await shop.get(`/files/${await shop.file({ filename: 'quill.png' })}`)).file_url)
    person = await signIn(shop.running)
  })
  afterAll(() => shop.close())

  const visiting = (options: Parameters<OpenTab>[0]) => openAt(openTab, shop.running.url + COURSE, person, options)
  const lesson = (page: Page) => page.getByRole('group', { name: 'Lesson 1' })

  /** Fills in a course as far as its first lesson. */
  async function begin(page: Page, name: string): Promise<void> {
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByRole('button', { name: 'Add chapter' }).click()
    await page.getByRole('group', { name: 'Chapter 1' }).getByLabel('Title', { exact: true }).fill('Chapter')
    await page.getByRole('button', { name: 'Add lesson' }).click()
    await lesson(page).getByLabel('Title', { exact: true }).fill('Lesson')
  }

  /** Once an experience has held the file, its address is another one from hour to hour. */
  const untimed = (text: string) => text.replace(/(\/files\/file_\w+\/)[\w.-]+/, '$1…')

  /** Makes the course. Gives the text of its lesson. */
  async function finish(page: Page, name: string): Promise<string> {
    await page.getByRole('button', { name: 'Create experience' }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    const [{ id }] = (await shop.get('/experiences?limit=1')).data
    return untimed((await shop.get(`/experiences/${id}`)).content.chapters[0].lessons[0].content_html)
  }

  it.each([
    { width: 320, colorScheme: 'dark' as const },
    { width: 1440, colorScheme: 'light' as const },
  ])('are chosen from thumbnails at $width pixels and go where the cursor is', async ({ width, colorScheme }) => {
    const tab = await visiting({ colorScheme, viewport: { width, height: 800 } })
    const { page, complaints, close } = tab
    page.on('dialog', (dialog) => complaints.push(`asks ${dialog.message()}`))
    await begin(page, `Course at ${width}`)
    await lesson(page).locator('.writing').click()
    await page.keyboard.type('Before after')
    for (let step = 0; step < ' after'.length; step++) await page.keyboard.press('ArrowLeft')
    await lesson(page).getByRole('button', { name: 'Picture', exact: true }).click()
    await lesson(page).getByRole('radio', { name: 'quill.png' }).check()
    expect(await lesson(page).locator('.writing').textContent()).toBe('Before after')
    await lesson(page).getByLabel('Alternative text').fill('A quill')
    expect(await faultsOf(tab)).toEqual([])
    await lesson(page).getByRole('button', { name: 'Add the picture' }).click()
    await lesson(page).locator('.writing img').waitFor()
    expect(await lesson(page).locator('.text-picture[open]').count()).toBe(0)
    expect(await finish(page, `Course at ${width}`)).toBe(`<p>Before<img src="${picture}" alt="A quill" /> after</p>`)
    expect(complaints).toEqual([])
    await close()
  })

  it('are chosen without scripts and go to the end of the text', async () => {
    const { page, complaints, close } = await visiting({
      javaScriptEnabled: false,
      viewport: { width: 320, height: 640 },
    })
    await begin(page, 'Course without scripts')
    await lesson(page).getByLabel('Text').fill('<p>Before</p>')
    await lesson(page).getByRole('button', { name: 'Add a picture' }).click()
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Add a picture')
    await lesson(page).getByRole('radio', { name: 'quill.png' }).check()
    await lesson(page).getByLabel('Alternative text').fill('A quill')
    await lesson(page).getByRole('button', { name: 'Add the picture' }).click()
    const text = await finish(page, 'Course without scripts')
    expect(text).toBe(`<p>Before</p><p><img src="${picture}" alt="A quill" /></p>`)
    expect(complaints).toEqual([])
    await close()
  })
})
