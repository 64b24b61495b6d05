import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createToken } from '../../src/resources/dashboard/api-token/issue.ts'
import { gateEngines, SECRET_KEY } from '../support/app.ts'
import { callTool, startAgent } from './agent.ts'

const DEFAULTS = { RATE_LIMIT_PER_MINUTE: '600', RATE_LIMIT_BURST: '100', RATE_LIMIT_SLOW_PER_MINUTE: '60' }
/** One permit per minute means that no permit is refilled during a test. */
const STILL = { ...DEFAULTS, RATE_LIMIT_PER_MINUTE: '1' }

const reads = (count: number) =>
  `${count}.times.map { get("/me")["error"] }.compact.map { |error| error["code"] }.tally`

for (const { name: engine, available } of gateEngines) {
  describe.skipIf(!available)(`the budget of programs on ${engine}`, () => {
    /** Runs `work` with a service with these limits and a token that has not used any permits. */
    const withAgent = async (settings: Record<string, string>, work: (shop: Shop) => Promise<void>) => {
      const agent = await startAgent({ engine, settings })
      const { database, firstAccount } = agent.app.app
      const fresh = async () => {
        const { value: token } = await createToken(database, SECRET_KEY, firstAccount!, { name: 'Fresh' })
        const send = (code: string) =>
          fetch(agent.mcpUrl, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}` },
            body: JSON.stringify({
              jsonrpc: '2.0',
              id: 1,
              method: 'tools/call',
              params: { name: 'code_execute', arguments: { code } },
            }),
          })
        return {
          token,
          execute: async (code: string) =>
            (await callTool({ url: agent.app.url, token }, 'code_execute', code)).structuredContent,
          /** Runs a program and returns the remaining permits from the headers of its response. */
          leftAfter: async (code: string) => leftIn((await send(code)).headers),
          left: async () => leftIn((await agent.app.api('GET', '/me', undefined, { token })).headers),
        }
      }
      try {
        await work({ fresh, agent })
      } finally {
        await agent.close()
      }
    }

    it('suffices for 100 posts and 200 reads in one program, by default', () =>
      withAgent(DEFAULTS, async ({ fresh, agent }) => {
        const { execute } = await fresh()
        const answer = await execute(`100.times { |n| post("/tags", name: "tag #{n}") }\n${reads(200)}`)
        expect(answer).toMatchObject({ result: {}, committed: 'all' })
        const { count } = await agent.app.app.database.read
          .selectFrom('tags')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        expect(count).toBe(100)
      }))

    it('suffices for exactly ten calls a permit, of which the request is the first ten', () =>
      withAgent({ ...STILL, RATE_LIMIT_BURST: '6' }, async ({ fresh }) => {
        const { execute, left } = await fresh()
        expect((await execute(reads(60))).result).toEqual({})
        expect((await left()).r).toBe(0)
        await expect(execute('1')).rejects.toThrow()
      }))

    it('says after a program what it has left', () =>
      withAgent(STILL, async ({ fresh }) => {
        expect((await (await fresh()).leftAfter('1')).r).toBe(99)
        expect((await (await fresh()).leftAfter(reads(10))).r).toBe(99)
        expect((await (await fresh()).leftAfter(reads(20))).r).toBe(98)
        const { leftAfter, left } = await fresh()
        expect((await leftAfter(reads(100))).r).toBe(90)
        expect((await left()).r).toBe(89)
        expect((await leftAfter(reads(15))).r).toBe(87)
        expect((await leftAfter(reads(15))).r).toBe(86)
      }))

    it('is not spent again when a program is run again', () =>
      withAgent(STILL, async ({ fresh, agent }) => {
        const { execute, left } = await fresh()
        const slow = `get("/tags")\nstart = Time.now\nnil while Time.now - start < 0.7\n${reads(200)}\npost("/tags", name: "mine")["name"]`
        const running = execute(slow)
        await delay(300)
        expect((await agent.app.api('POST', '/tags', { name: 'theirs' })).status).toBe(201)
        expect(await running).toMatchObject({ result: 'mine', committed: 'all' })
        expect((await left()).r).toBeGreaterThanOrEqual(78)
      }))

    it('names the seconds after which a refused program runs to its end', () =>
      withAgent({ ...DEFAULTS, RATE_LIMIT_PER_MINUTE: '40', RATE_LIMIT_BURST: '10' }, async ({ fresh }) => {
        const { execute } = await fresh()
        const many = `30.times { |n| post("/tags", name: "tag #{n}") }\n${reads(65)}`
        // A permit is left for the next request, however soon it comes.
        await execute(reads(85))
        const { result } = await execute('120.times.map { get("/me").dig("error", "message") }.compact.first')
        expect(result).toMatch(/(Run it again|run the next) in \d+ seconds?/)
        const seconds = Number(/in (\d+) seconds?/.exec(result as string)![1])
        expect(seconds).toBeGreaterThanOrEqual(1)
        expect(seconds).toBeLessThanOrEqual(15)
        await delay(seconds * 1000)
        expect(await execute(many)).toMatchObject({ result: {}, committed: 'all' })
      }))

    it('says of a program with more calls than a full budget allows that it must be split', () =>
      withAgent({ ...STILL, RATE_LIMIT_BURST: '5' }, async ({ fresh }) => {
        const { execute } = await fresh()
        const { result } = await execute('60.times.map { get("/me").dig("error", "message") }.compact.first')
        expect(result).toMatch(/at most 50 calls.*in 5 minutes/)
      }))

    it('of an operation with a slower limit names the seconds until that is full', () =>
      withAgent({ ...DEFAULTS, RATE_LIMIT_SLOW_PER_MINUTE: '3' }, async ({ fresh }) => {
        const { execute } = await fresh()
        const letter = 'post("/emails", to: "ada@example.com", subject: "Hello", body: "Hello")'
        const { result } = await execute(`4.times.map { ${letter}.dig("error", "message") }.grep(/Too many/)`)
        expect(result).toEqual([expect.stringMatching(/again in (59|60) seconds/)])
      }))
  })
}

interface Shop {
  agent: Awaited<ReturnType<typeof startAgent>>
  fresh(): Promise<{
    token: string
    execute(code: string): Promise<Awaited<ReturnType<typeof callTool>>['structuredContent']>
    leftAfter(code: string): Promise<Left>
    left(): Promise<Left>
  }>
}

interface Left {
  r: number
  t: number
}

function leftIn(headers: Headers): Left {
  const [, r, t] = /^"default";r=(\d+);t=(\d+)/.exec(headers.get('ratelimit')!)!
  return { r: Number(r), t: Number(t) }
}
