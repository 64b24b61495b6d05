import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/contract/values/ids.ts'
import { onEngines } from '../support/app.ts'
import { type Agent, startAgent } from './agent.ts'

const PROGRAMS = 50
const ROWS = 2_000

describe.each(onEngines)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('programs run as if each ran alone', () => {
    let agent: Agent
    beforeAll(async () => {
      agent = await startAgent({ engine: name, settings: { SANDBOX_WORKERS: '2' } })
    })
    afterAll(async () => {
      await agent.close()
      expect(agent.app.errors).toEqual([])
    })

    const atOnce = async (count: number, program: string) => {
      const answers = await Promise.all(Array.from({ length: count }, () => agent.execute(program)))
      return answers.map(({ structuredContent }) => structuredContent.error ?? structuredContent.result)
    }

    test(`${PROGRAMS} programs that add one to a number leave it ${PROGRAMS} higher`, async () => {
      const { body } = await agent.app.api('POST', '/products', { name: 'Counter', description: '0' })
      const program = `product = get("/products/${body.id}")
count = product["description"].to_i + 1
patch("/products/${body.id}", description: count.to_s)
count`
      const counts = await atOnce(PROGRAMS, program)
      expect(counts.toSorted((a, b) => Number(a) - Number(b))).toEqual(Array.from(counts, (_, index) => index + 1))
      expect((await agent.app.api('GET', `/products/${body.id}`)).body.description).toBe(String(PROGRAMS))
    }, 120_000)

    test('programs that make one where there is none leave exactly one', async () => {
      const program = `active = get("/tags", limit: 100)["data"].select { |tag| tag["name"].start_with?("active") }
active.empty? ? post("/tags", name: "active #{rand(1_000_000_000)}")["object"] : "there is one"`
      const results = await atOnce(20, program)
      expect(results.toSorted()).toEqual(['tag', ...Array(19).fill('there is one')].toSorted())
      expect((await agent.tags()).filter((tag) => tag.startsWith('active'))).toHaveLength(1)
    }, 120_000)

    test('a change by a request between read and write is not overwritten', async () => {
      const { body } = await agent.app.api('POST', '/products', { name: 'Both', description: '0' })
      const path = `/products/${body.id}`
      const increase = `count = get("${path}")["description"].to_i
40.times { get("${path}") }
patch("${path}", description: (count + 1).to_s)["description"]`
      const running = agent.execute(increase)
      const seen = ['0']
      for (let value = 100; value <= 500; value += 100) {
        const answer = await agent.app.api('PATCH', path, { description: String(value) })
        if (answer.status === 200) seen.push(String(value))
      }
      const { result, error } = (await running).structuredContent
      expect(error).toBe(undefined)
      expect(seen).toContain(String(Number(result) - 1))
    })

    test(`a report over ${ROWS} rows sees one moment while others insert and delete`, async () => {
      const { database } = agent.app.app
      const { accountId: account_id } = agent.app
      const times = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' }
      const row = (id: string) => ({ account_id, id, name: id, name_key: id, search_text: id, ...times })
      let ids = Array.from({ length: ROWS }, () => newId('tag'))
      await database.transaction(async ({ db }) => {
        await db.deleteFrom('tags').execute()
        for (const id of ids) await db.insertInto('tags').values(row(id)).execute()
      })
      const pass = `ids = []
loop do
  page = get("/tags", limit: 100, **(ids.empty? ? {} : { starting_after: ids.last }))
  ids.concat(page["data"].map { |tag| tag["id"] })
  break unless page["has_more"]
end
ids`
      const report = agent.execute(`pass = -> {\n${pass}\n}\nfirst, second = pass.call, pass.call
{ count: first.size, different: first.uniq.size, same: first == second }`)
      let changes = 0
      let done = false
      const ended = report.finally(() => {
        done = true
      })
      while (!done) {
        const place = Math.floor(Math.random() * ROWS)
        const [gone, come] = [ids[place]!, newId('tag')]
        await database.transaction(
          async ({ db }) => {
            await db.deleteFrom('tags').where('id', '=', gone).execute()
            await db.insertInto('tags').values(row(come)).execute()
          },
          { account: account_id },
        )
        ids = ids.with(place, come)
        changes += 1
      }
      expect((await ended).structuredContent).toEqual({ result: { count: ROWS, different: ROWS, same: true } })
      expect(changes).toBeGreaterThan(10)
    })
  })
})

test('on the embedded engine a program that only reads neither waits for the writer nor ends who holds it', async () => {
  const agent = await startAgent()
  const { database } = agent.app.app
  const holder = database.program({ account: agent.app.accountId })
  await holder.transaction(async () => {})
  const { result } = (await agent.execute('get("/tags")["data"].size')).structuredContent
  expect(result).toBe(0)
  await holder.commit()
  await agent.close()
})
