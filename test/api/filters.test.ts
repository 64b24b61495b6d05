import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/contract/values/ids.ts'
import { times } from '../support/depth.ts'
import { asText, type Said } from '../support/said.ts'
import { type Body, onEachEngine } from '../support/shop.ts'

describe('Filters', () => {
  onEachEngine((shop) => {
    it('by a number that lists are sorted by, find a few rows by its index and many by the order of the list', async () => {
      const { id } = await shop.customer()
      const one = await shop.db.selectFrom('customers').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      const rows = Array.from({ length: 1_200 }, (_, at) => {
        const email = `spender${at}@example.com`
        return { ...one, id: newId('cus'), email, total_spend: 10_000 + ((at * 7) % 1_200) }
      })
      await shop.running.app.database.transaction(async ({ db }) => {
        for (let at = 0; at < rows.length; at += 200)
          await db
            .insertInto('customers')
            .values(rows.slice(at, at + 200))
            .execute()
      })
      const newest = (from: number, below = Number.POSITIVE_INFINITY) =>
        rows
          .filter(({ total_spend: spent }) => spent >= from && spent < below)
          .map((row) => row.id)
          .reverse()
      const listed = (query: string) => shop.listed(`/customers?limit=20&${query}`)
      for (const from of [10_000, 10_700, 11_190, 11_199]) {
        const page = await listed(`total_spend[gte]=${from}`)
        expect(page).toEqual(newest(from).slice(0, 20))
        const next = newest(from).slice(20, 40)
        expect(await listed(`total_spend[gte]=${from}&starting_after=${page.at(-1)}`)).toEqual(next)
      }
      expect(await listed('total_spend[gte]=11500')).toEqual([])
      expect(await listed('total_spend[gte]=10300&total_spend[lt]=10310')).toEqual(newest(10_300, 10_310))
      expect(await listed('total_spend[]=10005&total_spend[]=10007')).toEqual(
        newest(10_005, 10_008).filter((one) => one !== newest(10_006, 10_007)[0]),
      )
    })

    describe('by range', () => {
      const rows: Body[] = []
      beforeAll(async () => {
        const product = await shop.product({ status: 'active' })
        for (let number = 0; number < 12; number++) {
          const quantity_available = number % 3 === 0 ? null : number % 4
          const { id } = await shop.price(product.id, {
            amount: 100 * (1 + (number % 5)),
            quantity_available,
            name: 'ranged',
          })
          await shop.set('price_variants', id, { created_at: `2026-03-${10 + (number % 6)}T0${number % 3}:00:00Z` })
          rows.unshift(await shop.get(`/price_variants/${id}`))
        }
      })

      const holds = (row: Body, { name, key, value }: Said) => {
        const shown = row[name]
        if (shown === null) return false
        const bound = name === 'created_at' ? `${value}T00:00:00Z` : Number(value)
        return { gt: shown > bound, gte: shown >= bound, lt: shown < bound, lte: shown <= bound }[key!]!
      }
      const number = fc.integer({ min: -1, max: 700 }).map(String)
      const day = fc.integer({ min: 8, max: 18 }).map((one) => `2026-03-${String(one).padStart(2, '0')}`)
      const bound = fc.oneof(
        fc.record({
          name: fc.constantFrom('amount', 'quantity_available'),
          key: fc.constantFrom('gt', 'gte', 'lt', 'lte'),
          value: number,
        }),
        fc.record({ name: fc.constant('created_at'), key: fc.constantFrom('gt', 'gte', 'lt', 'lte'), value: day }),
      )
      const bounds = fc.uniqueArray(bound, { maxLength: 4, selector: ({ name, key }) => `${name}${key[0]}` })

      it('give exactly the rows within, in their order, over pages of any size', async () => {
        await fc.assert(
          fc.asyncProperty(bounds, fc.integer({ min: 1, max: 5 }), fc.boolean(), async (query, limit, byPosition) => {
            const expected = rows.filter((row) => query.every((one) => holds(row, one))).map((row) => row.id)
            if (byPosition) expected.reverse()
            const path = `/price_variants?limit=${limit}&${byPosition ? `product=${rows[0].product}&` : ''}${asText(query)}`
            const first = await shop.api('GET', path)
            if (first.status === 400) {
              expect([first.body.error.message, expected]).toEqual([expect.stringContaining(', which is above '), []])
              return
            }
            const seen: string[] = []
            for (let page = first.body; ; page = await shop.get(`${path}&starting_after=${seen.at(-1)}`)) {
              seen.push(...page.data.filter((row: Body) => row.name === 'ranged').map((row: Body) => row.id))
              expect(page.has_more).toBe(seen.length < expected.length)
              if (!page.has_more) break
            }
            expect(seen).toEqual(expected)
          }),
          { numRuns: times({ gate: 15, deep: 60 }) },
        )
      })

      it('say of every bound whether it is included', async () => {
        const count = async (bounds: string) => (await shop.listed(`/price_variants?limit=100&${bounds}`)).length
        const of = (amount: number) => rows.filter((row) => row.amount === amount).length
        expect(await count('amount[gte]=500')).toBe(of(500))
        expect(await count('amount[gt]=500')).toBe(0)
        expect(await count('amount[lte]=100')).toBe(of(100))
        expect(await count('amount[lt]=100')).toBe(0)
        expect(await count('amount=300')).toBe(of(300))
        expect(await count('amount[]=300&amount[]=400')).toBe(of(300) + of(400))
        expect(await count('amount[gte]=300&amount[lte]=300')).toBe(of(300))
        expect(await count('amount[gt]=300&amount[lt]=300')).toBe(0)
        expect(await count('quantity_available[gte]=0')).toBe(
          rows.filter((row) => row.quantity_available !== null).length,
        )
        expect(await count('amount[lte]=999999999999999')).toBe(rows.length)
      })
    })

    it('follow from the fields: every list has the range of every stored number and moment', async () => {
      let ranges = 0
      for (const { path, noun, query } of shop.operations.filter((one) => one.kind === 'list')) {
        const stored = Object.entries(noun.fields).filter(([name, { spec }]) => {
          const comparable = ['integer', 'number'].includes(spec.type) || spec.json?.format === 'date-time'
          return spec.use === 'stored' && comparable && name !== 'position'
        })
        expect(stored.map(([name]) => name)).toContain('created_at')
        for (const [name, { spec }] of stored) {
          ranges++
          expect([path, name, query[name]?.form]).toEqual([path, name, spec.type === 'string' ? 'bounds' : 'range'])
          const value = spec.type === 'string' ? '2026-01-15' : '1'
          for (const key of ['gt', 'gte', 'lt', 'lte'])
            expect((await shop.get(`${path}?${name}[${key}]=${value}`)).object).toBe('list')
          expect(await shop.refusal('GET', `${path}?${name}[ge]=${value}`)).toEqual([
            400,
            'parameter_invalid',
            `${name}[ge]`,
          ])
        }
      }
      expect(ranges).toBeGreaterThan(35)
    })

    it('by metadata find every pair exactly, whatever its letters', async () => {
      const odd = { campaign: 'spring', 'a"b\\c': 'd"\\e', 'é😀': '%_', ',': ':', $: '.', '0': '' }
      const made = [await shop.product({ metadata: odd }), await shop.product({ metadata: { campaign: 'spring' } })]
      await shop.product({ metadata: { campaign: 'Spring', note: '"campaign":"spring"' } })
      const find = (query: Said[]) => shop.listed(`/products?${asText(query)}`)
      const pair = (key: string, value: string) => ({ name: 'metadata', key, value })
      expect(await find([pair('campaign', 'spring')])).toEqual([made[1].id, made[0].id])
      expect(await find([pair('campaign', 'sprin')])).toEqual([])
      expect(await find(Object.entries(odd).map(([key, value]) => pair(key, value)))).toEqual([made[0].id])
      for (const [key, value] of Object.entries(odd).filter(([one]) => one !== 'campaign')) {
        expect([key, await find([pair(key, value)])]).toEqual([key, [made[0].id]])
        expect([key, await find([pair(key, `${value}x`)])]).toEqual([key, []])
      }
    })

    it('by average rating agree with what is shown', async () => {
      const ratings = [[], [5], [4, 5], [4, 4, 5], [1, 2, 2], [3, 3, 3, 4], [1, 5, 5, 5, 5, 4, 3]]
      for (const stars of ratings) {
        const { id } = await shop.product({ name: 'Rated' })
        for (const rating of stars) await shop.review(id, { rating })
      }
      const all: Body[] = (await shop.get('/products?query=rated&limit=100')).data
      const shown = new Set(all.map((one) => one.average_rating))
      expect(shown.size).toBeGreaterThan(5)
      for (const value of [...shown].filter((one) => one !== null)) {
        const ids = (holds: (rating: number) => boolean) =>
          all.filter((one) => one.average_rating !== null && holds(one.average_rating)).map((one) => one.id)
        const find = (bound: string) => shop.listed(`/products?query=rated&limit=100&average_rating${bound}=${value}`)
        expect(await find('')).toEqual(ids((rating) => rating === value))
        expect(await find('[gt]')).toEqual(ids((rating) => rating > value))
        expect(await find('[lte]')).toEqual(ids((rating) => rating <= value))
      }
      expect(await shop.listed('/products?query=rated&reviews_count[gte]=3&limit=100')).toHaveLength(4)
      expect(await shop.listed('/products?query=rated&reviews_count=0')).toHaveLength(1)
    })

    it('of prices look at their products and currencies', async () => {
      const draft = await shop.product({ name: 'Joined' })
      const active = await shop.product({ name: 'Joined', status: 'active' })
      const inDraft = await shop.price(draft.id, { amount: 7_000_001, currency: 'eur' })
      const inActive = await shop.price(active.id, { amount: 7_000_002, currency: 'jpy' })
      const find = (query: string) => shop.listed(`/price_variants?amount[gt]=7000000&${query}`)
      expect(await find('product_status=draft')).toEqual([inDraft.id])
      expect(await find('product_status=active&product_status[]=draft')).toEqual([inActive.id, inDraft.id])
      expect(await find('currency=EUR')).toEqual([inDraft.id])
      expect(await find('currency[0]=eur&currency[1]=jpy')).toEqual([inActive.id, inDraft.id])
      expect(await find('currency=usd')).toEqual([])
      expect(await shop.refusal('GET', '/price_variants?product_status=live')).toEqual([
        400,
        'parameter_invalid',
        'product_status',
      ])
      expect(await shop.refusal('GET', '/price_variants?currency=xxxx')).toEqual([400, 'parameter_invalid', 'currency'])
    })

    it('of reviews, customers, discounts, tags and categories count and compare', async () => {
      const customer = await shop.customer({ tags: ['Counted'] })
      await shop.set('customers', customer.id, { orders_count: 3, total_spend: 90_000_000 })
      expect(await shop.listed('/customers?orders_count[gte]=3&orders_count[lte]=3')).toEqual([customer.id])
      expect(await shop.listed('/customers?total_spend[gte]=90000000')).toEqual([customer.id])
      expect(await shop.listed('/tags?query=counted&customers_count=1', 'name')).toEqual(['Counted'])
      expect(await shop.listed('/tags?query=counted&customers_count[gt]=1', 'name')).toEqual([])

      const { id: product } = await shop.product()
      const review = await shop.review(product, { rating: 2, customer: customer.id })
      await shop.review(product, { rating: 5 })
      expect(await shop.listed(`/reviews?customer=${customer.id}`)).toEqual([review.id])
      expect(await shop.listed(`/reviews?product=${product}&rating[lte]=2`)).toEqual([review.id])
      expect(await shop.listed(`/reviews?product=${product}&rating=2&rating=5`)).toHaveLength(2)
      expect(await shop.listed(`/reviews?product=${product}&rating=3`)).toEqual([])

      const ended = await shop.discount({ redeem_by: '2999-01-01T00:00:00Z', code: 'RANGED' })
      const scheduled = await shop.discount({ starts_at: '2999-01-01T00:00:00Z', code: 'RANGED-2' })
      expect(await shop.listed('/discounts?redeem_by[gte]=2998-12-31')).toEqual([ended.id])
      expect(await shop.listed('/discounts?query=ranged&starts_at[lt]=3000-01-01')).toEqual([scheduled.id])
      expect(await shop.listed('/discounts?query=ranged&status[]=scheduled&status[]=active')).toEqual([
        scheduled.id,
        ended.id,
      ])
      expect(await shop.listed('/discounts?query=ranged&status=expired')).toEqual([])
      expect(await shop.listed('/discounts?query=ranged&discount_type=amount_off')).toEqual([])
      expect(await shop.listed('/discounts?query=ranged&percent_off[gte]=9.99&percent_off[lt]=10.01')).toHaveLength(2)

      const category = await shop.blogCategory()
      await shop.blogPost({ category })
      expect(await shop.listed('/blog_categories?posts_count[gte]=1')).toContain(category)
      expect(await shop.listed('/blog_categories?posts_count=0')).not.toContain(category)
    })
  })
})
