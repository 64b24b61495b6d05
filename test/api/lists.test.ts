import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { times } from '../support/depth.ts'
import { type Body, onEachEngine } from '../support/shop.ts'
import { stock } from '../support/stock.ts'

interface Listed {
  what: string
  path(): string
  create(): Promise<{ id: string }>
  remove(id: string): Promise<unknown>
}

let number = 0

describe('A list', () => {
  onEachEngine((shop) => {
    let product: string
    const lists: Listed[] = [
      {
        what: 'newest first',
        path: () => '/discounts',
        create: () => shop.discount(),
        remove: (id) => shop.delete(`/discounts/${id}`),
      },
      {
        what: 'by name',
        path: () => '/tags',
        create: () => shop.tag({ name: `${['a', 'B', 'ä', 'c', 'Z'][++number % 5]} ${number}` }),
        remove: (id) => shop.delete(`/tags/${id}`),
      },
      {
        what: 'by position, new ones first',
        path: () => `/reviews?product=${product}`,
        create: () => shop.review(product),
        remove: (id) => shop.delete(`/reviews/${id}`),
      },
      {
        what: 'by position, new ones anywhere',
        path: () => `/price_variants?product=${product}`,
        create: () => shop.price(product, { position: 1 + (++number % 4) }),
        remove: (id) => shop.delete(`/price_variants/${id}`),
      },
      {
        what: 'by moments',
        path: () => '/blog_posts',
        create: async () => {
          const moment = `2026-01-0${1 + (++number % 5)}T00:00:00Z`
          return { id: await shop.blogPost(number % 2 ? { published_at: moment } : { created_at: moment }) }
        },
        remove: async () => {},
      },
    ]

    beforeAll(async () => {
      product = (await shop.product()).id
      for (const { create } of lists) for (let count = 0; count < 7; count++) await create()
    })

    const pageAfter = (path: string, limit: number, cursor?: string): Promise<Body> =>
      shop.get(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor ? `&starting_after=${cursor}` : ''}`)

    for (const { what, path, create, remove } of lists) {
      it(`${what} gives every item once over pages of any size, and says when it ends`, async () => {
        const all = await shop.listed(`${path()}${path().includes('?') ? '&' : '?'}limit=100`)
        expect(all.length).toBeGreaterThan(0)
        for (let limit = 1; limit <= all.length; limit++) {
          const seen: string[] = []
          let page: Body
          do {
            page = await pageAfter(path(), limit, seen.at(-1))
            seen.push(...page.data.map((item: Body) => item.id))
            expect(page.has_more).toBe(seen.length < all.length)
          } while (page.has_more)
          expect(seen).toEqual(all)
          expect(await pageAfter(path(), limit, seen.at(-1))).toMatchObject({ data: [], has_more: false })
        }
      })

      it(`${what} neither skips nor repeats what stays while others come and go`, async () => {
        const change = fc.oneof(
          { weight: 2, arbitrary: fc.constant('create') },
          { weight: 2, arbitrary: fc.nat() },
          { weight: 1, arbitrary: fc.constant('delete the cursor') },
        )
        const walk = fc.record({
          limit: fc.integer({ min: 1, max: 3 }),
          changes: fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 5 }),
        })
        await fc.assert(
          fc.asyncProperty(walk, async ({ limit, changes }) => {
            const before = await shop.listed(`${path()}${path().includes('?') ? '&' : '?'}limit=100`)
            const gone = new Set<unknown>()
            const seen: string[] = []
            const drop = async (id: string) => {
              if (!gone.has(id)) await remove(id)
              gone.add(id)
            }
            for (let turn = 0; ; turn++) {
              const page = await pageAfter(path(), limit, seen.at(-1))
              seen.push(...page.data.map((item: Body) => item.id))
              if (!page.has_more) break
              for (const step of changes[turn] ?? []) {
                if (step === 'create') await create()
                else if (step === 'delete the cursor') await drop(seen.at(-1)!)
                else await drop(before[(step as number) % before.length] as string)
              }
            }
            expect(new Set(seen).size).toBe(seen.length)
            const stayed = before.filter((id) => !gone.has(id) && seen.includes(id as string))
            const shown = new Set(seen)
            expect(before.filter((id) => !gone.has(id) && !shown.has(id as string))).toEqual([])
            expect(seen.filter((id) => stayed.includes(id))).toEqual(stayed)
            while ((await shop.listed(path())).length < 7) await create()
          }),
          { numRuns: times({ gate: 8, deep: 25 }) },
        )
      })
    }

    it('goes on after items that were all deleted, one after the other', async () => {
      const { id } = await shop.product()
      const reviews: string[] = []
      for (let count = 0; count < 6; count++) reviews.unshift((await shop.review(id)).id)
      for (const gone of [3, 2, 1, 4]) await shop.delete(`/reviews/${reviews[gone]}`)
      for (const cursor of [1, 2, 3, 4]) {
        expect(await shop.listed(`/reviews?product=${id}&starting_after=${reviews[cursor]}`)).toEqual([reviews[5]])
      }
      await shop.delete(`/products/${id}`)
      expect(await shop.listed(`/reviews?product=${id}&starting_after=${reviews[5]}`)).toEqual([])
    })

    it('combines filters with each other and with a cursor', async () => {
      const names = ['x', 'y', 'z'].map((letter) => `combined ${letter}`)
      for (const name of names) await shop.product({ name, status: 'active' })
      await shop.product({ name: 'combined draft' })
      const path = '/products?query=combined&status=active'
      const first = await pageAfter(path, 2)
      expect(first.data.map((item: Body) => item.name)).toEqual(['combined z', 'combined y'])
      expect(first.has_more).toBe(true)
      const rest = await pageAfter(path, 2, first.data[1].id)
      expect([rest.data.map((item: Body) => item.name), rest.has_more]).toEqual([['combined x'], false])
    })

    it('has shorter pages where texts are very long, and loses none', async () => {
      const long = shop.as(await shop.running.another('long-texts'))
      const made: string[] = []
      for (let count = 0; count < 12; count++) {
        const { id } = await long.product({ body_html: count === 6 ? 'short' : 'x'.repeat(199_000), status: 'active' })
        made.unshift(id)
      }
      const everything = async (path: string) => {
        const pages: string[][] = []
        let cursor = ''
        for (let more = true; more; ) {
          const page = await long.get(`${path}${cursor}`)
          pages.push(page.data.map(({ id }: Body) => id))
          cursor = `&starting_after=${page.data.at(-1).id}`
          more = page.has_more
        }
        return pages
      }
      await everything('/products?limit=100')
      for (const path of ['/products?limit=100', '/products?limit=100&status=active', '/products?limit=12']) {
        const pages = await everything(path)
        expect(pages.map((page) => page.length)).toEqual([6, 5, 1])
        expect(pages.flat()).toEqual(made)
      }
      expect(await everything('/products?limit=4')).toEqual([made.slice(0, 4), made.slice(4, 8), made.slice(8)])
    })

    it('has twenty items at most unless asked, and tells its address without the query', async () => {
      await stock(shop)
      for (let count = 0; count < 25; count++) await shop.tag()
      expect(await shop.listed('/tags')).toHaveLength(20)
      for (const { path } of shop.operations.filter((one) => one.kind === 'list')) {
        const page = await shop.get(`${path}?limit=1`)
        expect(page.url).toBe(`/v1${path}`)
        expect(Object.keys(page)).toEqual(['object', 'data', 'has_more', 'url'])
      }
    })
  })
})
