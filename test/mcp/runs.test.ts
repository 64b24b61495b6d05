import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Agent, startAgent } from './agent.ts'

let agent: Agent
beforeAll(async () => {
  agent = await startAgent({ settings: { RATE_LIMIT_PER_MINUTE: '1', RATE_LIMIT_BURST: '12' } })
})
afterAll(() => agent.close())

const recorded = (count: number) =>
  vi.waitFor(async () => {
    const runs = await agent.app.app.database.read.selectFrom('program_runs').selectAll().orderBy('id').execute()
    expect(runs).toHaveLength(count)
    return runs
  })

test('every run is recorded, whatever came of it, and spends the budget of its calls', async () => {
  await agent.search('tools.size')
  await agent.execute('```ruby\npost("/tags", name: "a")\n```')
  await agent.execute('post("/tags", name: "b")\nraise "no"')
  await agent.execute('# dry_run: true\npost("/tags", name: "c")')
  const gone = new AbortController()
  const lost = agent.execute('post("/tags", name: "d"); loop {}', { signal: gone.signal }).catch(() => null)
  setTimeout(() => gone.abort(), 200)
  await lost

  const runs = await recorded(5)
  expect(
    runs.map(({ kind, outcome, committed, dry_run, calls_count }) => [kind, outcome, committed, dry_run, calls_count]),
  ).toEqual([
    ['search', 'succeeded', 'none', 0, 0],
    ['execute', 'succeeded', 'all', 0, 1],
    ['execute', 'ruby_error', 'none', 0, 1],
    ['execute', 'succeeded', 'none', 1, 1],
    ['execute', 'canceled', 'none', 0, 1],
  ])
  expect(runs[1]).toMatchObject({ account_id: agent.app.accountId, code: 'post("/tags", name: "a")', error: null })
  expect(JSON.parse(runs[2]!.calls)).toMatchObject([{ method: 'POST', path: '/tags', status: 201 }])
})

test('a spent budget is told to the program, then to the client', async () => {
  const { structuredContent } = await agent.execute('90.times.map { get("/me").dig("error", "code") }')
  const codes = structuredContent.result as unknown[]
  expect([codes[0], codes.at(-1)]).toEqual([null, 'rate_limit_exceeded'])
  const refused = await agent.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect(await refused.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } })
})
