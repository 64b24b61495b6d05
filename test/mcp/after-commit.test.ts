import { expect, it } from 'vitest'
import { moneyOf, summed } from '../../src/contract/declarations/consequence.ts'
import { createToken } from '../../src/resources/dashboard/api-token/issue.ts'
import { SECRET_KEY } from '../support/app.ts'
import { signIn } from '../support/person.ts'
import { daysAfter, rehearse } from '../support/rehearsal.ts'
import { type Body, onEachEngine, type Shop } from '../support/shop.ts'
import { connected } from '../support/social.ts'
import { callTool } from './agent.ts'

onEachEngine((shop) => {
  const execute = async (at: Shop, code: string): Promise<Body> =>
    (await callTool({ url: at.running.url, token: at.token }, 'code_execute', code)).structuredContent

  it('says in a dry run what resuming a subscription charges at once, and applies it', async () => {
    const life = await rehearse(shop)
    const { id, current_period_end: end, amount } = await life.subscribe()
    await life.act(id, 'pause')
    const resume = `post("/subscriptions/${id}/resume")["status"]`
    // Nothing is charged before the end of the current period.
    expect(await execute(life.shop, `# dry_run: true\n${resume}`)).not.toHaveProperty('after_commit')
    await life.past(daysAfter(end, 5))
    const planned = await execute(life.shop, `# dry_run: true\n${resume}`)
    expect(planned).toMatchObject({ dry_run: true, after_commit: `Charges $${amount / 100}.00.` })
    // A change that the program itself reverts has no effect after the commit.
    const paused = await execute(life.shop, `# dry_run: true\n${resume}\npost("/subscriptions/${id}/pause")["status"]`)
    expect(paused).toMatchObject({ result: 'paused' })
    expect(paused).not.toHaveProperty('after_commit')
    const applied = await execute(life.shop, `# apply: ${planned.plan}`)
    expect(applied).toMatchObject({ committed: 'all' })
    expect(applied).not.toHaveProperty('after_commit')
  })

  it('counts letters and webhooks, and names who is written to', async () => {
    for (const name of ['ada', 'bea', 'cyd', 'dan']) await shop.post('/customers', { email: `${name}@letters.example` })
    await shop.post('/webhook_endpoints', { url: `${shop.running.url}/nowhere`, enabled_events: ['tag.created'] })
    const code = `# dry_run: true
post("/tags", name: "written to")["id"]
%w[ada bea cyd dan].map { |name| post("/emails", to: "#{name}@letters.example", subject: "Hi", text: "Hello")["id"] }.size`
    expect((await execute(shop, code)).after_commit).toBe(
      'Sends 4 e-mails to ada@letters.example, bea@letters.example, cyd@letters.example, …; sends 1 webhook.',
    )
  })

  it('names posts that go out, and not those of a later day', async () => {
    const account = await connected(shop)
    const post = (more: string) =>
      `# dry_run: true\npost("/social_posts", content: "Hello", social_accounts: ["${account.id}"]${more})["status"]`
    expect((await execute(shop, post(', publish_now: true'))).after_commit).toMatch(/publishes on 1 social account/i)
    expect(await execute(shop, post(', scheduled_at: "2100-01-01T10:00:00Z"'))).not.toHaveProperty('after_commit')
  })

  it('keeps it with the plan, where a person reads it, and says nothing where nothing follows', async () => {
    const { database, firstAccount } = shop.running.app
    const { value } = await createToken(database, SECRET_KEY, firstAccount!, { name: 'Agent', right: 'propose' })
    await shop.post('/customers', { email: 'reader@letters.example' })
    const write = 'post("/emails", to: "reader@letters.example", subject: "Hi", text: "Hello")["id"]'
    const propose = async (code: string): Promise<Body> =>
      (await callTool({ url: shop.running.url, token: value }, 'code_execute', code)).structuredContent
    const { plan } = await propose(write)
    const caller = { kind: 'session', sessionId: 'session_1', role: 'owner', ...firstAccount! } as const
    const read = async (id: string): Promise<Body> =>
      (
        await shop.running.app.pipeline.run({
          method: 'GET',
          path: `/plans/${id}`,
          query: {},
          body: undefined,
          caller,
          dashboard: true,
        })
      ).body
    expect(await read(plan)).toMatchObject({ after_commit: 'Sends 1 e-mail to reader@letters.example.' })
    const person = await signIn(shop.running)
    const pageOf = async (id: string) => (await person.get(`/dashboard/my-shop/plans/${id}`)).html
    expect(await pageOf(plan)).toContain('<strong>Once applied:</strong> Sends 1 e-mail to reader@letters.example.')
    const quiet = await propose('post("/customers", email: "quiet@letters.example")["id"]')
    expect(quiet).not.toHaveProperty('after_commit')
    expect(await read(quiet.plan)).toMatchObject({ after_commit: null })
    expect(await pageOf(quiet.plan)).not.toContain('Once applied')
  })

  it('applies no plan after which other money would move than was read', async () => {
    const life = await rehearse(shop)
    const { id, current_period_end: end } = await life.subscribe()
    await life.act(id, 'pause')
    await life.past(daysAfter(end, 5))
    const { plan } = await execute(life.shop, `# dry_run: true\npost("/subscriptions/${id}/resume")["status"]`)
    const other = JSON.stringify(summed([{ kind: 'charge', amount: 100, currency: 'usd' }]))
    await shop.running.app.database.transaction(({ db }) =>
      db.updateTable('program_plans').set({ consequences: other }).where('id', '=', plan).execute(),
    )
    const refused = await execute(life.shop, `# apply: ${plan}`)
    expect(refused).toMatchObject({ committed: 'none', error: { type: 'plan_outdated' } })
    expect(refused.differences).toMatchObject([{ change: 'after_commit', planned: 'Charges $1.00.' }])
  })

  it('makes one line of many consequences, money first', () => {
    const charge = (amount: number, currency = 'usd') => ({ kind: 'charge', amount, currency }) as const
    expect(moneyOf(summed([{ kind: 'webhook' }, charge(500), charge(250), charge(100, 'eur')]))).toBe(
      'Charges $7.50 in 2 payments; charges €1.00.',
    )
    expect(moneyOf(summed([{ kind: 'refund', amount: 900, currency: 'usd' }, charge(1)]))).toBe(
      'Charges $0.01; refunds $9.00 at the processor.',
    )
    expect(moneyOf(summed([{ kind: 'post' }]))).toBe(null)
  })
})
