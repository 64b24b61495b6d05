import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COUNTERS } from '../../src/verify/counters.ts'
import { findingOf } from '../../src/verify/finding.ts'
import { fileOf, importInto } from '../moving/importing.ts'
import { times } from '../support/depth.ts'
import { onEachEngine } from '../support/shop.ts'

const NAMES = ['Red', 'Green', 'Blue', 'Gold']
const tagNames = fc.subarray(NAMES, { minLength: 1 })
const step = fc.oneof(
  fc.record({ act: fc.constant('make' as const), tags: tagNames }),
  fc.record({ act: fc.constant('import' as const), tags: tagNames }),
  fc.record({ act: fc.constantFrom('add' as const, 'replace' as const, 'remove' as const), tags: tagNames }),
  fc.record({ act: fc.constantFrom('delete customer' as const, 'delete tag' as const), tags: tagNames }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

describe('The number of customers with a tag', () => {
  onEachEngine((shop) => {
    let made = 0

    async function act({ act, tags }: Step): Promise<unknown> {
      const one = (await shop.listed('/customers?limit=100'))[made % 7]
      if (act === 'make') return shop.customer({ tags })
      if (act === 'delete customer') return one && shop.api('DELETE', `/customers/${one}`)
      if (act === 'delete tag') {
        const { data } = await shop.get(`/tags?query=${tags[0]}`)
        return data[0] && shop.api('DELETE', `/tags/${data[0].id}`)
      }
      if (act !== 'import') return one && shop.api('POST', `/customers/${one}/set-tags`, { tags, mode: act })
      const rows = [1, 2].map((row) => `Ada,Last,imported-${++made}-${row}@example.com,yes,"${tags.join(', ')}"`)
      return importInto(shop, 'shopify', [
        fileOf('customers', `First Name,Last Name,Email,Accepts Email Marketing,Tags\n${rows.join('\n')}\n`),
      ])
    }

    it('is what there is of links after any changes, also of several callers at once', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 8 }), async (rounds) => {
          for (const round of rounds) {
            made++
            await Promise.all(round.map(act))
          }
          const links = shop.db.selectFrom('customer_tags').select(['tag_id'])
          const counts = Map.groupBy(await links.execute(), ({ tag_id }) => tag_id)
          const { data } = await shop.get('/tags?limit=100')
          for (const { id, customers_count } of data)
            expect([id, customers_count]).toEqual([id, counts.get(id)?.length ?? 0])
        }),
        { numRuns: times({ gate: 15, deep: 150 }) },
      )
      expect((await shop.get('/tags?limit=100')).data.length).toBeGreaterThan(0)
      const rule = COUNTERS.find(({ problem }) => problem.startsWith('linked_count of tags'))!
      expect(await findingOf(shop.db, rule)).toBeNull()
      const [tag] = (await shop.get('/tags?limit=1')).data
      await shop.set('tags', tag.id, { linked_count: 900 })
      expect(await findingOf(shop.db, rule)).toMatchObject({ places: [expect.stringContaining(`${tag.id} says 900`)] })
    })
  })
})
