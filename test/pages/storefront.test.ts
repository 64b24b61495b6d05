import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { priceForSale, sell } from '../support/sell.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'
import { type Seen, Visitor } from './visitor.ts'

const SCRIPT = '<script>alert(1)</script>'

describe('The storefront', () => {
  onGateEngine((shop) => {
    const open = (address: string, init: RequestInit = {}): Promise<Seen> =>
      new Visitor(shop.running.url).open(address, init)
    const page = async (kind: string): Promise<Body> => shop.get(`/legal_pages/${kind}`)
    const experience = async (item_type: string, content: object, access_type: 'open' | 'secret' = 'open') => {
      const id = await shop.experience({
        ...{ item_type: item_type as 'course', access_type },
        content: JSON.stringify(content),
      })
      const { slug, name } = await shop.get(`/experiences/${id}`)
      return { id, name, address: `/s/${(await shop.get('/account')).subdomain}/x/${slug}` }
    }

    it('has a page for each published legal page', async () => {
      const { url } = await page('privacy-policy')
      const [before, none] = [await open(url), await open(url.replace('privacy-policy', 'none'))]
      expect([before.status, before.html]).toEqual([404, none.html])
      await shop.patch('/legal_pages/privacy-policy', { content: '<p>We keep <b>little</b>.</p>', published: true })
      const seen = await open(url)
      expect([seen.status, seen.text]).toEqual([200, expect.stringContaining('We keep little .')])
      expect(seen.html).toContain('<title>Privacy policy · ')
      expect(seen.html).toContain(`<a href="${url}">Privacy policy</a>`)
      expect(seen.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self'; img-src/)
      for (const [, sheet] of seen.html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g))
        expect((await open(sheet!)).status).toBe(200)
    })

    it('shows nothing at other addresses, and of other shops', async () => {
      const other = await shop.running.another('quiet-shop')
      const mine = await experience('embed', { url: 'https://example.com' })
      const elsewhere = mine.address.replace(/^\/s\/[^/]+/, '/s/quiet-shop')
      for (const address of [
        elsewhere,
        '/s/nobody/legal/privacy-policy',
        '/s/quiet-shop/legal/other',
        '/s/quiet-shop/x/-',
      ])
        expect([address, (await open(address)).status]).toEqual([address, 404])
      expect((await open(mine.address, { method: 'POST' })).status).toBe(405)
      expect(other.accountId).not.toBe(shop.accountId)
    })

    it('shows the content of open experiences of every type', async () => {
      const file = await shop.file({ title: 'The templates', size: 1_234_567 })
      const lesson = {
        id: 'l',
        title: 'Folding',
        position: 1,
        content_html: `<p>Fold it.</p>${SCRIPT}`,
        video_url: null,
      }
      const contents: [type: string, content: object, shown: string][] = [
        [
          'course',
          { chapters: [{ id: 'c', title: 'Paper', position: 1, lessons: [lesson] }] },
          'Paper Folding Fold it.',
        ],
        ['download', { files: [file] }, 'The templates 1.2 MB'],
        ['written_content', { title: 'Notes', body_html: `<p>Words</p>${SCRIPT}` }, 'Notes Words'],
        ['embed', { url: 'https://example.com/board' }, 'Open'],
        ['link', { links: [{ title: 'Board', url: 'javascript:alert(1)' }] }, 'Board'],
        ['discord', { server_name: 'Paper people', role_names: [] }, 'Discord server Paper people'],
        ['telegram', { chats: [{ title: 'Paper chat' }] }, 'Telegram chat Paper chat'],
        [
          'event',
          {
            sessions: [
              {
                ...{ title: 'Open day', url: 'https://example.com' },
                ...{ starts_at: '2026-05-05T10:00:00Z', ends_at: '2026-05-05T12:00:00Z' },
              },
            ],
          },
          'Open day 5 May 2026 at 10:00 UTC to 5 May 2026 at 12:00 UTC',
        ],
        ['forum', { layout: 'list', topics: [] }, 'Chat with the other members'],
      ]
      for (const [type, content, shown] of contents) {
        const { address, name } = await experience(type, content)
        const seen = await open(address)
        expect([type, seen.status, seen.text]).toEqual([type, 200, expect.stringContaining(shown)])
        expect(seen.text).toContain(name)
        expect(seen.html).not.toMatch(/<script|javascript:|onclick/)
      }
    })

    it('says how to get access to secret ones, and shows nothing of them', async () => {
      const { id, address } = await experience('embed', { url: 'https://example.com/members' }, 'secret')
      expect((await open(address)).text).toContain('not currently for sale')
      const { product } = await priceForSale(shop, { experience_ids: [id] }, { name: 'Membership' })
      const seen = await open(address)
      expect(seen.text).toContain('Buy one of these to get access: Membership')
      expect(seen.html).toContain(`href="${(await shop.get(`/products/${product}`)).url}"`)
      expect(seen.html).not.toContain('https://example.com/members')
    })

    it('lets buyers in by the link of their receipt, as long as their purchase gives access', async () => {
      const { id, name } = await experience('embed', { url: 'https://example.com/members' }, 'secret')
      const price = await priceForSale(shop, { experience_ids: [id] })
      const order = await sell(shop, [{ price_variant: price.id }])
      const address = await accessIn(shop, order.customer.email)
      const list = await open(address)
      expect([list.status, list.headers.get('cache-control')]).toEqual([200, 'no-store'])
      expect(list.text).toContain(`Your purchases ${name}`)
      const inside = await open(/class="entries"><li><a href="([^"]+)"/.exec(list.html)![1]!)
      expect(inside.html).toContain('href="https://example.com/members"')
      const wrong = address.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
      expect((await open(wrong)).status).toBe(404)
      const { slug } = await shop.get(`/experiences/${await shop.experience()}`)
      expect((await open(`${address}/${slug}`)).status).toBe(404)
      await shop.post('/refunds', { order: order.id })
      expect((await open(address)).text).toContain('Your purchases do not currently include access')
      expect((await open(/class="entries"><li><a href="([^"]+)"/.exec(list.html)![1]!)).status).toBe(404)
    })

    it('writes to those who paid nothing only when there is something to open', async () => {
      const { id } = await experience('embed', { url: 'https://example.com' }, 'secret')
      const free = { amount: 0, amount_type: 'free' }
      const [plain, open] = [
        await priceForSale(shop, free),
        await priceForSale(shop, { ...free, experience_ids: [id] }),
      ]
      const orders: Body[] = []
      for (const price of [plain, open]) {
        const email = `free-${price.id}@example.com`
        const line_items = [{ price_variant: price.id }]
        orders.push({ email, ...(await shop.post('/checkouts', { line_items, email })) })
      }
      await shop.settled()
      expect(await mailsTo(shop, orders[0]!.email)).toEqual([])
      expect(await accessIn(shop, orders[1]!.email)).toContain('/access/cus_')
    })
  })
})

/** The messages in the outbox to an address. */
async function mailsTo(shop: Shop, address: string): Promise<string[]> {
  await shop.settled()
  const outbox = join(shop.running.dataDirectory, 'outbox')
  const files = await readdir(outbox).catch(() => [])
  const mails = await Promise.all(files.map((file) => readFile(join(outbox, file), 'utf8')))
  return mails.filter((mail) => mail.includes(address))
}

/** The address of what a buyer has bought, out of the receipt. */
async function accessIn(shop: Shop, address: string): Promise<string> {
  const [mail] = await mailsTo(shop, address)
  const text = mail!.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
  return /https?:\/\/\S+\/access\/cus_\w+\/[\w-]{43}/.exec(text)![0]
}
