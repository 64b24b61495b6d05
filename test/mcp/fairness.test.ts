import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createToken } from '../../src/resources/dashboard/api-token/issue.ts'
import { SECRET_KEY } from '../support/app.ts'
import { times } from '../support/depth.ts'
import { type Agent, startAgent } from './agent.ts'

/** The longest wait of another account: one hold of the writer (1 s) and the short turns of the others (0.3 s). */
const BOUND_MS = 1_300
/** Additional time for a loaded machine, because two workers and the tests share its cores. */
const SLACK_MS = 2_500
/** Programs that hold the writer one after the other while another account writes. */
const HOLDS = times({ gate: 2, deep: 5 })
const WRITE_THEN_LOOP = 'post("/tags", name: "held #{rand(1_000_000_000)}")\nloop {}'

/** Longer than a program may hold the writer while others wait, well below the deadline. */
const PAUSE_MS = 1_600
const PAUSE = `start = Time.now\nnil while Time.now - start < ${PAUSE_MS / 1000}`

describe('on the embedded engine', () => {
  let agent: Agent
  beforeAll(async () => {
    agent = await startAgent({ settings: { SANDBOX_WORKERS: '2' } })
  })
  afterAll(async () => {
    await agent.close()
    expect(agent.app.errors).toEqual([])
  })

  const severalTokens = async () => {
    const { database } = agent.app.app
    const { accountId } = agent.app
    const owner = database.read.selectFrom('memberships').select('user_id').where('account_id', '=', accountId)
    const { user_id: userId } = await owner.executeTakeFirstOrThrow()
    const made = [1, 2, 3].map((number) =>
      createToken(database, SECRET_KEY, { accountId, userId }, { name: `Token ${number}` }),
    )
    return (await Promise.all(made)).map(({ value }) => value)
  }

  /** Writes as another account, one request after the other, until `ended`. Returns the duration of each in milliseconds. */
  const writesOfAnother = async (subdomain: string, ended: () => boolean): Promise<number[]> => {
    const { token } = await agent.app.another(subdomain)
    const waits: number[] = []
    while (!ended()) {
      const started = performance.now()
      const { status } = await agent.app.api('POST', '/tags', { name: `tag ${waits.length}` }, { token })
      expect(status).toBe(201)
      waits.push(performance.now() - started)
      await delay(50)
    }
    return waits
  }

  test('20 programs that write and then loop keep another account waiting for one of them at most', async () => {
    const gone = new AbortController()
    let held = 0
    const programs = Array.from({ length: 20 }, () =>
      agent.execute(WRITE_THEN_LOOP, { signal: gone.signal }).then(
        ({ structuredContent }) => {
          held += 1
          return structuredContent.error?.type
        },
        () => 'gone',
      ),
    )
    const waits = await writesOfAnother('patient', () => held >= HOLDS)
    gone.abort()
    const ends = await Promise.all(programs)
    expect(Math.max(...waits)).toBeLessThan(BOUND_MS + SLACK_MS)
    expect(ends.filter((end) => end === 'writer_held_too_long').length).toBeGreaterThanOrEqual(HOLDS)
    expect([...new Set(ends)].toSorted()).toEqual(['gone', 'writer_held_too_long'])
    expect(await agent.tags()).toEqual([])
  })

  test.each(['', '# dry_run: true\n'])(
    '%sa program that is ended for it is told where and what to do',
    async (comment) => {
      let done = false
      const answer = agent.execute(`${comment}${WRITE_THEN_LOOP}`).finally(() => {
        done = true
      })
      const waits = await writesOfAnother(`waiting-${comment.length}`, () => done)
      expect(Math.max(...waits)).toBeLessThan(BOUND_MS + SLACK_MS)
      const { structuredContent } = await answer
      expect(structuredContent).toMatchObject({
        error: {
          type: 'writer_held_too_long',
          line: comment === '' ? 1 : 2,
          message: expect.stringContaining('1 second'),
          hint: expect.stringMatching(/write last.*# atomic: false/),
        },
        committed: 'none',
        calls: [{ operation: 'POST /tags', status: 201, count: 1 }],
      })
      expect(await agent.tags()).toEqual([])
    },
  )

  test.each([
    ['dry runs', `# dry_run: true\n${WRITE_THEN_LOOP}`],
    ['programs that read first and so hold the writer in their second run', `get("/tags")["data"]\n${WRITE_THEN_LOOP}`],
    [
      'programs that repeat a refused write',
      `${WRITE_THEN_LOOP.replace('loop {}', 'loop { post("/tags")["error"] }')}`,
    ],
    ['programs with a key', `# once: key\n${WRITE_THEN_LOOP}`],
  ])(
    'six %s, again and again and of several tokens, keep another account waiting for one hold at most',
    async (name, code) => {
      const gone = new AbortController()
      const tokens = await severalTokens()
      const attackers = Array.from({ length: 6 }, async (_, index) => {
        const headers = { authorization: `Bearer ${tokens[index % tokens.length]}` }
        while (!gone.signal.aborted) await agent.execute(code, { signal: gone.signal, headers }).catch(() => {})
      })
      const until = performance.now() + 3_000
      const waits = await writesOfAnother(`six-${name.length}`, () => performance.now() > until)
      gone.abort()
      await Promise.all(attackers)
      expect(Math.max(...waits)).toBeLessThan(BOUND_MS + SLACK_MS)
      expect(await agent.tags()).toEqual([])
    },
  )

  test('a program whose calls commit by themselves keeps nobody waiting', async () => {
    const program = `# atomic: false\npost("/tags", name: "first")\n${PAUSE}\npost("/tags", name: "second")\n"done"`
    let done = false
    const answer = agent.execute(program).finally(() => {
      done = true
    })
    const waits = await writesOfAnother('neighbour', () => done)
    expect(waits.length).toBeGreaterThan(3)
    expect(Math.max(...waits)).toBeLessThan(PAUSE_MS)
    expect((await answer).structuredContent).toMatchObject({ committed: 'all', result: 'done' })
    expect(await agent.tags()).toEqual(['first', 'second'])
  })

  test('a program that nobody waits for may hold the writer for longer', async () => {
    const program = `post("/tags", name: "alone")\n${PAUSE}\n"done"`
    const reading = agent.execute('get("/tags")["data"].size')
    expect((await agent.execute(program)).structuredContent).toMatchObject({ committed: 'all', result: 'done' })
    await reading
    expect(await agent.tags()).toContain('alone')
  })
})
