import { expect, it } from 'vitest'
import type { Role } from '../../src/contract/declarations/caller.ts'
import { fingerprintOf } from '../../src/pipeline/program-results.ts'
import { agentRuns } from '../dashboard/operations/visitor.ts'
import { type DashboardUser, memberOf, ownerOf } from '../support/dashboard.ts'
import { type Body, onEachEngine, type Shop } from '../support/shop.ts'

onEachEngine((shop) => {
  const run = async (person: DashboardUser, code: string): Promise<Body> =>
    (await person.post('/playground', { code, mode: 'execute' })).answer
  const endpoint = (key: string) =>
    `# once: ${key}\npost("/webhook_endpoints", url: "https://example.com/${key}", enabled_events: ["product.created"])["secret"]`
  const tag = (key: string) => `# once: ${key}\npost("/tags", name: "#{rand(10**12)}")["name"]`
  const WITHHELD = { committed: 'none', error: { type: 'permission_denied' } }

  it('gives the answer of a program with a key to no other person, for whom the key is free', async () => {
    const [owner, support, other] = [
      await ownerOf(shop),
      await memberOf(shop, 'support'),
      await memberOf(shop, 'owner'),
    ]
    const first = await run(owner, endpoint('mine'))
    expect(first.result).toMatch(/^whsec_/)
    const stolen = await run(support, endpoint('mine'))
    expect(stolen).not.toHaveProperty('replayed')
    expect(JSON.stringify(stolen)).not.toContain('whsec_')
    const theirs = await run(other, endpoint('mine'))
    expect([theirs.replayed, theirs.result === first.result]).toEqual([undefined, false])
    expect(await run(owner, endpoint('mine'))).toEqual({ replayed: true, ...first })
  })

  it('is not used up, or answered, by somebody who runs first', async () => {
    const [owner, support] = [await ownerOf(shop), await memberOf(shop, 'support')]
    const [theirs, mine] = [await run(support, tag('first')), await run(owner, tag('first'))]
    expect([mine.replayed, mine.result === theirs.result]).toEqual([undefined, false])
    expect(await run(support, '# once: taken\npost("/tags", name: "theirs")["name"]')).toMatchObject({
      result: 'theirs',
    })
    expect(await run(owner, '# once: taken\npost("/tags", name: "mine")["name"]')).toMatchObject({ result: 'mine' })
    const both = await Promise.all([owner, support].flatMap((one) => [run(one, tag('race')), run(one, tag('race'))]))
    expect(both.filter(({ replayed }) => replayed)).toHaveLength(2)
    expect(new Set(both.map(({ result }) => result)).size).toBe(2)
  })

  it('is withheld from the same person with fewer rights, and nothing is done twice', async () => {
    const owner = await ownerOf(shop)
    const admin = await memberOf(shop, 'admin')
    const narrow = await tokenOf(admin, 'editor')
    const wide = await tokenOf(admin, null)
    const first = await run(admin, tag('less'))
    const tags = (await owner.get('/tags', { limit: 100 })).data.length
    expect(await agentRuns(shop, narrow, tag('less'))).toMatchObject(WITHHELD)
    expect(await agentRuns(shop, wide, tag('less'))).toEqual({ replayed: true, ...first })
    await become(shop, admin, 'support')
    const [status, demoted] = await admin.try('POST', '/playground', { code: tag('less'), mode: 'execute' })
    expect(status).toBe(200)
    expect((await agentRuns(shop, wide, tag('less'))).error.message).toContain('less')
    expect(demoted).toBeDefined()
    expect((await owner.get('/tags', { limit: 100 })).data).toHaveLength(tags)
  })

  it('is withheld from whoever applies the plan of another', async () => {
    const [owner, admin] = [await ownerOf(shop), await memberOf(shop, 'admin')]
    const { answer } = await owner.post('/playground', {
      code: tag('planned').replace('#{rand(10**12)}', 'planned'),
      mode: 'dry_run',
    })
    const first = await run(owner, tag('planned').replace('#{rand(10**12)}', 'planned'))
    expect(first.committed).toBe('all')
    const { failed, answer: applied } = await admin.post(`/plans/${answer.plan}/apply`)
    expect([failed, applied]).toEqual([true, expect.objectContaining({ committed: 'none' })])
    expect(applied.error.type).toBe('permission_denied')
  })

  it('is withheld where an Idempotency-Key belongs to the same person with fewer rights', async () => {
    const admin = await memberOf(shop, 'admin')
    const [wide, narrow] = [await tokenOf(admin, null), await tokenOf(admin, 'support')]
    const post = (token: string) =>
      shop.api('POST', '/tags', { name: 'kept' }, { token, headers: { 'Idempotency-Key': 'narrower' } })
    const first = await post(wide)
    expect(first.status).toBe(201)
    expect(await post(narrow)).toMatchObject({ status: 403, body: { error: { code: 'permission_denied' } } })
    expect((await post(wide)).body).toEqual(first.body)
  })

  it('withholds an answer of a release before, whose caller is not known', async () => {
    const owner = await ownerOf(shop)
    const row = {
      account_id: shop.accountId,
      once_key: 'older',
      fingerprint: fingerprintOf(tag('older')),
      answer: '{}',
      committed_at: new Date().toISOString(),
    }
    await shop.running.app.database.transaction(({ db }) =>
      db
        .insertInto('program_results')
        .values({ ...row, rights: null })
        .execute(),
    )
    expect(await run(owner, tag('older'))).toMatchObject(WITHHELD)
  })
})

async function tokenOf(person: DashboardUser, role: Role | null): Promise<string> {
  return (await person.post('/api_tokens', { name: 'One', ...(role && { role }) })).value
}

async function become(shop: Shop, { caller }: DashboardUser, role: Role): Promise<void> {
  await shop.running.app.database.transaction(({ db }) =>
    db.updateTable('memberships').set({ role }).where('user_id', '=', caller.userId).execute(),
  )
}
