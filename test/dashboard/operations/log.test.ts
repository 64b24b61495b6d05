import { describe, expect, it } from 'vitest'
import { pruneOld } from '../../../src/jobs/prune.ts'
import { createToken } from '../../../src/resources/dashboard/api-token/issue.ts'
import { SECRET_KEY } from '../../support/app.ts'
import { type DashboardUser, memberOf, ownerOf } from '../../support/dashboard.ts'
import { priceForSale, sell } from '../../support/sell.ts'
import { type Body, onEachEngine } from '../../support/shop.ts'

describe('The log of who did what', () => {
  onEachEngine((shop) => {
    const newest = async (owner: DashboardUser, query: Record<string, unknown> = {}): Promise<Body> =>
      (await owner.get('/log_entries', query)).data[0]
    const count = async (owner: DashboardUser) => (await owner.get('/log_entries', { limit: 100 })).data.length
    const execute = (owner: DashboardUser, code: string) => owner.post('/playground', { code, mode: 'execute' })

    it('names the person, the operation, the resource and the fields, and no value', async () => {
      const owner = await ownerOf(shop)
      const admin = await memberOf(shop, 'admin')
      const tag = await admin.post('/tags', { name: 'a secret name' })
      const entry = await newest(owner)
      expect(entry).toMatchObject({
        kind: 'operation',
        operation: 'create_tag',
        resource_id: tag.id,
        fields: ['name'],
        changes: { 'tag.created': 1 },
        user_id: admin.caller.userId,
        user_name: 'A admin',
        caller_kind: 'session',
        caller_name: null,
      })
      expect(JSON.stringify(entry)).not.toContain('a secret name')
    })

    it('names the token of an agent, and is narrowed by it, by person, resource, operation and time', async () => {
      const owner = await ownerOf(shop)
      const { value, id } = await createToken(shop.running.app.database, SECRET_KEY, owner.caller, { name: 'My agent' })
      const answer = await shop.api('POST', '/tags', { name: 'by an agent' }, { token: value })
      const found = await newest(owner, { caller_id: id })
      expect(found).toMatchObject({ operation: 'create_tag', caller_name: 'My agent', resource_id: answer.body.id })
      for (const query of [
        { user_id: owner.caller.userId, operation: 'create_tag' },
        { resource_id: answer.body.id },
        { created_at: { gte: found.created_at }, caller_id: id },
      ])
        expect(await newest(owner, query)).toMatchObject({ id: found.id })
      expect(await newest(owner, { created_at: { lt: '2020-01-01T00:00:00Z' } })).toBeUndefined()
    })

    it('has one entry for a program, with its counts, and none for what is undone or only reads', async () => {
      const owner = await ownerOf(shop)
      const before = await count(owner)
      await execute(owner, '3.times { |n| post("/tags", name: "of a program #{n}") }')
      expect(await count(owner)).toBe(before + 1)
      expect(await newest(owner)).toMatchObject({ kind: 'program', operation: null, changes: { 'tag.created': 3 } })
      await execute(owner, 'post("/tags", name: "undone")\nraise "no"')
      await execute(owner, 'get("/account")')
      await owner.post('/playground', { code: 'post("/tags", name: "dry")', mode: 'dry_run' })
      expect((await owner.try('POST', '/tags', {}))[0]).toBe(400)
      expect(await count(owner)).toBe(before + 1)
    })

    it('names planner and approver of a plan', async () => {
      const owner = await ownerOf(shop)
      const admin = await memberOf(shop, 'admin')
      const { answer } = await admin.post('/playground', { code: 'post("/tags", name: "planned")', mode: 'dry_run' })
      expect((await owner.post(`/plans/${answer.plan}/apply`)).failed).toBe(false)
      expect(await newest(owner)).toMatchObject({
        kind: 'program',
        plan: answer.plan,
        user_id: admin.caller.userId,
        approver_id: owner.caller.userId,
      })
    })

    it('has no entry of what a buyer does', async () => {
      const owner = await ownerOf(shop)
      const { id: price } = await priceForSale(shop)
      await sell(shop, [{ price_variant: price }])
      await shop.settled()
      expect((await newest(owner)).operation).toBe('create_checkout')
    })

    it('says that roles were given, tokens made and people invited', async () => {
      const owner = await ownerOf(shop)
      const { caller } = await memberOf(shop, 'viewer')
      expect((await owner.try('PATCH', `/members/${caller.userId}`, { role: 'support' }))[0]).toBe(200)
      expect(await newest(owner)).toMatchObject({
        operation: 'update_member',
        resource_id: caller.userId,
        fields: ['role'],
      })
      const { value } = await owner.post('/api_tokens', { name: 'Made' })
      const entry = await newest(owner)
      expect(entry).toMatchObject({ operation: 'create_api_token', fields: expect.arrayContaining(['name']) })
      expect(JSON.stringify(entry)).not.toContain(value)
      await owner.post('/invitations', { email: 'new@example.com', role: 'viewer' })
      expect(await newest(owner)).toMatchObject({ operation: 'create_invitation' })
    })

    it('is for owners and admins alone', async () => {
      for (const role of ['editor', 'support', 'viewer', 'member'] as const)
        expect((await (await memberOf(shop, role)).try('GET', '/log_entries'))[0]).toBe(403)
      expect((await (await memberOf(shop, 'admin')).try('GET', '/log_entries'))[0]).toBe(200)
    })

    it('is kept for twelve months', async () => {
      const owner = await ownerOf(shop)
      const { id } = await newest(owner)
      const inMonths = (months: number) => Date.now() + months * 31 * 24 * 60 * 60 * 1000
      await pruneOld(shop.running.app.database, { webhookDays: 30, now: inMonths(11) })
      expect((await owner.try('GET', `/log_entries/${id}`))[0]).toBe(200)
      await pruneOld(shop.running.app.database, { webhookDays: 30, now: inMonths(13) })
      expect((await owner.try('GET', `/log_entries/${id}`))[0]).toBe(404)
    })
  })
})
