import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/database/open.ts'
import { findingOf } from '../../src/integrity/finding.ts'
import { COUNTERS } from '../../src/integrity/verify.ts'
import { allMigrations } from '../../src/migrations.ts'
import type { Tables } from '../../src/resources/tables.ts'
import { engines, freshDirectory, freshPostgresUrl } from '../database/engines.ts'
import { callTool } from '../mcp/agent.ts'
import { fileOf, importInto } from '../moving/importing.ts'
import { times } from '../support/depth.ts'
import { onEachEngine } from '../support/shop.ts'

const NAMES = ['Red', 'Green', 'Blue', 'Gold']
const tagNames = fc.subarray(NAMES, { minLength: 1 })
const step = fc.record({
  act: fc.constantFrom('make', 'import', 'add', 'replace', 'remove', 'undo', 'delete customer', 'delete tag'),
  tags: tagNames,
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const rule = COUNTERS.find(({ problem }) => problem.startsWith('customers_count of tags'))!

describe('The number of customers with a tag', () => {
  onEachEngine((shop) => {
    let made = 0

    async function act({ act, tags }: Step): Promise<unknown> {
      const one = (await shop.listed('/customers?limit=100'))[made % 7]
      if (act === 'make') return shop.customer({ tags })
      if (act === 'delete customer') return one && shop.api('DELETE', `/customers/${one}`)
      if (act === 'undo')
        return program(`post("/customers", email: "undone-${++made}@example.com", tags: ["Red"]); raise`)
      if (act === 'delete tag') {
        const { data } = await shop.get(`/tags?query=${tags[0]}`)
        return data[0] && shop.api('DELETE', `/tags/${data[0].id}`)
      }
      if (act !== 'import') return one && shop.api('POST', `/customers/${one}/tags`, { tags, mode: act })
      const rows = [1, 2].map((row) => `Ada,Last,imported-${++made}-${row}@example.com,yes,"${tags.join(', ')}"`)
      return importInto(shop, 'shopify', [
        fileOf('customers', `First Name,Last Name,Email,Accepts Email Marketing,Tags\n${rows.join('\n')}\n`),
      ])
    }

    const program = (code: string) => callTool(shop.running, 'code_execute', code)

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
      expect(await findingOf(shop.db, rule)).toBeNull()
      const tag = await shop.tag({ name: 'Counted' })
      await shop.customer({ tags: ['Counted'] })
      await shop.running.app.database.transaction(({ db }) =>
        db.updateTable('customer_tags_counts').set({ customers: 900 }).where('tag_id', '=', tag.id).execute(),
      )
      expect(await findingOf(shop.db, rule)).toMatchObject({ places: [expect.stringContaining(`${tag.id} says 900`)] })
    })

    it('is so within a transaction, after each of its changes', async () => {
      await shop.tag({ name: 'Seen' })
      const { structuredContent } = await program(`
tag = get("/tags", query: "Seen")["data"].first
counts = [tag["customers_count"]]
look = -> { counts << get("/tags/#{tag["id"]}")["customers_count"] << get("/tags", query: "Seen")["data"].first["customers_count"] }
one, two = (1..2).map { |n| post("/customers", email: "seen#{n}@example.com", tags: ["Seen"]).tap { look.call } }
post("/customers/#{one["id"]}/tags", tags: ["Seen"], mode: "remove")
look.call
delete("/customers/#{two["id"]}")
look.call
counts << get("/tags", customers_count: 0, query: "Seen")["data"].size`)
      expect(structuredContent).toMatchObject({ result: [0, 1, 1, 2, 2, 1, 1, 0, 0, 1] })
    })
  })

  for (const { name: engine, available } of engines)
    it.skipIf(!available)(
      `counts on ${engine} what there was before it, while the version before goes on`,
      async () => {
        const [{ directory, remove }, server] = [
          await freshDirectory(),
          engine === 'postgres' ? await freshPostgresUrl() : undefined,
        ]
        const all = await allMigrations()
        const open = (migrations: typeof all) =>
          openDatabase<Tables>({ directory, databaseUrl: server?.url, migrations })
        const before = await open(all.filter(({ name }) => name < '0204'))
        const link = (id: number, tag: string) => ({ account_id: 'acct', customer_id: `cus_${id}`, tag_id: tag })
        const ids = Array.from({ length: 2_500 }, (_, id) => id)
        await before.transaction(async ({ db }) => {
          for (let start = 0; start < ids.length; start += 500)
            await db
              .insertInto('customer_tags')
              .values(ids.slice(start, start + 500).map((id) => link(id, 'tag_a')))
              .execute()
        })
        const write = (id: number) =>
          before.transaction(async ({ db }) => {
            await db.insertInto('customer_tags').values(link(id, 'tag_b')).execute()
            await db
              .deleteFrom('customer_tags')
              .where('customer_id', '=', `cus_${id}`)
              .where('tag_id', '=', 'tag_a')
              .execute()
          })
        const writing = async () => {
          for (let id = 0; id < 100; id++) await write(id * 25)
        }
        if (engine === 'sqlite') {
          await writing()
          await before.close()
        }
        const [after] = await Promise.all([open(all), engine === 'sqlite' ? undefined : writing()])
        const counted = after.read.selectFrom('customer_tags_counts').groupBy('tag_id').orderBy('tag_id')
        const counts = await counted.select(['tag_id', sql<number>`sum(customers)`.as('customers')]).execute()
        expect(counts.map(({ tag_id, customers }) => [tag_id, Number(customers)])).toEqual([
          ['tag_a', 2_400],
          ['tag_b', 100],
        ])
        await after.close()
        if (engine === 'postgres') await before.close()
        await Promise.all([remove(), server?.remove()])
      },
    )
})
