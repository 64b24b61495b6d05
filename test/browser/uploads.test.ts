import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { fieldsOf, type Person, signIn } from '../support/person.ts'
import { type S3Server, startS3 } from '../support/s3-server.ts'
import { Shop } from '../support/shop.ts'
import { axeProblems, CHROMIUM, closeTabs, isTooWide, openChromium, openTab, type Tab } from './browser.ts'
import { openGroup } from './steps.ts'

const FILES = '/dashboard/my-shop/files'
const SLOW = { timeout: 120_000 }
/** The smallest picture: one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const COVER = { name: 'cover.png', mimeType: 'image/png', buffer: PNG }

/** What a store of files must let the scripts of the dashboard send, as the guide says. */
const HEADERS = ['content-type', 'if-none-match']

describe.skipIf(CHROMIUM === null)('Uploading in a browser', () => {
  let browser: Browser
  const inDirectory = new Shop()
  const inStore = new Shop()
  const people = new Map<Shop, Person>()
  let store: S3Server

  beforeAll(async () => {
    store = await startS3()
    await inDirectory.open('sqlite', {})
    await inStore.open('sqlite', store.settings)
    store.cors = { origin: inStore.running.url, headers: HEADERS }
    for (const shop of [inDirectory, inStore]) people.set(shop, await signIn(shop.running))
    browser = await openChromium()
  }, 120_000)
  afterAll(async () => {
    await closeTabs(browser)
    await inDirectory.close()
    await inStore.close()
    await store.close()
  })

  async function visiting(shop: Shop, path: string, options: Parameters<typeof openTab>[1] = {}): Promise<Tab> {
    const tab = await openTab(browser, options)
    const { url } = shop.running
    await tab.page.context().addCookies(people.get(shop)!.cookies.map((cookie) => ({ ...cookie, url })))
    await tab.page.goto(url + path)
    return tab
  }
  const tile = (page: Page, name: string) => page.locator('.tile-name').getByText(name, { exact: true })
  const newest = async (shop: Shop) => (await shop.get('/files?limit=1')).data[0]

  it('puts bytes to the store itself, which the policy of the page names and nothing else', SLOW, async () => {
    const { page, complaints, close } = await visiting(inStore, '/dashboard/my-shop')
    await openGroup(page, 'Content')
    await page.getByRole('link', { name: 'Files', exact: true }).click()
    const puts: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PUT') puts.push(new URL(request.url()).origin)
    })
    await page.locator('.drop input[type="file"]').setInputFiles([COVER])
    await tile(page, 'cover.png').waitFor()
    expect(puts).toEqual([store.url])
    const file = await newest(inStore)
    expect(file).toMatchObject({ upload_status: 'ready', content_type: 'image/png', size: PNG.length })
    expect(store.objects.get(`${inStore.accountId}/${file.id}`)?.equals(PNG)).toBe(true)
    expect(complaints).toEqual([])
    const policyOf = async (path: string) =>
      (await people.get(inStore)!.get(path)).headers.get('content-security-policy') ?? ''
    expect(await policyOf(FILES)).toContain(`connect-src 'self' ${store.url}/shop-files/;`)
    for (const path of ['/dashboard/my-shop', `${FILES}/new`, `${FILES}/${file.id}`])
      expect([path, await policyOf(path)]).toEqual([path, expect.stringContaining("connect-src 'self';")])
    await close()
  })

  it('says that a store took nothing that does not let the dashboard in', SLOW, async () => {
    store.cors = null
    const { page, close } = await visiting(inStore, FILES)
    await page.locator('.drop input[type="file"]').setInputFiles([{ ...COVER, name: 'kept-out.png' }])
    await page.locator('.uploads .failed').getByText('The connection was lost. Try again.').waitFor()
    expect((await newest(inStore)).upload_status).toBe('pending')
    store.cors = { origin: inStore.running.url, headers: HEADERS }
    await close()
  })

  it('takes what is dropped', SLOW, async () => {
    const { page, complaints, close } = await visiting(inDirectory, FILES)
    await page.locator('.drop').waitFor()
    const data = await page.evaluateHandle(
      (bytes) => {
        const transfer = new DataTransfer()
        transfer.items.add(new File([new Uint8Array(bytes)], 'dropped.png', { type: 'image/png' }))
        return transfer
      },
      [...PNG],
    )
    await page.dispatchEvent('.drop', 'dragover', { dataTransfer: data })
    expect(await page.locator('.drop.over').count()).toBe(1)
    await page.dispatchEvent('.drop', 'drop', { dataTransfer: data })
    await tile(page, 'dropped.png').waitFor()
    expect(await newest(inDirectory)).toMatchObject({ filename: 'dropped.png', content_type: 'image/png' })
    expect(complaints).toEqual([])
    await close()
  })

  it.each([
    ['the directory', () => inDirectory, { width: 320, height: 800 }],
    ['the store', () => inStore, { width: 1280, height: 800 }],
  ] as const)('without scripts sends a form, whose files go to %s', SLOW, async (_, shopOf, viewport) => {
    const shop = shopOf()
    const { page, complaints, close } = await visiting(shop, FILES, { javaScriptEnabled: false, viewport })
    expect(await page.locator('.drop').isVisible()).toBe(false)
    const words = { name: 'words.txt', mimeType: 'text/plain', buffer: Buffer.from('a few words') }
    await page.getByLabel('Files', { exact: true }).setInputFiles([{ ...COVER, name: 'by-form.png' }, words])
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByText('Created.').waitFor()
    await tile(page, 'by-form.png').waitFor()
    const file = await newest(shop)
    expect(file).toMatchObject({ filename: 'words.txt', content_type: 'text/plain', upload_status: 'ready' })
    expect(await (await fetch(file.file_url)).text()).toBe('a few words')
    expect(complaints).toEqual([])
    await close()
  })

  it('without scripts shows at the form why files were not taken', SLOW, async () => {
    const { page, complaints, close } = await visiting(inDirectory, FILES, { javaScriptEnabled: false })
    const { directory, remove } = await freshDirectory()
    const much = join(directory, 'much.bin')
    await writeFile(much, Buffer.alloc(25_000_000))
    await page.getByLabel('Files', { exact: true }).setInputFiles(much)
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByRole('alert').getByText('The files are larger than 20 MB in total.').waitFor()
    expect(await page.locator('#upload-files-problem').textContent()).toContain('Nothing was uploaded.')
    expect(complaints).toEqual([])
    await close()
    await remove()
  })

  it.each([true, false])(
    'chooses pictures by what they look like, with scripts: %s',
    SLOW,
    async (javaScriptEnabled) => {
      const name = javaScriptEnabled ? 'seen.png' : 'seen-plainly.png'
      const form = new FormData()
      const csrf = fieldsOf((await people.get(inDirectory)!.get(FILES)).html, FILES).csrf!
      form.set('csrf', csrf)
      form.set('files', new File([PNG], name))
      await people.get(inDirectory)!.upload(FILES, form)
      const { id, file_url: url } = await newest(inDirectory)
      const options = { javaScriptEnabled, viewport: { width: javaScriptEnabled ? 1280 : 390, height: 900 } }

      const post = await visiting(inDirectory, '/dashboard/my-shop/blog_posts/new', options)
      await post.page.getByLabel('Title', { exact: true }).fill(`With ${name}`)
      const top = post.page.getByRole('radiogroup', { name: 'Picture', exact: true }).last()
      await top.getByRole('radio', { name }).check()
      await post.page.locator('#field-featured_image_alt').fill('At the top')
      const adding = post.page.locator('.text-picture')
      if (javaScriptEnabled) {
        await post.page.locator('.writing').click()
        await post.page.keyboard.type('Before after')
        for (let step = 0; step < ' after'.length; step++) await post.page.keyboard.press('ArrowLeft')
        await post.page.getByRole('button', { name: 'Picture', exact: true }).click()
      } else {
        await post.page.locator('textarea[name="content"]').fill('<p>Before</p>')
        await adding.locator('summary').first().click()
      }
      await adding.getByRole('radio', { name }).check()
      await adding.getByLabel('Alternative text').fill('In the text')
      if (javaScriptEnabled) expect(await axeProblems(post.page)).toEqual([])
      expect(await isTooWide(post.page)).toBe(false)
      await adding.getByRole('button', { name: 'Add the picture' }).click()
      if (javaScriptEnabled) await post.page.locator('.writing img').waitFor()
      expect(await top.getByRole('radio', { name }).isChecked()).toBe(true)
      await post.page.getByRole('button', { name: 'Save draft' }).last().click()
      await post.page.getByRole('heading', { name: `With ${name}`, level: 1 }).waitFor()
      const [written] = (await inDirectory.get('/blog_posts?limit=1')).data
      expect(written).toMatchObject({ featured_image_url: url, featured_image_alt: 'At the top' })
      const image = `<img src="${url}" alt="In the text" />`
      expect(written.content).toBe(javaScriptEnabled ? `<p>Before${image} after</p>` : `<p>Before</p><p>${image}</p>`)
      expect(post.complaints).toEqual([])
      await post.close()

      const product = await visiting(inDirectory, '/dashboard/my-shop/products/new', options)
      await product.page.getByLabel('Name', { exact: true }).fill(`Pictured by ${name}`)
      await product.page.getByRole('checkbox', { name }).check()
      if (javaScriptEnabled) expect(await axeProblems(product.page)).toEqual([])
      expect(await isTooWide(product.page)).toBe(false)
      await product.page.getByRole('button', { name: 'Save draft' }).click()
      await product.page.getByText(`Pictured by ${name} was saved.`).waitFor()
      const [sold] = (await inDirectory.get('/products?limit=1')).data
      expect(sold.media_gallery.map((file: { id: string }) => file.id)).toEqual([id])
      expect(product.complaints).toEqual([])
      await product.close()
    },
  )

  it.each([320, 1440])('has a form without fault at %i pixels', SLOW, async (width) => {
    const { page, close } = await visiting(inDirectory, FILES, { viewport: { width, height: 900 } })
    // As it is where no script runs: axe is one itself.
    await page.evaluate(`document.querySelector('[data-controller="upload"] form').hidden = false`)
    expect(await axeProblems(page)).toEqual([])
    expect(await isTooWide(page)).toBe(false)
    await close()
  })
})
