import { beforeAll, describe, expect, it } from 'vitest'
import { type DashboardUser, memberOf, ownerOf } from '../../support/dashboard.ts'
import { type Body, onGateEngine, type Shop } from '../../support/shop.ts'

describe('API tokens', () => {
  onGateEngine((shop) => {
    let owner: DashboardUser
    let member: DashboardUser
    let other: Shop

    beforeAll(async () => {
      owner = await ownerOf(shop)
      member = await memberOf(shop, 'member')
      other = shop.as(await shop.running.another('other-shop'))
    })

    const me = (token: string) => shop.api('GET', '/me', undefined, { token })

    it('show their value once, work at once, say when they were used, and end with their deletion', async () => {
      const made = await owner.post('/api_tokens', { name: 'My agent', right: 'read' })
      expect(made).toMatchObject({ object: 'api_token', name: 'My agent', right: 'read', last_used_at: null })
      expect(made.value).toMatch(/^shpw_[0-9A-Za-z]{36}$/)
      expect(made.value.endsWith(made.last_four)).toBe(true)
      expect(JSON.stringify(made)).not.toContain('token_hash')
      expect((await me(made.value)).status).toBe(200)
      expect((await shop.api('POST', '/tags', { name: 'No' }, { token: made.value })).status).toBe(403)
      await expect.poll(async () => (await owner.get(`/api_tokens/${made.id}`)).last_used_at).toMatch(/Z$/)
      const listed = (await owner.get('/api_tokens')).data.find(({ id }: Body) => id === made.id)
      expect(listed).toMatchObject({ value: null, user_email: expect.stringContaining('@') })
      await owner.delete(`/api_tokens/${made.id}`)
      expect((await me(made.value)).status).toBe(401)
      expect((await owner.try('GET', `/api_tokens/${made.id}`))[0]).toBe(404)
    })

    it('act for the person who made them, with no more rights', async () => {
      const { value } = await member.post('/api_tokens', { name: 'Mine' })
      expect((await me(value)).body.roles).toEqual(['member'])
      expect((await shop.api('PATCH', '/account', { name: 'Taken over' }, { token: value })).status).toBe(403)
    })

    it('are seen by their own people, by admins and owners, and by no other account', async () => {
      const owners = await owner.post('/api_tokens', { name: 'Of the owner' })
      const members = await member.post('/api_tokens', { name: 'Of the member' })
      const admin = await memberOf(shop, 'admin')
      const seen = async (person: DashboardUser) => (await person.get('/api_tokens')).data.map(({ id }: Body) => id)
      expect(await seen(member)).toContain(members.id)
      expect(await seen(member)).not.toContain(owners.id)
      expect(await seen(admin)).toEqual(expect.arrayContaining([owners.id, members.id]))
      for (const method of ['GET', 'DELETE']) {
        expect((await member.try(method, `/api_tokens/${owners.id}`))[0]).toBe(404)
        expect((await (await ownerOf(other)).try(method, `/api_tokens/${owners.id}`))[0]).toBe(404)
      }
      await admin.delete(`/api_tokens/${members.id}`)
      expect((await me(members.value)).status).toBe(401)
      expect((await me(owners.value)).status).toBe(200)
    })

    it('are paged, named, and unknown to the API itself', async () => {
      for (const name of ['One', 'Two', 'Three']) await owner.post('/api_tokens', { name })
      const first = await owner.get('/api_tokens', { limit: 2 })
      expect([first.data.length, first.has_more]).toEqual([2, true])
      const next = await owner.get('/api_tokens', { limit: 2, starting_after: first.data[1].id })
      expect(next.data[0].id < first.data[1].id).toBe(true)
      expect((await owner.try('POST', '/api_tokens', { right: 'write' }))[0]).toBe(400)
      expect((await owner.try('POST', '/api_tokens', { name: 'X', right: 'all' }))[0]).toBe(422)
      expect((await shop.api('GET', '/api_tokens')).status).toBe(404)
      expect((await shop.api('POST', '/api_tokens', { name: 'Mine' })).status).toBe(404)
    })
  })
})
