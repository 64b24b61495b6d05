import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROLES, type Role } from '../../src/contract/declarations/caller.ts'
import { ROLE_RIGHTS } from '../../src/contract/declarations/role-rights.ts'
import { addMember } from '../../src/resources/company/account/life/members.ts'
import { type DashboardUser, memberOf, ownerOf } from '../support/dashboard.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { signIn } from '../support/person.ts'
import { rpc } from '../support/server.ts'
import { type Body, Shop } from '../support/shop.ts'
import { ended } from '../tasks/support.ts'

const BASE = '/dashboard/my-shop'
const BODY = { question: 'What did I earn?', url: 'https://example.com' }
const DENIED = [403, 'permission_denied']

describe('The credits of an account', () => {
  const shop = new Shop()
  let model: ModelServer
  let owner: DashboardUser
  let viewer: DashboardUser
  beforeAll(async () => {
    model = await startModelServer()
    const at = { MODEL_API_KEY: model.key, MODEL_BASE_URL: model.url, MODEL_TOKENS_PER_CREDIT: '100' }
    await shop.open('sqlite', { MODEL_PROVIDER: 'anthropic', MODEL_ID: 'm', ...at })
    owner = await ownerOf(shop)
    viewer = await memberOf(shop, 'viewer')
  })
  afterAll(async () => {
    await shop.close()
    await model.close()
  })

  const spending = () => shop.running.app.pipeline.dashboardOperations.filter(({ spendsCredits }) => spendsCredits)
  const balance = async () => (await shop.get('/account')).credit_balance
  const tokenWith = async (given: Body): Promise<string> =>
    (await owner.post('/api_tokens', { name: 'One', ...given })).value
  const become = (person: DashboardUser, role: Role) =>
    shop.running.app.database.transaction(({ db }) =>
      db.updateTable('memberships').set({ role }).where('user_id', '=', person.caller.userId).execute(),
    )

  it('are spent by no operation that a role may use which may not spend', () => {
    expect(spending().map(({ id }) => id)).toEqual(expect.arrayContaining(['map_web', 'ask_question']))
    for (const { id, needs } of spending())
      for (const role of ROLES)
        if (ROLE_RIGHTS[role].has(needs))
          expect([id, role, ROLE_RIGHTS[role].has('account.spend')]).toEqual([id, role, true])
    expect(ROLES.filter((role) => !ROLE_RIGHTS[role].has('account.spend'))).toEqual(['viewer'])
  })

  it('are refused to viewers, and to tokens that only read or propose, in whatever way they ask', async () => {
    const tokens = [
      await tokenWith({ role: 'viewer' }),
      await tokenWith({ right: 'read' }),
      await tokenWith({ right: 'propose' }),
    ]
    for (const { method, path, callers } of spending()) {
      const [status, body] = await viewer.try(method, path, BODY)
      expect([path, status, body.error.code]).toEqual([path, ...DENIED])
      expect(body.error.message).toMatch(/^This requires one of the roles .*; yours is viewer\.$/)
      for (const token of callers.includes('token') ? tokens : []) {
        const answer = await shop.running.api(method, path, BODY, { token })
        expect([path, answer.status, answer.body.error?.code]).toEqual([path, ...DENIED])
      }
      const refused = callers.includes('token') ? 'permission_denied' : undefined
      const code = `${method.toLowerCase()}(${JSON.stringify(path)}, ${JSON.stringify(BODY)})["error"]["code"]`
      for (const mode of ['execute', 'dry_run'])
        expect([path, (await viewer.post('/playground', { code, mode })).answer.result]).toEqual([path, refused])
      for (const token of tokens) {
        const params = { name: 'code_execute', arguments: { code } }
        const { body } = await rpc(
          `${shop.running.url}/mcp`,
          { Authorization: `Bearer ${token}` },
          'tools/call',
          params,
        )
        expect([path, body.result.structuredContent.result]).toEqual([path, refused])
      }
    }
    expect([await balance(), model.turns.length]).toEqual([1000, 0])
  })

  it('are not offered to viewers by pages, which refuse what is sent all the same', async () => {
    const who = { name: 'V', email: 'viewer@example.com', role: 'viewer' } as const
    const person = await signIn(shop.running, (await addMember(shop.running.app.database, shop.accountId, who)).userId)
    const home = (await person.get(BASE)).html
    expect(home).not.toContain(`href="${BASE}/ask"`)
    const shown = await person.get(`${BASE}/ask`)
    expect([shown.status, shown.html]).toEqual([403, expect.stringContaining('yours is viewer')])
    const csrf = /name="csrf" value="([^"]+)"/.exec((await person.get(`${BASE}/playground`)).html)![1]!
    expect((await person.post(`${BASE}/ask`, { csrf, question: BODY.question })).status).toBe(403)
    expect([await balance(), model.turns.length]).toEqual([1000, 0])
  })

  it('are spent by no task in the name of somebody who is a viewer now, or of a token that only reads now', async () => {
    const member = await memberOf(shop, 'member')
    const told = { prompt: 'Say something.', trigger_type: 'manual', active: false }
    const written = await member.post('/tasks', { name: 'Written', ...told })
    const { value: token, id: tokenId } = await owner.post('/api_tokens', { name: 'Tasks' })
    const { body: ofToken } = await shop.api('POST', '/tasks', { name: 'By a token', ...told }, { token })
    const changed = await shop.post('/tasks', { name: 'Changed', ...told, approval_mode: 'supervised' })
    await member.try('PATCH', `/tasks/${changed.id}`, { approval_mode: 'auto' })
    await become(member, 'viewer')
    await shop.running.app.database.transaction(({ db }) =>
      db.updateTable('api_tokens').set({ right_name: 'read' }).where('id', '=', tokenId).execute(),
    )
    for (const { id } of [written, ofToken, changed]) {
      const { last_run } = await shop.patch(`/tasks/${id}`, { active: true })
      expect(await ended(shop, last_run)).toMatchObject({
        ...{ status: 'failed', credits_consumed: 0 },
        error_message: expect.stringMatching(/somebody is viewer|read-only token/),
      })
    }
    expect([await balance(), model.turns.length]).toEqual([1000, 0])
  })

  it('are spent by everybody else', async () => {
    for (const role of ['support', 'editor', 'member', 'admin'] as const) {
      const [status] = await (await memberOf(shop, role)).try('POST', '/ask', { question: BODY.question })
      expect([role, status]).toEqual([role, 200])
    }
    expect(await balance()).toBe(1000 - 4 * 2)
  })
})
