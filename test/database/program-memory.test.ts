import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { insertOne } from '../../src/database/compile-once.ts'
import { ConflictError, type OpenTransaction } from '../../src/database/database.ts'
import type { Tables } from '../../src/resources/tables.ts'
import { callTool } from '../mcp/agent.ts'
import { onEachEngine, type Shop } from '../support/shop.ts'

type Program = OpenTransaction<Tables>

/** Runs a query of a program in the way that rules do. */
function namesIn({ read }: Pick<Program, 'read'>, shop: Shop, like: string) {
  const tags = read.selectFrom('tags').select('name').where('account_id', '=', shop.accountId)
  return tags
    .where('name', 'like', `${like}%`)
    .orderBy('name')
    .execute()
    .then((rows) => rows.map(({ name }) => name))
}

async function inProgram<Result>(shop: Shop, work: (program: Program) => Promise<Result>): Promise<Result> {
  const program = shop.running.app.database.program({ account: shop.accountId })
  try {
    const result = await work(program)
    await program.commit()
    return result
  } finally {
    await program.rollback()
  }
}

function renamed(program: Program, from: string, to: string): Promise<unknown> {
  return program.transaction(({ db }) => db.updateTable('tags').set({ name: to }).where('name', '=', from).execute())
}

function eventOf(shop: Shop, id: string) {
  const nothing = { data: '{}', previous_attributes: null, created_at: '2026-01-01T00:00:00Z' }
  return { account_id: shop.accountId, id, type: 'tag.created', resource_id: 'tag_of_a_test', ...nothing }
}

describe('What a program has read', () => {
  onEachEngine((shop) => {
    it('shows what the program changes, by a rule, by hand and by an undone call', async () => {
      await shop.post('/tags', { name: 'memory one' })
      const seen = await inProgram(shop, async (program) => {
        const names = () => namesIn(program, shop, 'memory')
        const found = [await names(), await names()]
        await renamed(program, 'memory one', 'memory two')
        found.push(await names())
        const byHand = program.transaction(async ({ db }) => {
          await sql`update tags set name = 'memory three' where name = 'memory two'`.execute(db)
          found.push(await namesIn({ read: db }, shop, 'memory'))
          throw new Error('no')
        })
        await expect(byHand).rejects.toThrow('no')
        return [...found, await names()]
      })
      expect(seen.flat()).toEqual(['memory one', 'memory one', 'memory two', 'memory three', 'memory two'])
    })

    it('is given as a copy each time', async () => {
      await shop.post('/tags', { name: 'copied' })
      const seen = await inProgram(shop, async ({ read }) => {
        const query = read.selectFrom('tags').select('name').where('name', '=', 'copied')
        const [first] = await query.execute()
        first!.name = 'scribbled'
        return query.execute()
      })
      expect(seen).toEqual([{ name: 'copied' }])
    })

    it('shows in calls what earlier calls made, changed, tagged and deleted', async () => {
      const customer = await shop.customer()
      const code = `
        tag = post("/tags", name: "seen")
        path = "/customers/#{get("/customers", limit: 1)["data"][0]["id"]}"
        before = get(path)["tags"]
        tagged = post("#{path}/tags", tags: ["seen", "more"])["tags"].size
        again = post("#{path}/tags", tags: ["seen"])["tags"].size
        refused = post("/customers", email: "no address")["error"]["code"]
        less = post("#{path}/tags", tags: ["more"], mode: "remove")["tags"] == [tag["id"]]
        patch("/tags/#{tag["id"]}", name: "seen anew")
        name = get("/tags/#{tag["id"]}")["name"]
        listed = get("/tags", query: "seen")["data"].map { |t| [t["name"], t["customers_count"]] }
        delete("/tags/#{tag["id"]}")
        [before, tagged, again, refused, less, name, listed, get(path)["tags"], get("/tags/#{tag["id"]}")["error"]["code"]]`
      const { structuredContent } = await callTool(shop.running, 'code_execute', code)
      const [gone, refusal] = ['resource_missing', 'validation_failed']
      const expected = [[], 2, 2, refusal, true, 'seen anew', [['seen anew', 1]], [], gone]
      expect(structuredContent.result ?? structuredContent).toEqual(expected)
      expect((await shop.get(`/customers/${customer.id}`)).tags).toEqual([])
    })
  })
})

describe('A write that fails after its call was answered', () => {
  onEachEngine((shop) => {
    it('loses the whole program to a conflict, and in its next run fails its call alone', async () => {
      const { database } = shop.running.app
      const write = (program: Program, event: object) =>
        program.transaction(({ db }) => insertOne(db, 'events', { ...event }))
      // No rule writes this row; it simulates a defect.
      const wrong = { ...eventOf(shop, 'wrong'), type: null }
      if (database.engine === 'postgres') {
        const first = database.program({ account: shop.accountId })
        await write(first, eventOf(shop, 'lost'))
        await write(first, wrong)
        await expect(first.settled()).rejects.toThrow(ConflictError)
        await expect(first.commit()).rejects.toThrow(ConflictError)
        const second = database.program({ account: shop.accountId })
        await write(second, wrong)
        await write(second, eventOf(shop, 'lost'))
        await expect(second.commit()).rejects.toThrow(ConflictError)
        await second.rollback()
        await first.rollback()
      }
      const again = database.program({ account: shop.accountId, holdFromStart: true })
      await write(again, eventOf(shop, 'kept_1'))
      await expect(write(again, wrong)).rejects.toThrow(/null/i)
      await write(again, eventOf(shop, 'kept_2'))
      await again.commit()
      const ids = ['lost', 'wrong', 'kept_1', 'kept_2']
      const kept = await database.read.selectFrom('events').select('id').where('id', 'in', ids).orderBy('id').execute()
      expect(kept).toEqual([{ id: 'kept_1' }, { id: 'kept_2' }])
    })
  })
})
