import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findCaller } from '../../src/access/authenticate.ts'
import type { Role, SessionCaller } from '../../src/contract/declarations/caller.ts'
import { newId } from '../../src/contract/values/ids.ts'
import { gateEngines, type RunningApp, startApp } from '../support/app.ts'
import { formOf } from './browser.ts'
import { Client, callTool, Person } from './oauth.ts'

const CREATE = 'post("/tags", name: "Made by a program")["object"]'

describe.each(gateEngines)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('a connection', () => {
    let running: RunningApp
    let owner: Person
    let client: Client
    beforeAll(async () => {
      running = await startApp({ engine: name })
      owner = await Person.owner(running)
      client = await Client.registered(running, { client_name: 'My agent' })
    })
    afterAll(async () => {
      await running.close()
      expect(running.errors).toEqual([])
    })

    const tool = async (token: string, code: string) => (await callTool(running, token, code)).body.result
    const sessionOf = (userId: string, role: Role): SessionCaller => ({
      ...{ kind: 'session', sessionId: 'sess_test', accountId: running.accountId },
      ...{ userId, role },
    })
    const ask = (method: string, path: string, caller: SessionCaller) =>
      // biome-ignore lint/suspicious/noExplicitAny: answers are looked at freely in tests
      running.app.pipeline.run({ method, path, query: {}, body: undefined, caller, dashboard: true }) as Promise<any>
    const asOwner = () => sessionOf(running.app.firstAccount!.userId, 'owner')

    it('proposes, unless more was chosen', async () => {
      const form = formOf(await owner.browser.open(client.authorizeUrl()))
      expect(form.choices.right).toEqual({ values: ['read', 'propose', 'write'], chosen: 'propose' })
      const { access_token, scope, expires_in } = await client.connect(owner)
      expect([scope, expires_in]).toEqual(['propose', 3600])
      const { structuredContent } = await tool(access_token, CREATE)
      expect(structuredContent).toMatchObject({ dry_run: true, plan: expect.stringMatching(/^plan_/) })
    })

    it('reads alone', async () => {
      const { access_token } = await client.connect(owner, { right: 'read' })
      expect((await tool(access_token, CREATE)).isError).toBe(true)
      expect((await tool(access_token, 'get("/account")["object"]')).structuredContent).toEqual({ result: 'account' })
    })

    it('writes, and its runs and plans name it', async () => {
      const { access_token } = await client.connect(owner, { right: 'write' })
      expect((await tool(access_token, CREATE)).structuredContent).toMatchObject({ result: 'tag', committed: 'all' })
      const { body } = await ask('GET', '/connections', asOwner())
      const [newest] = body.data
      expect(newest).toMatchObject({
        object: 'connection',
        client_name: 'My agent',
        client_domain: null,
        returns_to: 'client.example',
        right: 'write',
        allowed_by: 'owner@example.com',
        status: 'active',
        allowed_actions: ['revoke'],
      })
      expect(JSON.stringify(newest)).not.toMatch(/client_id|user_id|hash/)
      await expect
        .poll(async () => {
          const runs = running.app.database.read.selectFrom('program_runs').select('caller_id')
          return (await runs.execute()).map((run) => run.caller_id)
        })
        .toContain(newest.id)
    })

    it('is given no more than the client asked for', async () => {
      const code = await client.code(owner, {}, { scope: 'read openid' })
      expect((await client.exchange(code)).body.scope).toBe('read')
      const form = formOf(await owner.browser.open(client.authorizeUrl({ scope: 'openid profile' })))
      expect(form.choices.right!.values).toEqual(['read', 'propose', 'write'])
    })

    it('is for the account that was chosen, of those that the person belongs to', async () => {
      const { userId } = running.app.firstAccount!
      const other = await running.another(`second-${name}`)
      await join(other.accountId, userId, 'member')
      const form = formOf(await owner.browser.open(client.authorizeUrl()))
      expect(form.choices.account).toEqual({ values: [running.accountId, other.accountId], chosen: null })
      expect((await owner.send(form)).status).toBe(422)
      const { access_token } = await client.connect(owner, { account: other.accountId })
      const { structuredContent } = await tool(access_token, 'get("/account")["id"]')
      expect(structuredContent.result).toBe(other.accountId)
      await leave(other.accountId, userId)
      expect((await callTool(running, access_token, '1')).status).toBe(401)
    })

    it('ends when somebody ends it, and so do tasks that it has made', async () => {
      const { access_token, refresh_token } = await client.connect(owner)
      const { data } = (await ask('GET', '/connections', asOwner())).body
      const { id } = data[0]
      const absent = { accountId: running.accountId, userId: asOwner().userId, tokenId: id, limits: [] }
      expect(await findCaller(running.app.database, absent)).toMatchObject({ tokenId: id, right: 'propose' })
      expect((await ask('POST', `/connections/${id}/revoke`, asOwner())).body).toMatchObject({ status: 'revoked' })
      expect((await callTool(running, access_token, '1')).status).toBe(401)
      expect((await client.refresh(refresh_token)).body.error).toBe('invalid_grant')
      expect(await findCaller(running.app.database, absent)).toBeNull()
      const left = (await ask('GET', '/connections', asOwner())).body.data
      expect(left.map((one: { id: string }) => one.id)).not.toContain(id)
      expect((await ask('POST', `/connections/${id}/revoke`, asOwner())).body.error.code).toBe('invalid_state')
    })

    it('ends when its client ends it', async () => {
      const tokens = await client.connect(owner)
      expect((await client.revoke(tokens.access_token)).status).toBe(200)
      expect((await callTool(running, tokens.access_token, '1')).status).toBe(401)
      const renewed = (await client.refresh(tokens.refresh_token)).body
      expect((await client.revoke(renewed.refresh_token)).status).toBe(200)
      expect((await callTool(running, renewed.access_token, '1')).status).toBe(401)
      expect((await client.revoke(renewed.refresh_token)).status).toBe(200)
    })

    it('ends when its person leaves the account, also before its tokens are fetched', async () => {
      const userId = await someone('leaver')
      const leaver = await Person.signedIn(running, userId)
      const tokens = await client.connect(leaver, { right: 'write' })
      const code = await client.code(leaver)
      expect((await callTool(running, tokens.access_token, '1')).status).toBe(200)
      await leave(running.accountId, userId)
      expect((await callTool(running, tokens.access_token, '1')).status).toBe(401)
      expect((await client.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
      expect((await client.exchange(code)).body.error).toBe('invalid_grant')
      const seen = await leaver.browser.open(client.authorizeUrl())
      expect([seen.status, seen.html]).toEqual([403, expect.stringContaining('is not a member of any shop')])
    })

    it('ends for good when its person is taken out of the account', async () => {
      const userId = await someone('removed')
      const { access_token } = await client.connect(await Person.signedIn(running, userId))
      expect((await ask('DELETE', `/members/${userId}`, asOwner())).status).toBe(200)
      await join(running.accountId, userId, 'member')
      expect((await callTool(running, access_token, '1')).status).toBe(401)
    })

    it('is seen and ended by its person and by admins alone, and by nobody over the API', async () => {
      const member = sessionOf(await someone('member'), 'member')
      await client.connect(owner)
      const [other] = (await ask('GET', '/connections', asOwner())).body.data
      await client.connect(await Person.signedIn(running, member.userId))
      const own = (await ask('GET', '/connections', member)).body.data
      expect(own).toHaveLength(1)
      expect((await ask('GET', `/connections/${other.id}`, member)).status).toBe(404)
      expect((await ask('POST', `/connections/${other.id}/revoke`, member)).status).toBe(404)
      expect((await ask('GET', `/connections/${own[0].id}`, asOwner())).status).toBe(200)
      const elsewhere = { ...asOwner(), accountId: (await running.another(`third-${name}`)).accountId }
      expect((await ask('POST', `/connections/${own[0].id}/revoke`, elsewhere)).status).toBe(404)
      expect((await running.api('GET', '/connections')).status).toBe(404)
      expect((await ask('POST', `/connections/${own[0].id}/revoke`, member)).status).toBe(200)
    })

    async function someone(who: string): Promise<string> {
      const id = newId('user')
      const user = { id, name: who, email: `${who}@example.com`, created_at: '2026-01-01T00:00:00Z' }
      await running.app.database.transaction(({ db }) =>
        db
          .insertInto('users')
          .values(user as never)
          .execute(),
      )
      await join(running.accountId, id, 'member')
      return id
    }

    async function join(account_id: string, user_id: string, role: Role): Promise<void> {
      const place = { account_id, user_id, role, created_at: '2026-01-01T00:00:00Z' }
      await running.app.database.transaction(({ db }) => db.insertInto('memberships').values(place).execute())
    }

    async function leave(accountId: string, userId: string): Promise<void> {
      await running.app.database.transaction(({ db }) =>
        db.deleteFrom('memberships').where('account_id', '=', accountId).where('user_id', '=', userId).execute(),
      )
    }
  })
})
