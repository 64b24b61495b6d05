import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { onEngines } from '../support/app.ts'
import { type Agent, startAgent } from './agent.ts'

const CALLS = [0, 1, 2, 3]
/** Returns the number of calls in a result, over all operations. */
const countedCalls = ({ calls }: Record<string, unknown>) =>
  (calls as { count: number }[]).reduce((sum, { count }) => sum + count, 0)
const callsOf = (operation: string, status: number) => ({ operation, status, count: 1 })
/** Four writes, with something happening before one of them. */
const writing = (at: number, what: string) =>
  CALLS.map((index) => `${index === at ? `${what}\n` : ''}post("/tags", name: "t${index}")`).join('\n')

describe.each(onEngines)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('a program is one transaction', () => {
    let agent: Agent
    beforeAll(async () => {
      agent = await startAgent({ engine: name, settings: { SANDBOX_WORKERS: '2' } })
    })
    afterAll(() => agent.close())
    beforeEach(async () => {
      await agent.execute('get("/tags", limit: 100)["data"].each { |tag| delete("/tags/#{tag["id"]}") }; nil')
    })

    describe('killed before any of its calls, a program leaves nothing', () => {
      test.each(CALLS)('by an error at call %i', async (at) => {
        const { structuredContent } = await agent.execute(writing(at, 'raise "stop"'))
        expect(structuredContent).toMatchObject({ error: { type: 'ruby_error' }, committed: 'none' })
        expect(countedCalls(structuredContent)).toBe(at)
        expect(await agent.tags()).toEqual([])
      })

      test.each(CALLS)('by a lost connection at call %i', async (at) => {
        const gone = new AbortController()
        const answer = agent.execute(writing(at, 'loop {}'), { signal: gone.signal }).catch(() => 'gone')
        await delay(150)
        gone.abort()
        expect(await answer).toBe('gone')
        await agent.execute('post("/tags", name: "next")')
        expect(await agent.tags()).toEqual(['next'])
      })

      test('by its deadline', async () => {
        const answers = await Promise.all([0, 3].map((at) => agent.execute(writing(at, 'loop {}'))))
        for (const { structuredContent } of answers) {
          expect(structuredContent).toMatchObject({ error: { type: 'deadline_exceeded' }, committed: 'none' })
        }
        expect(await agent.tags()).toEqual([])
      })
    })

    test('a program that ends well leaves everything at once', async () => {
      const { structuredContent } = await agent.execute(`${writing(-1, '')}\nget("/tags")["data"].size`)
      expect(structuredContent).toEqual({ committed: 'all', changed: { 'tag.created': 4 }, result: 4 })
      expect(await agent.tags()).toEqual(['t0', 't1', 't2', 't3'])
    })

    test('a refused call that was looked at leaves the others intact', async () => {
      await agent.execute('post("/tags", name: "a"); post("/tags", name: "")["error"]; post("/tags", name: "b")')
      expect(await agent.tags()).toEqual(['a', 'b'])
    })

    test('programs that get in each other’s way all end well', async () => {
      const programs = Array.from(
        { length: 12 },
        (_, index) => `post("/tags", name: "shared"); post("/tags", name: "own ${index}")`,
      )
      const answers = await Promise.all(programs.map((program) => agent.execute(program)))
      for (const [index, { structuredContent }] of answers.entries()) {
        if (!structuredContent.error) continue
        expect(structuredContent).toMatchObject({ error: { type: 'conflict' }, committed: 'none' })
        expect((await agent.execute(programs[index]!)).structuredContent.error).toBe(undefined)
      }
      const tags = await agent.tags()
      expect(tags.filter((name) => name === 'shared')).toHaveLength(1)
      expect(tags).toHaveLength(13)
    })

    describe('# atomic: false', () => {
      test.each(CALLS)('leaves exactly the calls before an error at call %i', async (at) => {
        const { structuredContent } = await agent.execute(`# atomic: false\n${writing(at, 'raise "stop"')}`)
        expect(structuredContent.committed).toBe(at === 0 ? 'none' : 'partial')
        expect(countedCalls(structuredContent)).toBe(at)
        expect(await agent.tags()).toEqual(CALLS.slice(0, at).map((index) => `t${index}`))
      })
    })

    describe('# dry_run: true', () => {
      test('changes nothing and tells what it would have changed', async () => {
        const { result } = (await agent.execute('post("/tags", name: "old")')).structuredContent as {
          result: { id: string }
        }
        const program = `# dry_run: true
      patch("/tags/${result.id}", name: "new")
      post("/tags", name: "more")
      delete("/tags/${result.id}")
      get("/tags")["data"].map { |tag| tag["name"] }`
        expect((await agent.execute(program)).structuredContent).toEqual({
          result: ['more'],
          dry_run: true,
          plan: expect.stringMatching(/^plan_/),
          changes: {
            'tag.created': { count: 1, samples: [{ id: expect.any(String), name: 'more', customers_count: 0 }] },
            'tag.deleted': { count: 1, samples: [{ id: result.id, name: 'new' }] },
          },
          calls: [callsOf('PATCH /tags/{id}', 200), callsOf('POST /tags', 201), callsOf('DELETE /tags/{id}', 200)],
        })
        expect(await agent.tags()).toEqual(['old'])
      })
    })

    test('a writing program keeps others waiting only until it is killed', async () => {
      const holding = agent.execute('post("/tags", name: "held"); loop {}')
      await delay(100)
      const started = performance.now()
      await agent.app.api('POST', '/tags', { name: 'waited' })
      expect(performance.now() - started).toBeLessThan(6_000)
      expect((await holding).structuredContent.committed).toBe('none')
      expect(await agent.tags()).toEqual(['waited'])
    })
  })
})
