import { beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '../../src/contract/declarations/caller.ts'
import { accountMembers } from '../../src/resources/dashboard/member/find.ts'
import { refundLimitsOfSupport } from '../../src/resources/dashboard/refund-limit/limits.ts'
import { Visitor } from '../pages/visitor.ts'
import { signIn as signInToDashboard } from '../support/person.ts'
import { priceForSale } from '../support/sell.ts'
import { type Body, onGateEngine } from '../support/shop.ts'
import { words } from '../support/words.ts'
import { callAs, newAddress, type Person, peopleOf, readAs } from './colleagues.ts'
import {
  addPasskey,
  addressOf,
  isSignedIn,
  linkIn,
  messagesTo,
  ownerOf,
  PASSWORD,
  send,
  signIn,
  squat,
} from './person.ts'

let made = 0

describe('Invitations', () => {
  onGateEngine((shop) => {
    const call = callAs.bind(null, shop)
    const invite = async (email: string, role: Role = 'member') => {
      const { body } = await call(peopleOf(shop).owner, 'POST', '/invitations', { email, role })
      const [message] = await messagesTo(shop, email)
      return { id: body.id as string, link: linkIn(message!), message: message! }
    }

    const givePassword = async (userId: string) => {
      const visitor = new Visitor(shop.running.url)
      const { pathname } = new URL(await shop.running.app.people.makePasswordUrl(userId))
      await send(visitor, pathname, { name: 'Somebody', password: PASSWORD })
      return visitor
    }

    beforeAll(async () => {
      await ownerOf(shop)
      await shop.patch('/account', { name: 'Books <b>&</b> Co' })
    })

    it('make a new person a member who signs in with the invited address', async () => {
      const email = newAddress()
      const { link, message } = await invite(email, 'admin')
      expect(message).toContain('Books <b>&</b> Co')
      const guest = new Visitor(shop.running.url)
      const page = await guest.open(link)
      expect(page.text).toContain('Join Books <b>&</b> Co')
      expect(page.html).not.toContain('<b>&')
      expect((await send(guest, link, { name: '', password: 'short' })).status).toBe(422)
      const joined = await send(guest, link, { name: 'Grace', password: PASSWORD })
      expect([joined.status, joined.headers.get('location')]).toEqual([303, '/dashboard/my-shop'])
      expect((await guest.open('/dashboard/my-shop')).status).toBe(200)
      const members = await readAs(shop, peopleOf(shop).owner)(accountMembers)
      expect(members).toContainEqual(expect.objectContaining({ email, name: 'Grace', role: 'admin' }))
      expect((await new Visitor(shop.running.url).open(link)).status).toBe(404)
      expect((await signIn(new Visitor(shop.running.url), email)).status).toBe(303)
    })

    it('bring back by their link alone whoever has left the last account, with another password', async () => {
      const email = newAddress()
      const guest = new Visitor(shop.running.url)
      await send(guest, (await invite(email)).link, { name: 'Grace', password: PASSWORD })
      const members = await readAs(shop, peopleOf(shop).owner)(accountMembers)
      const { id } = members.find((one) => one.email === email)!
      expect((await call(peopleOf(shop).owner, 'DELETE', `/members/${id}`)).status).toBe(200)
      await call(peopleOf(shop).owner, 'POST', '/invitations', { email })
      const link = linkIn((await messagesTo(shop, email)).at(-1)!)
      const again = new Visitor(shop.running.url)
      const joined = await send(again, link, { name: 'Grace', password: 'another horse battery staple' })
      expect([joined.status, await isSignedIn(again)]).toEqual([303, true])
      expect((await signIn(new Visitor(shop.running.url), email)).status).toBe(422)
    })

    it('are taken by whoever has the address already once signed in, and by nobody else', async () => {
      const other = await shop.running.another(`guests-${++made}`)
      const email = `guests-${made}@example.com`
      const guest = new Visitor(shop.running.url)
      const { pathname } = new URL(await shop.running.app.people.makePasswordUrl(other.userId))
      await send(guest, pathname, { name: 'Guest', email, password: PASSWORD })
      const { link } = await invite(email)
      const stranger = new Visitor(shop.running.url)
      const refused = await send(stranger, link, { name: 'Mallory', password: PASSWORD })
      expect([refused.status, refused.text.includes('You already have a password')]).toEqual([422, true])
      expect(await isSignedIn(stranger)).toBe(false)
      await signIn(stranger, 'ada@example.com')
      expect((await stranger.open(link)).text).toContain('you are signed in as ada@example.com')
      expect((await send(stranger, link, { do: 'join' })).headers.get('location')).toBe(link)
      expect((await guest.open(link)).text).toContain(`signed in as ${email}`)
      expect((await send(guest, link, { do: 'join' })).headers.get('location')).toBe('/dashboard/my-shop')
      expect((await guest.open('/dashboard/my-shop')).status).toBe(200)
    })

    it('show the same page to whoever is not signed in, whether anybody has the address or not', async () => {
      const known = `known-${++made}`
      const { userId } = await shop.running.another(known)
      await givePassword(userId)
      const seen = async (email: string) => {
        const { link } = await invite(email)
        const { status, html } = await new Visitor(shop.running.url).open(link)
        return [
          status,
          html.replaceAll(email, 'EMAIL').replaceAll(link, 'LINK').replaceAll(encodeURIComponent(link), 'LINK'),
        ]
      }
      expect(await seen(`${known}@example.com`)).toEqual(await seen(newAddress()))
    })

    it('give the address to whoever follows the link, and nothing to whoever had it without proving it', async () => {
      const { userId } = await shop.running.another(`squatter-${++made}`)
      const email = newAddress()
      const squatter = await givePassword(userId)
      await squat(shop, userId, email)
      await addPasskey(shop, userId)
      const { people } = shop.running.app
      const reset = new URL(await people.makePasswordUrl(userId)).pathname
      const { link } = await invite(email, 'admin')
      expect((await squatter.open(link)).text).toContain('not confirmed yet')
      expect((await send(squatter, link, { do: 'join' })).status).toBe(422)
      const victim = new Visitor(shop.running.url)
      const joined = await send(victim, link, { name: 'Victim', password: 'another horse battery staple' })
      expect(joined.headers.get('location')).toBe('/dashboard/my-shop')
      expect((await victim.open('/dashboard/my-shop')).status).toBe(200)
      expect(await isSignedIn(squatter)).toBe(false)
      expect((await signIn(new Visitor(shop.running.url), email)).status).toBe(422)
      expect(await people.passkeys.list(userId)).toEqual([])
      expect((await new Visitor(shop.running.url).open(reset)).status).toBe(404)
      expect(await addressOf(shop, userId)).toEqual([email, true])
    })

    it('end with the rights of whoever made them', async () => {
      const { owner, add } = peopleOf(shop)
      const admins = [await add('admin'), await add('admin'), await add('owner'), await add('admin')] as const
      const [removed, demoted, lowered, behind] = admins
      const by = async (as: Person, role: Role) => {
        const email = newAddress()
        expect((await call(as, 'POST', '/invitations', { email, role })).status).toBe(201)
        return { email, link: linkIn((await messagesTo(shop, email))[0]!) }
      }
      const [ofRemoved, ofDemoted] = [await by(removed, 'admin'), await by(demoted, 'member')]
      const [ownerOfLowered, adminOfLowered] = [await by(lowered, 'owner'), await by(lowered, 'admin')]
      const ofBehind = await by(behind, 'admin')
      await call(owner, 'DELETE', `/members/${removed.userId}`)
      await call(owner, 'PATCH', `/members/${demoted.userId}`, { role: 'member' })
      await call(owner, 'PATCH', `/members/${lowered.userId}`, { role: 'admin' })
      const rows = shop.db
        .selectFrom('invitations')
        .select('email')
        .where('email', 'in', [...[ofRemoved.email, ofDemoted.email, ownerOfLowered.email, adminOfLowered.email]])
      expect(await rows.execute()).toEqual([{ email: adminOfLowered.email }])
      // A role that was changed in another way counts as well.
      await shop.running.app.database.transaction(({ db }) =>
        db.updateTable('memberships').set({ role: 'member' }).where('user_id', '=', behind.userId).execute(),
      )
      for (const { link } of [ofRemoved, ofDemoted, ownerOfLowered, ofBehind]) {
        const guest = new Visitor(shop.running.url)
        expect((await guest.open(link)).status).toBe(404)
        expect((await send(guest, link, { name: 'Late', password: PASSWORD })).status).toBe(404)
      }
      const guest = new Visitor(shop.running.url)
      expect((await send(guest, adminOfLowered.link, { name: 'In time', password: PASSWORD })).status).toBe(303)
    })

    it('are made by owners and admins, for roles that they have', async () => {
      const { owner, add } = peopleOf(shop)
      const [admin, member] = [await add('admin'), await add('member')]
      const create = async (as: Person, role: string, email = newAddress()) =>
        (await call(as, 'POST', '/invitations', { email, role })).status
      expect(await create(member, 'member')).toBe(403)
      expect((await call(member, 'GET', '/invitations')).status).toBe(403)
      expect(await create(admin, 'owner')).toBe(403)
      expect(await create(admin, 'admin')).toBe(201)
      expect(await create(owner, 'owner')).toBe(201)
      expect(await create(owner, 'king')).toBe(422)
      expect(await create(owner, 'member', member.email)).toBe(422)
      const twice = newAddress()
      expect([await create(owner, 'member', twice), await create(owner, 'member', twice.toUpperCase())]).toEqual([
        201, 422,
      ])
    })

    it('can be sent again and revoked, and end after a week', async () => {
      const { owner } = peopleOf(shop)
      const email = newAddress()
      const { id, link } = await invite(email)
      expect((await call(owner, 'POST', `/invitations/${id}/resend`)).status).toBe(200)
      expect((await messagesTo(shop, email)).length).toBe(2)
      const old = { expires_at: '2020-01-01T00:00:00Z' }
      await shop.running.app.database.transaction(({ db }) =>
        db.updateTable('invitations').set(old).where('id', '=', id).execute(),
      )
      expect((await new Visitor(shop.running.url).open(link)).status).toBe(404)
      const listed = (await call(owner, 'GET', '/invitations')).body.data.find((one: Body) => one.id === id)
      expect(listed).toMatchObject({ email, expired: true })
      await call(owner, 'POST', `/invitations/${id}/resend`)
      expect((await new Visitor(shop.running.url).open(link)).status).toBe(200)
      const other = await shop.running.another(`thieves-${++made}`)
      const thief = { ...other, role: 'owner' as Role, email: '' }
      expect((await call(thief, 'DELETE', `/invitations/${id}`)).status).toBe(404)
      expect((await call(thief, 'POST', `/invitations/${id}/resend`)).status).toBe(404)
      expect((await call(owner, 'DELETE', `/invitations/${id}`)).status).toBe(200)
      expect((await new Visitor(shop.running.url).open(link)).status).toBe(404)
      expect((await new Visitor(shop.running.url).open(`${link}x`)).status).toBe(404)
    })

    it('set in the same step what support may refund, or neither', async () => {
      const person = await signInToDashboard(shop.running)
      const page = '/dashboard/my-shop/settings/members'
      const price = await priceForSale(shop, { currency: 'eur' })
      expect(price.currency).toBe('eur')
      const { html } = await person.get(page)
      expect(html).toMatch(
        /<select id="field-currency" name="currency"[^>]*><option value="usd" selected>USD<\/option><option value="eur">EUR</,
      )
      const given = { email: newAddress(), role: 'support', amount: 'fifty', currency: 'eur' }
      const wrong = await person.submit(page, given)
      expect([wrong.status, wrong.html.includes('Amount must be an amount such as 12.50')]).toEqual([400, true])
      const limits = async () => readAs(shop, peopleOf(shop).owner)(refundLimitsOfSupport)
      const taken = await person.submit(page, { ...given, email: 'no address', amount: '50' })
      expect([taken.status, taken.html.includes('value="50"')]).toEqual([422, true])
      expect(await limits()).toEqual([])
      const viewer = await person.submit(page, { ...given, email: newAddress(), role: 'viewer', amount: '50' })
      expect([viewer.status, await limits()]).toEqual([303, []])
      const sent = await person.submit(page, { ...given, amount: '50' })
      expect(words((await person.get(sent.location!)).html)).toContain(
        `The invitation was sent to ${given.email}. Support may refund up to €50.00 of an order.`,
      )
      expect(await limits()).toEqual([{ currency: 'eur', amount: 5000 }])
      const kept = await person.submit(page, { ...given, email: newAddress(), amount: '' })
      expect([kept.status, (await limits()).length]).toEqual([303, 1])
    })
  })
})
