import { beforeAll, expect, it } from 'vitest'
import type { AccountUser } from '../../../src/contract/declarations/caller.ts'
import { readerFor } from '../../../src/pages/dashboard/kit/visits.ts'
import { planComparison } from '../../../src/resources/dashboard/plan-comparison/plan-comparison.ts'
import { lastMessageTo } from '../../support/outbox.ts'
import { priceForSale, sell } from '../../support/sell.ts'
import { type Body, onGateEngine } from '../../support/shop.ts'
import { agentRuns, type Dashboard, dashboardOf, member, ownerOf, tokenOf } from './visitor.ts'

onGateEngine((shop) => {
  let owner: AccountUser
  let dashboard: Dashboard
  let proposing: string
  let product: string
  beforeAll(async () => {
    owner = ownerOf(shop)
    dashboard = dashboardOf(shop, owner)
    proposing = await tokenOf(shop, owner, 'propose')
    product = (await shop.running.api('POST', '/products', { name: 'Tea' })).body.id
    for (const amount of [1000, 2000])
      await shop.running.api('POST', '/price_variants', { product_id: product, name: `At ${amount}`, amount })
  })

  const readAs = (user: AccountUser) =>
    readerFor(shop.running.app, { kind: 'session', sessionId: 'a session', role: 'owner', ...user })
  const compare = (id: string, each = 10) => readAs(owner)(planComparison, id, each)
  const propose = async (code: string) => (await agentRuns(shop, proposing, code)).plan as string
  const raise = (percent: number) => `list("/price_variants", product: "${product}").each do |price|
  patch("/price_variants/#{price["id"]}", amount: price["amount"] * ${100 + percent} / 100)
end
tag = post("/tags", name: "raised ${percent}")
post("/customers", email: "raised${percent}@example.com", tags: [tag["id"]])["id"]`
  const prices = async (): Promise<number[]> =>
    (await shop.running.api('GET', `/price_variants?product=${product}`)).body.data.map((one: Body) => one.amount)

  it('shows what a plan changes, by type, with names, money and how far it moves', async () => {
    const id = await propose(raise(10))
    const plan = (await dashboard('GET', `/plans/${id}`)).body
    expect(plan).toMatchObject({ state: 'open', proposed: true, caller_name: 'My agent', note: null })
    expect(plan.counts).toEqual({ 'price_variant.updated': 2, 'tag.created': 1, 'customer.created': 1 })
    expect(plan).not.toHaveProperty('changes')
    const { groups, names } = await compare(id)
    const raised = { field: 'amount', currency: 'usd', raised: 2, lowered: 0, least: 100, most: 200 }
    expect(groups[0]).toMatchObject({ object: 'price_variant', kind: 'updated', count: 2 })
    expect(groups[0]!.moved).toEqual([{ ...raised, least_percent: 10, most_percent: 10 }])
    const first = groups[0]!.changes[0]!
    expect(first).toMatchObject({ label: 'At 1000', part_of: [{ object: 'product', id: product }], currency: 'usd' })
    expect(first.fields).toEqual([
      { name: 'amount', money: true, follows: false, from: 1000, to: 1100 },
      { name: 'x402_amount', money: false, follows: true, from: '10000000', to: '11000000' },
    ])
    expect(names).toMatchObject({ [product]: 'Tea' })
    const customer = groups.find(({ object }) => object === 'customer')!.changes[0]!
    expect(customer.fields).toContainEqual(expect.objectContaining({ name: 'tags', from: null, to: ['#tag 1'] }))
    expect(names['#tag 1']).toBe('raised 10')
  })

  it('says over how many rows a program goes on in the background', async () => {
    const rename = 'rows.each { |row| patch("/price_variants/#{row["id"]}", name: "Renamed") }'
    const list = `list("/price_variants", product: "${product}")`
    const id = await propose(`# background: true\neach_batch(${list}, of: 1) { |rows| ${rename} }`)
    const { body } = await dashboard('GET', `/plans/${id}`)
    expect([body.counts, body.background_rows]).toEqual([{ 'price_variant.updated': 1 }, 2])
    expect((await dashboard('GET', `/plans/${await propose(raise(1))}`)).body.background_rows).toBeNull()
    await dashboard('POST', `/plans/${id}/reject`, { body: {} })
    expect((await dashboard('GET', `/plans/${id}`)).body.background_rows).toBeNull()
  })

  it('knows an order by its buyer and its amount', async () => {
    const price = await priceForSale(shop, { amount: 14_400 })
    const order = await sell(shop, [{ price_variant: price.id }])
    const id = await propose(`post("/refunds", order: "${order.id}", amount: 2880)["id"]`)
    const { groups, names } = await compare(id)
    expect(groups.map(({ event }) => event)).toEqual(['refund.created', 'order.partially_refunded'])
    expect(names[order.id]).toBe(`order of ${order.customer.email}, $144.00`)
  })

  it('shows as many changes of a type as are asked for', async () => {
    const id = await propose('12.times { |n| post("/tags", name: "tag #{n}")["id"] }')
    const shown = async (each: number) => (await compare(id, each)).groups[0]!
    expect([(await shown(10)).changes.length, (await shown(10)).count]).toEqual([10, 12])
    expect((await shown(1000)).changes).toHaveLength(12)
  })

  it('applies a plan once, and says who did', async () => {
    const id = await propose(raise(20))
    const before = await prices()
    const { body } = await dashboard('POST', `/plans/${id}/apply`, { body: { note: 'Go ahead.' } })
    expect(body).toMatchObject({ failed: false, answer: { committed: 'all', changed: { 'price_variant.updated': 2 } } })
    expect(await prices()).toEqual(before.map((amount) => amount * 1.2))
    const plan = (await dashboard('GET', `/plans/${id}`)).body
    expect(plan).toMatchObject({ state: 'applied', decided_by: owner.userId, note: 'Go ahead.' })
    expect(plan.decided_at).toMatch(/Z$/)
    const again = (await dashboard('POST', `/plans/${id}/apply`, { body: {} })).body
    expect(again).toMatchObject({ failed: true, answer: { error: { type: 'plan_unavailable' } } })
    await shop.settled()
    expect((await dashboard('POST', `/plans/${id}/reject`, { body: {} })).body.error.code).toBe('invalid_state')
  })

  it('applies nothing of a plan when the shop has changed since, and says what differs', async () => {
    const id = await propose(raise(50))
    const [first] = (await shop.running.api('GET', `/price_variants?product=${product}`)).body.data
    await shop.running.api('PATCH', `/price_variants/${first.id}`, { amount: first.amount + 7 })
    const { body } = await dashboard('POST', `/plans/${id}/apply`, { body: {} })
    expect(body).toMatchObject({ failed: true, answer: { committed: 'none', error: { type: 'plan_outdated' } } })
    expect(body.answer.differences[0]).toMatchObject({ field: 'amount', planned: { from: first.amount } })
    expect((await dashboard('GET', `/plans/${id}`)).body.state).toBe('open')
  })

  it('rejects a plan with a note, which its agent reads when it asks again', async () => {
    const id = await propose('post("/tags", name: "never")["id"]')
    const rejected = (await dashboard('POST', `/plans/${id}/reject`, { body: { note: 'Not before May.' } })).body
    expect(rejected).toMatchObject({ state: 'rejected', note: 'Not before May.', decided_by: owner.userId })
    const { error } = await agentRuns(shop, proposing, `# apply: ${id}`)
    expect(error).toMatchObject({ type: 'plan_unavailable', message: expect.stringContaining('Not before May.') })
    expect((await dashboard('POST', `/plans/${id}/apply`, { body: {} })).body.failed).toBe(true)
    expect((await shop.running.api('GET', '/tags?limit=100')).body.data).not.toContainEqual(
      expect.objectContaining({ name: 'never' }),
    )
  })

  it('lists plans by their state, those that expired apart', async () => {
    const id = await propose('post("/tags", name: "late")["id"]')
    await shop.running.app.database.transaction(({ db }) =>
      db.updateTable('program_plans').set({ expires_at: '2026-01-01T00:00:00Z' }).where('id', '=', id).execute(),
    )
    const states = async (state: string) =>
      (await dashboard('GET', '/plans', { query: { state, limit: 100 } })).body.data.map((one: Body) => one.state)
    for (const state of ['open', 'applied', 'rejected', 'expired'])
      expect(new Set(await states(state))).toEqual(new Set([state]))
    expect((await dashboard('POST', `/plans/${id}/reject`, { body: {} })).body.error.message).toContain('expired')
  })

  it('carries a plan out with no more rights than its approver has', async () => {
    const helper = dashboardOf(shop, await member(shop, 'member', `helper@example.com`), 'member')
    const plain = await propose('post("/tags", name: "by a member")["id"]')
    expect((await helper('POST', `/plans/${plain}/apply`, { body: {} })).body).toMatchObject({ failed: false })
    const owners = await propose('patch("/account", description: "Taken over")["id"]')
    const { body } = await helper('POST', `/plans/${owners}/apply`, { body: {} })
    expect(body).toMatchObject({ failed: true, answer: { committed: 'none' } })
    expect(body.answer.error.message).toMatch(
      /^Someone with the role owner or admin must apply this plan: .+ your role, member,/,
    )
    expect((await dashboard('POST', `/plans/${owners}/apply`, { body: {} })).body.failed).toBe(false)
  })

  it('shows and decides nothing of another account', async () => {
    const id = await propose('post("/tags", name: "mine")["id"]')
    const other = await shop.running.another('stranger')
    const stranger = dashboardOf(shop, other)
    await expect(readAs(other)(planComparison, id, 10)).rejects.toMatchObject({ code: 'resource_missing' })
    const answers = [
      await stranger('GET', `/plans/${id}`),
      await stranger('POST', `/plans/${id}/apply`, { body: {} }),
      await stranger('POST', `/plans/${id}/reject`, { body: {} }),
      await stranger('GET', `/plans/plan_01k9z6v8q2f3x7c5m1n4b0r8ta`),
    ]
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(
      answers.map(() => [404, 'resource_missing']),
    )
    expect((await stranger('GET', '/plans')).body.data).toEqual([])
    expect((await dashboard('GET', `/plans/${id}`)).body.state).toBe('open')
  })

  it('is found by pages of the dashboard alone', async () => {
    expect((await shop.running.api('GET', '/plans')).status).toBe(404)
    const answer = await agentRuns(shop, shop.running.token, 'get("/plans")["error"]')
    expect(answer.error.type).toBe('unknown_path')
  })

  it('writes to owners and admins once about plans that come together', async () => {
    await member(shop, 'admin', 'admin@example.com')
    await member(shop, 'member', 'bystander@example.com')
    await shop.settled()
    await shop.running.app.database.transaction(async ({ db }) => {
      await db.updateTable('program_plans').set({ announced_at: null, state: 'applied' }).execute()
      await db.deleteFrom('jobs').where('state', '=', 'waiting').execute()
    })
    const mails = () => shop.db.selectFrom('emails').select(['to', 'subject']).orderBy('id').execute()
    const known = (await mails()).length
    const first = await propose('post("/tags", name: "<b>one</b>")["id"]')
    const text = await lastMessageTo(shop, 'admin@example.com')
    expect(text).toContain(`/dashboard/`)
    expect(text).toContain(`/plans/${first}`)
    expect(text).toContain('1 tag created')
    expect(text).toContain('wait at least 5 minutes')
    for (const name of ['two', 'three']) await propose(`post("/tags", name: "${name}")["id"]`)
    await shop.settled()
    const written = (await mails()).slice(known)
    expect(written.map(({ to }) => to).filter((to) => to === 'admin@example.com')).toHaveLength(1)
    expect(written.map(({ to }) => to)).not.toContain('bystander@example.com')
    const waiting = shop.db
      .selectFrom('jobs')
      .select('run_at')
      .where('name', '=', 'plans_wait')
      .where('state', '=', 'waiting')
    expect(await waiting.execute()).toHaveLength(1)
  })
})
