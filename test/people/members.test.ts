import { describe, expect, it } from 'vitest'
import type { Role } from '../../src/contract/declarations/caller.ts'
import { createToken } from '../../src/resources/dashboard/api-token/issue.ts'
import { accountMembers } from '../../src/resources/dashboard/member/find.ts'
import { Visitor } from '../pages/visitor.ts'
import { SECRET_KEY } from '../support/app.ts'
import { onGateEngine } from '../support/shop.ts'
import { callAs, type Person, peopleOf, readAs } from './colleagues.ts'
import { isSignedIn, PASSWORD, send, squat } from './person.ts'

let made = 0

describe('Members', () => {
  onGateEngine((shop) => {
    const call = callAs.bind(null, shop)

    it('are seen by everybody of the account, and by no token', async () => {
      const { owner, add } = peopleOf(shop)
      const member = await add('member')
      const found = await readAs(shop, member)(accountMembers)
      expect(found.map(({ id, role, self }) => [id, role, self])).toEqual(
        expect.arrayContaining([
          [owner.userId, 'owner', false],
          [member.userId, 'member', true],
        ]),
      )
      expect((await shop.api('GET', '/members')).status).toBe(404)
      const other = await shop.running.another(`other-${++made}`)
      const elsewhere = { ...other, role: 'owner' as Role, email: '' }
      const seen = (await readAs(shop, elsewhere)(accountMembers)).map(({ id }) => id)
      expect(seen).toEqual([other.userId])
      expect((await call(elsewhere, 'PATCH', `/members/${member.userId}`, { role: 'admin' })).status).toBe(404)
      expect((await call(elsewhere, 'DELETE', `/members/${member.userId}`)).status).toBe(404)
    })

    it('get no role above that of whoever gives it', async () => {
      const { owner, add } = peopleOf(shop)
      const [admin, member] = [await add('admin'), await add('member')]
      const give = async (by: Person, to: Person, role: Role) =>
        (await call(by, 'PATCH', `/members/${to.userId}`, { role })).status
      expect(await give(member, member, 'admin')).toBe(403)
      expect(await give(admin, member, 'owner')).toBe(403)
      expect(await give(admin, admin, 'owner')).toBe(403)
      expect(await give(admin, owner, 'member')).toBe(403)
      expect(await give(admin, member, 'admin')).toBe(200)
      expect(await give(owner, member, 'owner')).toBe(200)
      expect(await give(owner, member, 'member')).toBe(200)
      expect((await call(owner, 'PATCH', `/members/${member.userId}`, { role: 'king' })).status).toBe(422)
    })

    it('get no higher role while their address is not proven', async () => {
      const { owner, add } = peopleOf(shop)
      const admin = await add('admin')
      await squat(shop, admin.userId, `squatted-${++made}@example.com`)
      const raised = await call(owner, 'PATCH', `/members/${admin.userId}`, { role: 'owner' })
      expect([raised.status, raised.body.error.errors.base[0]]).toEqual([
        422,
        expect.stringContaining('has not confirmed'),
      ])
      expect((await call(owner, 'PATCH', `/members/${admin.userId}`, { role: 'member' })).status).toBe(200)
      const found = await readAs(shop, owner)(accountMembers)
      expect(found.find(({ id }) => id === admin.userId)).toMatchObject({ email_verified: false, role: 'member' })
    })

    it('always keep an owner', async () => {
      const other = await shop.running.another(`alone-${++made}`)
      const owner = { ...other, role: 'owner' as Role, email: '' }
      const demoted = await call(owner, 'PATCH', `/members/${owner.userId}`, { role: 'member' })
      expect([demoted.status, demoted.body.error.errors.base[0]]).toEqual([
        422,
        expect.stringContaining('needs an owner'),
      ])
      expect((await call(owner, 'DELETE', `/members/${owner.userId}`)).status).toBe(422)
    })

    it('who are removed cannot act any more, and are signed out', async () => {
      const { owner, add } = peopleOf(shop)
      const member = await add('member')
      const { database, people } = shop.running.app
      const { value } = await createToken(database, SECRET_KEY, member, { name: 'Theirs' })
      expect((await shop.api('GET', '/me', undefined, { token: value })).status).toBe(200)
      const browser = new Visitor(shop.running.url)
      const { pathname } = new URL(await people.makePasswordUrl(member.userId))
      await send(browser, pathname, { name: 'Person', email: member.email, password: PASSWORD })
      expect(await isSignedIn(browser)).toBe(true)
      const tokens = async () => (await shop.db.selectFrom('api_tokens').select('id').execute()).length
      const before = await tokens()
      expect((await call(await add('member'), 'DELETE', `/members/${member.userId}`)).status).toBe(403)
      expect((await call(owner, 'DELETE', `/members/${member.userId}`)).status).toBe(200)
      expect((await shop.api('GET', '/me', undefined, { token: value })).status).toBe(401)
      expect(await isSignedIn(browser)).toBe(false)
      expect(await tokens()).toBe(before - 1)
      expect((await call(owner, 'DELETE', `/members/${member.userId}`)).status).toBe(404)
    })

    it('may leave by themselves', async () => {
      const member = await peopleOf(shop).add('member')
      expect((await call(member, 'DELETE', `/members/${member.userId}`)).status).toBe(200)
    })
  })
})
