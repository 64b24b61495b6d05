import { beforeAll, expect, it } from 'vitest'
import { lastMessageTo } from '../../support/outbox.ts'
import { type Body, onEachEngine } from '../../support/shop.ts'
import { agentRuns, type Dashboard, dashboardOf, member, ownerOf, tokenOf } from './visitor.ts'

onEachEngine((shop) => {
  let dashboard: Dashboard
  let proposing: string
  let tag: string
  beforeAll(async () => {
    dashboard = dashboardOf(shop, ownerOf(shop))
    proposing = await tokenOf(shop, ownerOf(shop), 'propose')
    tag = (await shop.running.api('POST', '/tags', { name: 'old' })).body.id
  })

  const propose = async (code: string) => (await agentRuns(shop, proposing, code)).plan as string
  const again = async (id: string, by = dashboard) => (await by('POST', `/plans/${id}/again`)).body
  const planOf = async (id: string) => (await dashboard('GET', `/plans/${id}`)).body
  const expire = (id: string) =>
    shop.running.app.database.transaction(({ db }) =>
      db.updateTable('program_plans').set({ expires_at: '2026-01-01T00:00:00Z' }).where('id', '=', id).execute(),
    )
  const rename = () => propose(`patch("/tags/${tag}", name: "#{get("/tags/${tag}")["name"]} more")["id"]`)

  it('makes an outdated plan again, with what it would change now, for the agent that made it', async () => {
    const old = await rename()
    await shop.running.api('PATCH', `/tags/${tag}`, { name: 'moved' })
    expect((await dashboard('POST', `/plans/${old}/apply`, { body: {} })).body.answer.error.type).toBe('plan_outdated')
    const { failed, answer } = await again(old)
    expect(failed).toBe(false)
    expect(await planOf(old)).toMatchObject({ state: 'replaced', replaced_by: answer.plan })
    const made = await planOf(answer.plan)
    expect(made).toMatchObject({ state: 'open', replaces: old, proposed: true, caller_name: 'My agent' })
    const asked = (await agentRuns(shop, proposing, `# apply: ${old}`)).error
    expect(asked).toMatchObject({ type: 'plan_unavailable', message: expect.stringContaining(answer.plan) })
    expect((await agentRuns(shop, proposing, `# apply: ${answer.plan}`)).error.type).toBe('permission_denied')
    expect((await dashboard('POST', `/plans/${answer.plan}/apply`, { body: {} })).body.failed).toBe(false)
    expect((await shop.running.api('GET', `/tags/${tag}`)).body.name).toBe('moved more')
    expect((await again(old)).error.code).toBe('invalid_state')
  })

  it('makes a plan again that expired, once however often somebody clicks', async () => {
    const old = await propose('post("/tags", name: "late")["id"]')
    await expire(old)
    const both = await Promise.all([again(old), again(old)])
    const { replaced_by, state } = await planOf(old)
    expect(state).toBe('replaced')
    expect(both.filter(({ failed }) => failed === false).map(({ answer }: Body) => answer.plan)).toContain(replaced_by)
    const open = (await dashboard('GET', '/plans', { query: { state: 'open', limit: 100 } })).body.data
    expect(open.filter(({ replaces }: Body) => replaces === old)).toHaveLength(1)
  })

  it('keeps the plan where its program fails, or would change nothing', async () => {
    const taken = await propose('post("/customers", email: "taken@example.com")["id"]')
    await shop.running.api('POST', '/customers', { email: 'taken@example.com' })
    expect(await again(taken)).toMatchObject({ failed: true, answer: { committed: 'none' } })
    expect((await planOf(taken)).state).toBe('open')
    const done = await propose(`patch("/tags/${tag}", name: "done")["id"]`)
    await shop.running.api('PATCH', `/tags/${tag}`, { name: 'done' })
    const { failed, answer } = await again(done)
    expect([failed, answer.error.message]).toEqual([true, expect.stringContaining('would change nothing now')])
    expect((await planOf(done)).state).toBe('open')
  })

  it('plans with no more rights than the person has who asks', async () => {
    const helper = dashboardOf(shop, await member(shop, 'member', 'helper@example.com'), 'member')
    const plan = await propose('patch("/account", description: "Taken over")["id"]')
    expect(await again(plan, helper)).toMatchObject({ error: { code: 'permission_denied' } })
    expect(await again(plan)).toMatchObject({ failed: false })
  })

  it('makes none again that was decided on or withdrawn, or that belongs to another account', async () => {
    const rejected = await propose('post("/tags", name: "no")["id"]')
    await dashboard('POST', `/plans/${rejected}/reject`, { body: {} })
    const withdrawn = await propose('post("/tags", name: "never mind")["id"]')
    await agentRuns(shop, proposing, `# withdraw: ${withdrawn}`)
    for (const id of [rejected, withdrawn]) expect((await again(id)).error.code).toBe('invalid_state')
    const stranger = dashboardOf(shop, await shop.running.another('stranger'))
    expect((await again(await propose('post("/tags", name: "mine")'), stranger)).error.code).toBe('resource_missing')
  })

  it('writes to nobody about a plan that was withdrawn, and says by when the others expire', async () => {
    await member(shop, 'admin', 'admin@example.com')
    const program = (name: string) => `post("/tags", name: "${name}")["id"]`
    const withdrawn = await propose(program('gone'))
    await agentRuns(shop, proposing, `# withdraw: ${withdrawn}`)
    await shop.settled()
    await shop.running.app.database.transaction(async ({ db }) => {
      await db.updateTable('program_plans').set({ announced_at: null }).execute()
      await db.updateTable('program_plans').set({ state: 'applied' }).where('state', '=', 'open').execute()
      await db.deleteFrom('jobs').where('state', '=', 'waiting').execute()
    })
    const open = await propose(program('here'))
    const text = await lastMessageTo(shop, 'admin@example.com')
    expect(text).toContain(open)
    expect(text).not.toContain('plans are waiting')
    expect(text).toMatch(/apply or reject them by \d+ \w+ \d{4}, \d\d:\d\d:/)
  })
})
