import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, signIn } from '../support/person.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { type Body, onGateEngine } from '../support/shop.ts'
import { words } from '../support/words.ts'

const BASE = '/dashboard/my-shop'

describe('A list of the dashboard', () => {
  onGateEngine((shop) => {
    let person: Person
    let products: Body[]
    let order: Body

    beforeAll(async () => {
      const price = await priceForSale(shop, { amount: 2500 }, { name: 'Ink' })
      order = await sell(shop, [{ price_variant: price.id }])
      products = [await shop.product({ name: 'Paper' }), await shop.product({ name: 'Wax', status: 'active' })]
      person = await signIn(shop.running)
    })

    const page = async (path: string) => (await person.get(`${BASE}/${path}`)).html
    const textOf = async (path: string) => words(await page(path))
    const names = (html: string) => [...html.matchAll(/class="row-link"[^>]*>([^<]+)</g)].map(([, name]) => name)

    describe('sorts by the heads of its columns', () => {
      const head = (html: string, name: string) =>
        new RegExp(`<th scope="col"([^>]*)><a class="sort" href="([^"]+)">${name}<`).exec(html)!.slice(1)

      it('the other way round where it is sorted by that already, without losing what narrows it', async () => {
        const first = await page('products')
        expect(head(first, 'Created')).toEqual([' aria-sort="descending"', `${BASE}/products?sort=created_at`])
        expect(head(first, 'Name')).toEqual(['', `${BASE}/products?sort=name`])
        const sorted = await page('products?status=active&sort=name&starting_after=')
        expect(names(sorted)).toEqual(['Ink', 'Wax'])
        expect(head(sorted, 'Name')).toEqual([
          ' aria-sort="ascending"',
          `${BASE}/products?status=active&amp;sort=-name`,
        ])
        expect(names(await page('products?sort=-name'))).toEqual(['Wax', 'Paper', 'Ink'])
      })

      it('highest first, where that is what people look for; and by nothing that has no index', async () => {
        const html = await page('orders')
        expect(head(html, 'Amount')).toEqual([' class="end"', `${BASE}/orders?sort=-amount`])
        expect(html).not.toMatch(/class="sort"[^>]*>(Status|Customer)</)
      })
    })

    describe('shows what narrows it', () => {
      it('with the way to take each of it off, and names instead of ids', async () => {
        const html = await page(`orders?customer=${order.customer.id}&status=succeeded&sort=-amount`)
        const chips = [...html.matchAll(/class="chip" href="([^"]+)">(.*?)<\/a>/g)]
        expect(chips.map(([, href, inner]) => [href, words(inner!).trim()])).toEqual([
          [`${BASE}/orders?status=succeeded&amp;sort=-amount`, `Remove the filter Customer: ${order.customer.email}`],
          [`${BASE}/orders?customer=${order.customer.id}&amp;sort=-amount`, 'Remove the filter Status: Succeeded'],
        ])
        expect(html).toContain(`href="${BASE}/orders?sort=-amount">Clear</a>`)
      })

      it('and says which of it leaves nothing', async () => {
        const text = await textOf('orders?query=nobody&status=failed&from=2026-01-01')
        expect(text).toContain('No orders match search “nobody”, status “Failed” and from “2026-01-01”. Clear filters')
      })

      it('as text, whatever it is', async () => {
        const html = await page(`orders?query=${encodeURIComponent('"><script>alert(1)</script>')}`)
        expect(html).not.toContain('<script>alert')
      })
    })

    it('leads from an id to its thing', async () => {
      const { id } = products[0]
      expect((await person.get(`${BASE}/products?query=${id}`)).location).toBe(`${BASE}/products/${id}`)
      expect((await person.get(`${BASE}/orders?query=${id}`)).status).toBe(200)
    })

    it('answers whether it has changed, without being made again', async () => {
      const version = /data-list-version-value="([^"]+)"/.exec(await page('products?status=draft'))![1]!
      const etag = version.replaceAll('&quot;', '"')
      const look = (query = 'status=draft') =>
        person
          .get(`${BASE}/products/latest?${query}`, { 'If-None-Match': etag })
          .then(({ status, html }) => [status, html])
      expect(await look()).toEqual([304, ''])
      expect(await look('status=active')).toEqual([200, ''])
      const { id } = await shop.product({ name: 'News' })
      expect(await look()).toEqual([200, ''])
      await shop.delete(`/products/${id}`)
      expect(await look()).toEqual([304, ''])
    })

    describe('with chosen rows', () => {
      const send = (list: string, chosen: string[], fields: Record<string, string>) => {
        const form = new URLSearchParams(chosen.map((id) => ['chosen', id]))
        for (const [name, value] of Object.entries(fields)) form.append(name, value)
        return person.postForm(`${BASE}/${list}/bulk`, form)
      }
      const csrf = async (list: string) => /name="csrf" value="([^"]+)"/.exec(await page(list))![1]!
      const bulk = async (list: string, chosen: string[], fields: Record<string, string>) =>
        send(list, chosen, { csrf: await csrf(list), ...fields })

      it('plans one program, which changes all of them once a person applies it', async () => {
        const ids = products.map(({ id }) => id)
        const { status, location } = await bulk('products', ids, { do: 'archive' })
        expect([status, location]).toEqual([303, expect.stringMatching(/\/plans\/plan_/)])
        const statuses = () => Promise.all(ids.map(async (id) => (await shop.get(`/products/${id}`)).status))
        expect(await statuses()).toEqual(['draft', 'active'])
        expect(words((await person.get(location!)).html)).toContain('You chose 2 products. All of them are archived.')
        await person.submit(location!, {}, `${location}/apply`)
        expect(await statuses()).toEqual(['archived', 'archived'])
        const again = await bulk('products', ids, { do: 'archive' })
        expect([again.status, words(again.html)]).toEqual([200, expect.stringContaining('is like that already')])
      })

      it('plans nothing where one of them refuses', async () => {
        const ink = order.line_items[0].product
        const { status, html } = await bulk('products', [products[0].id, ink], { do: 'delete' })
        expect([status, words(html)]).toEqual([409, expect.stringContaining('Nothing was changed')])
        expect((await shop.get(`/products/${products[0].id}`)).id).toBe(products[0].id)
      })

      it('gives customers a tag, whose name is data and no program', async () => {
        const tag = '"}} #{delete("/tags")} \u2028# arguments: {'
        const { location } = await bulk('customers', [order.customer.id], { do: 'tag', 'with-tag': tag })
        await person.submit(location!, {}, `${location}/apply`)
        const { tags } = await shop.get(`/customers/${order.customer.id}?expand=tags`)
        expect(tags.map(({ name }: Body) => name)).toEqual([tag])
      })

      it('takes ids of the list and nothing else', async () => {
        const [id] = products.map((one) => one.id)
        for (const chosen of [
          [],
          ['x'],
          [`${id}/../../tags`],
          [order.id],
          Array.from({ length: 101 }, () => id).map((one, i) => `${one.slice(0, -3)}${String(i).padStart(3, '0')}`),
        ])
          expect([chosen.length, (await bulk('products', chosen, { do: 'archive' })).status]).toEqual([
            chosen.length,
            422,
          ])
        expect((await bulk('products', [id], { do: 'explode' })).status).toBe(422)
        expect((await bulk('orders', [order.id], { do: 'delete' })).status).toBe(422)
        expect((await send('products', [id], { csrf: 'wrong', do: 'archive' })).status).toBe(403)
      })

      it('exports exactly these', async () => {
        const { status, html, headers } = await bulk('products', [products[1].id], { do: 'export' })
        expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
        const [head, ...lines] = html.trim().split('\r\n')
        expect([head!.split(',')[0], lines]).toEqual(['id', [expect.stringContaining(`${products[1].id},`)]])
      })

      it('offers what programs can do with them, and nothing where they can do nothing', async () => {
        const offered = async (list: string) =>
          [...(await page(list)).matchAll(/name="do" value="(\w+)"/g)].map(([, name]) => name)
        expect(await offered('products')).toEqual(['archive', 'activate', 'delete', 'export'])
        expect(await offered('orders')).toEqual(['export'])
        await shop.blogPost()
        expect(await offered('blog_posts')).toEqual(['export'])
      })
    })

    describe('made by hand', () => {
      const chips = (html: string) =>
        [...html.matchAll(/class="chip" href="([^"]+)">(.*?)<\/a>/g)].map(([, href, inner]) => [
          href,
          words(inner!).trim(),
        ])

      it.each([
        ['runs?failed=true', 'Failed: Yes', null],
        ['files?query=zzz', 'Search: zzz', null],
        ['developers/events?type=tag.created&resource_id=tag_0', 'Type: tag.created', 'resource id “tag_0”'],
        ['developers/requests?outcome=failed&from=2020-01-01', 'Outcome: Failed (5xx)', 'outcome “Failed (5xx)”'],
      ])('%s shows what narrows it, with the way to take it off, and saves it as a view', async (path, chip, said) => {
        const [place] = path.split('?')
        const html = await page(path)
        const found = chips(html).find(([, text]) => text === `Remove the filter ${chip}`)
        expect(found?.[0]).toMatch(new RegExp(`^${BASE}/${place}`))
        if (said !== null) expect(words(html)).toContain(said)
        expect(html).toContain(`<a class="button quiet" href="${BASE}/${place}">Clear</a>`)
        const [, action] = /<form method="post" action="([^"]+\/views)"/.exec(html)!
        const form = html.slice(html.indexOf(`action="${action}"`))
        const field = (name: string) =>
          new RegExp(`name="${name}" value="([^"]*)"`).exec(form)![1]!.replaceAll('&amp;', '&')
        const sent = { csrf: field('csrf'), back: field('back'), query: field('query'), name: `View of ${place}` }
        const saved = await person.post(action!, sent)
        expect([saved.status, saved.location]).toEqual([303, expect.stringContaining(`${BASE}/${place}?`)])
        expect(await page(path)).toMatch(new RegExp(`aria-current="page">View of ${place}<`))
      })
    })

    it('of files is searched by words of their names and titles', async () => {
      await shop.file({ filename: 'cover.png' })
      await shop.post('/files', { filename: 'Notes.txt', title: 'Über den Tee' })
      const tiles = async (query: string) =>
        [...(await page(`files${query}`)).matchAll(/tile-name">([^<]+)</g)].map(([, name]) => name)
      expect(await tiles('')).toEqual(['Über den Tee', 'cover.png'])
      expect(await tiles('?query=NOTES')).toEqual(['Über den Tee'])
      expect(await tiles('?query=uber+den')).toEqual(['Über den Tee'])
      expect(await textOf('files?query=zzz')).toContain('No file has “zzz” in its name or title.')
    })

    it('has pictures of products', async () => {
      expect((await page('products')).match(/class="thumb"><(svg|img)/g)).toHaveLength(3)
    })
  })
})
