import { beforeAll, describe, expect, it } from 'vitest'
import { vaultOf } from '../../src/access/vault.ts'
import { timestampOf } from '../../src/contract/values/values.ts'
import type { Services } from '../../src/records/services.ts'
import { accessUrl } from '../../src/resources/content/experience/access.ts'
import { type Dashboard, dashboardOf, ownerOf } from '../dashboard/operations/visitor.ts'
import { SECRET_KEY } from '../support/app.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const yesterday = () => timestampOf(new Date(Date.now() - 86_400_000))

async function uploaded(shop: Shop, bytes: BodyInit = 'abcdefghij', filename = 'book.epub'): Promise<Body> {
  const { id, upload_url } = await shop.post('/files', { filename })
  expect((await fetch(upload_url, { method: 'PUT', body: bytes })).status).toBe(200)
  return shop.post(`/files/${id}/uploaded`)
}

async function statusOf(address: string, headers: Record<string, string> = {}): Promise<number> {
  const answer = await fetch(address, { headers })
  await answer.body?.cancel()
  return answer.status
}

describe('A file that buyers pay for', () => {
  onGateEngine((shop) => {
    let dashboard: Dashboard

    beforeAll(() => {
      dashboard = dashboardOf(shop, ownerOf(shop))
    })

    const experience = async (body: object): Promise<Body> => {
      const made = await dashboard('POST', '/experiences', {
        body: { name: 'The book', item_type: 'download', ...body },
      })
      expect([made.status, made.body.error]).toEqual([201, undefined])
      return made.body
    }

    /** A purchase of an experience: its order, and the page where its buyer opens what was bought. */
    const bought = async ({ id, slug }: Body, values: object = {}) => {
      const price = await priceForSale(shop, { experience_ids: [id], ...values })
      const order = await sell(shop, [{ price_variant: price.id }])
      const vault = vaultOf(SECRET_KEY)
      const home = accessUrl({ services: { vault } as Services, publicUrl: shop.running.url }, order.customer.id)
      return { order, home, page: `${home}/${slug}` }
    }

    const linksOf = async (page: string) => {
      const html = await (await fetch(page)).text()
      return [...html.matchAll(/(?:href|src)="([^"]*\/files\/[^"]+)"/g)].map(([, address]) => address!)
    }

    it('is opened through the page of its buyer, whole and in parts, until the purchase is refunded', async () => {
      const file = await uploaded(shop)
      const { order, page } = await bought(await experience({ files: [file.id] }))
      const [address] = await linksOf(page)
      expect(address).toBe(`${page}/files/${file.id}`)
      const whole = await fetch(address!)
      expect([whole.status, await whole.text()]).toEqual([200, 'abcdefghij'])
      expect(Object.fromEntries(whole.headers)).toMatchObject({
        'content-disposition': expect.stringMatching(/^attachment; filename="book.epub"/),
        'content-security-policy': expect.stringContaining('sandbox'),
        'cache-control': 'private, no-cache',
        'content-length': '10',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
      const part = await fetch(address!, { headers: { range: 'bytes=3-5' } })
      expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, 'def', 'bytes 3-5/10'])
      const head = await fetch(address!, { method: 'HEAD' })
      expect([head.status, head.headers.get('content-length')]).toEqual([200, '10'])
      expect(await statusOf(address!, { 'if-none-match': whole.headers.get('etag')! })).toBe(304)
      expect(await statusOf(address!, { range: 'bytes=10-' })).toBe(416)
      await shop.post('/refunds', { order: order.id })
      for (const headers of [{}, { range: 'bytes=3-5' }, { 'if-none-match': whole.headers.get('etag')! }])
        expect(await statusOf(address!, headers as Record<string, string>)).toBe(404)
      const unknown = await fetch(`${page}/files/file_01k9z6v8q2f3x7c5m1n4b0r8ta`)
      expect([unknown.status, await unknown.text()]).toEqual([404, await (await fetch(address!)).text()])
    })

    it('ends with its access, when the subscription or the days are over', async () => {
      const file = await uploaded(shop)
      const held = await experience({ files: [file.id] })
      const yearly = { billing_type: 'subscription', recurring_interval: 'year' }
      const { order, page } = await bought(held, yearly)
      const { page: forDays } = await bought(held, { revoke_after_days: 30 })
      const addresses = [page, forDays].map((one) => `${one}/files/${file.id}`)
      for (const address of addresses) expect(await statusOf(address)).toBe(200)
      await shop.post(`/subscriptions/${order.subscription}/cancel`, { at_period_end: false })
      const grants = await shop.db.selectFrom('access_grants').select('id').where('ends_at', '>', yesterday()).execute()
      for (const { id } of grants) await shop.set('access_grants', id, { ends_at: yesterday() })
      for (const address of addresses) expect([address, await statusOf(address)]).toEqual([address, 404])
    })

    it('is opened by nobody else, and gives nothing else away', async () => {
      const [file, other] = [await uploaded(shop), await uploaded(shop)]
      const { page, home } = await bought(await experience({ files: [file.id] }))
      const { page: elsewhere, home: otherHome } = await bought(await experience({ files: [other.id] }))
      const slug = page.split('/').at(-1)
      for (const address of [
        `${elsewhere}/files/${file.id}`,
        `${otherHome}/${slug}/files/${file.id}`,
        `${page}/files/${other.id}`,
        `${page}/files/${(await uploaded(shop)).id}`,
        `${home.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))}/${slug}/files/${file.id}`,
        `${home.replace(/cus_\w+/, otherHome.split('/').at(-2)!)}/${slug}/files/${file.id}`,
      ])
        expect([address, await statusOf(address)]).toEqual([address, 404])
      expect(await statusOf(`${page}/files/${file.id}`)).toBe(200)
    })

    it('of another account is opened by no buyer', async () => {
      const stranger = shop.as(await shop.running.another('other-books'))
      const theirs = await uploaded(stranger)
      const text = `<p><a href="${theirs.file_url}">Theirs</a></p>`
      const { page } = await bought(await experience({ item_type: 'written_content', title: 'Text', body_html: text }))
      expect(await linksOf(page)).toEqual([theirs.file_url])
      expect(await statusOf(`${page}/files/${theirs.id}`)).toBe(404)
      expect(await statusOf(theirs.file_url)).toBe(200)
    })

    it('has a lasting address no more, and its merchant sees one that expires', async () => {
      const file = await uploaded(shop)
      expect(await statusOf(file.file_url)).toBe(200)
      const { id } = await experience({ files: [file.id] })
      for (const headers of [{}, { range: 'bytes=3-5' }, { 'if-none-match': `"${file.checksum}"` }])
        expect(await statusOf(file.file_url, headers as Record<string, string>)).toBe(404)
      const { file_url: current } = await shop.get(`/files/${file.id}`)
      expect(await statusOf(current)).toBe(200)
      const [, expires] = /\/(\d+)\.[\w-]{43}\//.exec(current)!
      const lasts = Number(expires) - Date.now() / 1000
      expect(lasts > 3500 && lasts <= 7200, `It lasts ${lasts} s`).toBe(true)
      for (const wrong of [String(Number(expires) + 1), '99999999999', '1'])
        expect(await statusOf(current.replace(`/${expires}.`, `/${wrong}.`))).toBe(404)
      await dashboard('PATCH', `/experiences/${id}`, { body: { access_type: 'open' } })
      expect(await statusOf(file.file_url)).toBe(200)
      await dashboard('PATCH', `/experiences/${id}`, { body: { access_type: 'secret', files: [] } })
      expect(await statusOf(file.file_url)).toBe(200)
    })

    it('has its address back where the shop shows it to everybody', async () => {
      const picture = await uploaded(shop, PNG, 'cover.png')
      await experience({ files: [picture.id] })
      expect(await statusOf(picture.file_url)).toBe(404)
      const { id } = await shop.product({ media: [picture.id], status: 'active' })
      const [shown] = (await shop.get(`/products/${id}`)).media_gallery
      expect([shown.url, await statusOf(shown.url)]).toEqual([picture.file_url, 200])
      await shop.patch(`/products/${id}`, { media: [], body_html: `<p><img src="${picture.file_url}"></p>` })
      expect(await statusOf(picture.file_url)).toBe(200)
      await shop.patch(`/products/${id}`, { body_html: null })
      expect(await statusOf(picture.file_url)).toBe(404)
    })

    it('is linked below the page of its buyer wherever a text has its address, and pictures of texts stay', async () => {
      const [film, picture] = [await uploaded(shop, 'a film', 'film.bin'), await uploaded(shop, PNG, 'page.png')]
      const lesson = {
        title: 'One',
        video_url: film.file_url,
        content_html: `<p>See <img src="${picture.file_url}" alt="it"> <a href="${film.file_url}">the film</a></p>`,
      }
      const chapters = [{ title: 'Begin', lessons: [lesson] }]
      const { order, page } = await bought(await experience({ item_type: 'course', chapters }))
      const links = await linksOf(page)
      const [filmed, pictured] = [`${page}/files/${film.id}`, `${page}/files/${picture.id}`]
      expect(links).toEqual([filmed, pictured, filmed])
      for (const address of links) expect(await statusOf(address)).toBe(200)
      expect([await statusOf(film.file_url), await statusOf(picture.file_url)]).toEqual([404, 200])
      expect((await shop.get(`/files/${picture.id}`)).file_url).toBe(picture.file_url)
      await shop.post('/refunds', { order: order.id })
      for (const address of links) expect(await statusOf(address)).toBe(404)
    })
  })
})
