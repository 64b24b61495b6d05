import { beforeAll, expect, it, vi } from 'vitest'
import type { AccountUser } from '../../../src/contract/declarations/caller.ts'
import { type Body, onGateEngine } from '../../support/shop.ts'
import { agentRuns, type Dashboard, dashboardOf, ownerOf, tokenOf } from './visitor.ts'

onGateEngine((shop) => {
  let owner: AccountUser
  let dashboard: Dashboard
  let token: string
  beforeAll(async () => {
    owner = ownerOf(shop)
    dashboard = dashboardOf(shop, owner)
    token = await tokenOf(shop, owner, 'write', 'Writer')
    await agentRuns(shop, token, 'tools.size', 'code_search')
    await agentRuns(shop, token, '# <script>alert(1)</script>\npost("/tags", name: "kept")["id"]')
    await agentRuns(shop, token, 'get("/account")\npost("/tags", name: "undone")["id"]\nraise "no 100%"')
    await agentRuns(shop, token, '# dry_run: true\npost("/tags", name: "planned")["id"]')
    await recorded(4)
  })

  const list = async (query: object = {}): Promise<Body[]> =>
    (await dashboard('GET', '/runs', { query: { limit: 100, ...query } })).body.data
  const recorded = async (count: number) => {
    await vi.waitFor(async () => expect((await list()).length).toBeGreaterThanOrEqual(count))
  }

  it('shows a run: its program, its calls, what it changed, and whose it was', async () => {
    const [found] = await list({ query: 'ALERT(1)' })
    const { body: run } = await dashboard('GET', `/runs/${found.id}`)
    expect(run).toMatchObject({
      kind: 'execute',
      outcome: 'succeeded',
      committed: 'all',
      dry_run: false,
      caller_kind: 'token',
      caller_name: 'Writer',
      user_id: owner.userId,
      plan: null,
      error: null,
      changes: { 'tag.created': { count: 1, samples: [{ name: 'kept' }] } },
    })
    expect(run.code).toContain('<script>alert(1)</script>')
    expect(run.calls).toEqual([
      {
        method: 'POST',
        path: '/tags',
        status: 201,
        id: expect.stringMatching(/^tag_/),
        duration_ms: expect.any(Number),
      },
    ])
    expect(run).not.toHaveProperty('written')
  })

  it('says why a run failed, where, and that nothing was kept', async () => {
    const [run] = await list({ failed: true })
    expect(run).toMatchObject({ outcome: 'ruby_error', error_line: 3, committed: 'none', changes: {}, calls_count: 2 })
    expect(run.error).toContain('no 100%')
  })

  it('names the plan that a dry run made', async () => {
    const [run] = await list({ dry_run: true })
    expect(run).toMatchObject({ outcome: 'succeeded', changes: { 'tag.created': { count: 1 } } })
    expect((await dashboard('GET', `/plans/${run.plan}`)).body).toMatchObject({
      proposed: false,
      caller_name: 'Writer',
    })
    await dashboard('POST', `/plans/${run.plan}/apply`, { body: {} })
    await recorded(5)
    const both = await list({ plan: run.plan })
    expect(both.map(({ caller_kind, dry_run }) => [caller_kind, dry_run])).toEqual([
      ['session', false],
      ['token', true],
    ])
  })

  it('narrows the list by kind, outcome, caller, time and words, whatever they hold', async () => {
    expect(await list({ kind: 'search' })).toHaveLength(1)
    expect(await list({ outcome: ['ruby_error'] })).toHaveLength(1)
    expect((await list({ failed: false })).every(({ outcome }) => outcome === 'succeeded')).toBe(true)
    const [{ caller_id }] = (await list({ kind: 'search' })) as [Body]
    expect((await list({ caller_id })).length).toBe(4)
    expect(await list({ caller_id: 'token_nobody' })).toEqual([])
    expect(await list({ created_at: { gt: '2099-01-01T00:00:00Z' } })).toEqual([])
    expect(await list({ query: '100%' })).toHaveLength(1)
    expect(await list({ query: "%' or 1=1 --" })).toEqual([])
    expect((await dashboard('GET', '/runs', { query: { kind: 'else' } })).status).toBe(400)
  })

  it('pages, and shows nothing of another account', async () => {
    const first = (await dashboard('GET', '/runs', { query: { limit: 2 } })).body
    expect([first.data.length, first.has_more]).toEqual([2, true])
    const next = (await dashboard('GET', '/runs', { query: { limit: 2, starting_after: first.data[1].id } })).body
    expect(next.data[0].id < first.data[1].id).toBe(true)
    const stranger = dashboardOf(shop, await shop.running.another('stranger'))
    expect((await stranger('GET', '/runs')).body.data).toEqual([])
    expect((await stranger('GET', `/runs/${first.data[0].id}`)).status).toBe(404)
    expect((await stranger('GET', '/runs', { query: { starting_after: first.data[0].id } })).status).toBe(400)
  })

  it('runs programs of people, who are searched, planned and carried out alike', async () => {
    const play = async (mode: string, code: string) =>
      (await dashboard('POST', '/playground', { body: { mode, code } })).body
    expect(await play('search', 'tools.size > 100')).toMatchObject({ failed: false, answer: { result: true } })
    const dry = await play('dry_run', 'puts "hello"\npost("/tags", name: "played")["name"]')
    expect(dry.answer).toMatchObject({ dry_run: true, output: 'hello\n', result: 'played' })
    expect(dry.answer.plan).toMatch(/^plan_/)
    const run = await play('execute', 'post("/tags", name: "played")["name"]')
    expect(run).toMatchObject({ failed: false, answer: { committed: 'all', changed: { 'tag.created': 1 } } })
    const failed = await play('execute', 'post("/tags", name: "twice")["id"]\nget("/nothing")')
    expect(failed.failed).toBe(true)
    expect((await dashboard('POST', '/playground', { body: { mode: 'all', code: '1' } })).status).toBe(422)
    expect((await dashboard('POST', '/playground', { body: { mode: 'search', code: '' } })).body.failed).toBe(true)
  })
})
