import { beforeAll, describe, expect, it } from 'vitest'
import type { TokenCaller } from '../../src/contract/declarations/caller.ts'
import { type DashboardUser, memberOf, ownerOf } from '../support/dashboard.ts'
import { type Body, onEachEngine } from '../support/shop.ts'
import { callTool } from './agent.ts'

describe('A token that is deleted', () => {
  onEachEngine((shop) => {
    let owner: DashboardUser
    beforeAll(async () => {
      owner = await ownerOf(shop)
    })

    const made = async (values: Body = {}) => {
      const { id, value } = await owner.post('/api_tokens', { name: 'Ends', ...values })
      const execute = async (code: string): Promise<Body> =>
        (await callTool({ url: shop.running.url, token: value }, 'code_execute', code)).structuredContent
      return { id: id as string, execute }
    }
    const tagged = (name: string) => shop.listed(`/tags?query=${name}`, 'name')

    it('ends its program long before the deadline', async () => {
      for (const atomic of [true, false]) {
        const { id, execute } = await made()
        const running = execute(`# atomic: ${atomic}\nget("/tags"); loop { }; post("/tags", name: "endless")`)
        await expect.poll(async () => (await owner.get(`/api_tokens/${id}`)).last_used_at).not.toBeNull()
        await owner.delete(`/api_tokens/${id}`)
        expect((await running).error).toMatchObject({ type: 'permission_denied' })
      }
    })

    it('commits nothing, even if it is deleted at the last moment', async () => {
      const { database, mcp } = shop.running.app
      for (const atomic of [true, false]) {
        const { id } = await made()
        const { accountId, userId, role } = owner.caller
        const caller: TokenCaller = { kind: 'token', tokenId: id, accountId, userId, role, right: 'write' }
        const revoke = ({ db }: Pick<Parameters<Parameters<typeof database.transaction>[0]>[0], 'db'>) =>
          db.deleteFrom('api_tokens').where('id', '=', id).execute()
        const { body } = await mcp.execute(caller, `# atomic: ${atomic}\npost("/tags", name: "late")`, {
          // The embedded engine has one writer, and a transaction of a call begins no other, so these delete it themselves.
          confirm: async (unit) => {
            await (database.engine === 'postgres' && atomic ? database.transaction(revoke) : revoke(unit))
            return true
          },
        })
        expect(body).toMatchObject({ error: { type: 'permission_denied' }, committed: 'none' })
      }
      expect(await tagged('late')).toEqual([])
    })

    it('makes no plan, even if it is deleted at the last moment', async () => {
      const { id } = await made({ right: 'propose' })
      const { accountId, userId, role } = owner.caller
      const caller: TokenCaller = { kind: 'token', tokenId: id, accountId, userId, role, right: 'propose' }
      const { body } = await shop.running.app.mcp.execute(caller, 'post("/tags", name: "proposed")', {
        confirm: async ({ db }) => {
          await db.deleteFrom('api_tokens').where('id', '=', id).execute()
          return true
        },
      })
      expect(body).not.toHaveProperty('plan')
      expect(body.warnings).toEqual(['The token was revoked during the dry run. So there is no plan.'])
      const plans = shop.db.selectFrom('program_plans').select('id').where('planner_token', '=', id)
      expect(await plans.execute()).toEqual([])
    })

    it('withdraws its plans when its user leaves the account', async () => {
      const member = await memberOf(shop, 'member')
      const { value } = await member.post('/api_tokens', { name: 'Leaves', right: 'propose' })
      const { structuredContent } = await callTool(
        { url: shop.running.url, token: value },
        'code_execute',
        'post("/tags", name: "left")',
      )
      const { plan } = structuredContent as Body
      await member.delete(`/members/${member.caller.userId}`)
      const kept = shop.db.selectFrom('program_plans').select('state').where('id', '=', plan)
      expect(await kept.executeTakeFirst()).toEqual({ state: 'withdrawn' })
    })

    it('ends its background programs and withdraws its plans in the same transaction', async () => {
      const agent = await made()
      const proposing = await made({ right: 'propose' })
      const { plan } = await proposing.execute('post("/tags", name: "planned")')
      for (let count = 0; count < 4; count++) await shop.customer()
      const begun = await agent.execute(
        '# background: true\neach_batch(list("/customers"), of: 1) { |rows| rows.size }',
      )
      await Promise.all([agent, proposing].map(({ id }) => owner.delete(`/api_tokens/${id}`)))
      const [program] = await shop.db
        .selectFrom('background_programs')
        .select(['state', 'error_type'])
        .where('id', '=', begun.result.background)
        .execute()
      expect([
        { state: 'stopped', error_type: 'permission_denied' },
        { state: 'done', error_type: null },
      ]).toContainEqual(program)
      const kept = shop.db.selectFrom('program_plans').select('state').where('id', '=', plan)
      expect(await kept.executeTakeFirst()).toEqual({ state: 'withdrawn' })
    })
  })
})
