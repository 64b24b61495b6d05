import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TokenRight } from '../../src/contract/declarations/caller.ts'
import { createToken } from '../../src/resources/dashboard/api-token/issue.ts'
import { onEngines, SECRET_KEY } from '../support/app.ts'
import { type Agent, startAgent, type ToolResult } from './agent.ts'

const HOUR_MS = 3_600_000

describe.each(onEngines)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('plans', () => {
    let agent: Agent
    beforeAll(async () => {
      agent = await startAgent({ engine: name })
    })
    afterAll(() => agent.close())

    const content = async (code: string, token?: string): Promise<ToolResult['structuredContent']> => {
      const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
      return (await agent.execute(code, { headers })).structuredContent
    }
    const plan = async (label: string, token?: string) =>
      (await content(`# dry_run: true\npost("/tags", name: "${label}")["name"]`, token)).plan as string
    const tokenWith = async (right: TokenRight) => {
      const { database, firstAccount } = agent.app.app
      return (await createToken(database, SECRET_KEY, firstAccount!, { name: right, right })).value
    }
    const rowOf = (id: string) =>
      agent.app.app.database.read.selectFrom('program_plans').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const hoursOf = async (id: string) => {
      const { created_at, expires_at } = await rowOf(id)
      return Math.round((Date.parse(expires_at) - Date.parse(created_at)) / HOUR_MS)
    }

    test('can be decided on for three days, or as long as the account says', async () => {
      expect((await agent.app.api('GET', '/account')).body.plan_lifetime_hours).toBe(72)
      expect(await hoursOf(await plan('three days'))).toBe(72)
      for (const plan_lifetime_hours of [1, 720]) {
        expect((await agent.app.api('PATCH', '/account', { plan_lifetime_hours })).status).toBe(200)
        expect(await hoursOf(await plan('as said'))).toBe(plan_lifetime_hours)
      }
      for (const plan_lifetime_hours of [0, 721, 1.5, '3', null]) {
        const { body } = await agent.app.api('PATCH', '/account', { plan_lifetime_hours })
        expect(Object.keys(body.error.errors)).toEqual(['plan_lifetime_hours'])
      }
    })

    test('are withdrawn by the token that made them, and not applied after that', async () => {
      const id = await plan('taken back')
      expect(await content(`# withdraw: ${id}`)).toEqual({ result: { plan: id, state: 'withdrawn' } })
      expect((await rowOf(id)).state).toBe('withdrawn')
      for (const command of ['apply', 'withdraw'])
        expect(await content(`# ${command}: ${id}`)).toMatchObject({
          committed: 'none',
          error: { type: 'plan_unavailable', message: expect.stringMatching(/^The plan was withdrawn at .+Z\.$/) },
        })
      expect(await agent.tags()).not.toContain('taken back')
    })

    test('are withdrawn by a token that may only propose', async () => {
      const proposing = await tokenWith('propose')
      const id = await plan('proposed', proposing)
      expect(await content(`# withdraw: ${id}`, proposing)).toMatchObject({ result: { state: 'withdrawn' } })
    })

    test('of another token cannot be told from unknown ones', async () => {
      const id = await plan('not yours')
      const other = await tokenWith('write')
      const { error } = await content(`# withdraw: ${id}`, other)
      const unknown = id.replace(/.{4}$/, '0000')
      const never = (await content(`# withdraw: ${unknown}`, other)).error!
      expect(error).toEqual({ ...never, message: never.message.replace(unknown, id) })
      expect((await rowOf(id)).state).toBe('open')
    })

    test('that were applied or have expired cannot be withdrawn', async () => {
      const applied = await plan('done already')
      await content(`# apply: ${applied}`)
      expect((await content(`# withdraw: ${applied}`)).error!.message).toContain('was applied')
      const late = await plan('late')
      await agent.app.app.database.transaction(({ db }) =>
        db.updateTable('program_plans').set({ expires_at: '2026-01-01T00:00:00Z' }).where('id', '=', late).execute(),
      )
      expect((await content(`# withdraw: ${late}`)).error!.message).toContain('expired')
    })

    test('are withdrawn by a line of its own', async () => {
      const id = await plan('alone')
      const refused = await content(`# withdraw: ${id}\nget("/tags")`)
      expect(refused.error).toMatchObject({
        type: 'invalid_program',
        message: expect.stringContaining('the only line'),
      })
      expect((await content(`# apply: ${id}\n# withdraw: ${id}`)).error!.type).toBe('invalid_program')
      expect((await rowOf(id)).state).toBe('open')
    })
  })
})
