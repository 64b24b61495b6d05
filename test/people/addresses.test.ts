import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { addMember, UnprovenAddressError } from '../../src/resources/company/account/life/members.ts'
import { createAccount } from '../../src/resources/company/account/life/open.ts'
import { Visitor } from '../pages/visitor.ts'
import { onGateEngine, type Shop } from '../support/shop.ts'
import { addressOf, linkIn, messagesTo, ownerOf, PASSWORD, send, signIn, squat } from './person.ts'

const NEW = 'another horse battery staple'
let made = 0

/** Somebody with an account, a password and a browser. */
async function personOf(shop: Shop, name = `person-${++made}`) {
  const { userId } = await shop.running.another(name)
  const visitor = new Visitor(shop.running.url)
  const { pathname } = new URL(await shop.running.app.people.makePasswordUrl(userId))
  await send(visitor, pathname, { name: 'Person', password: PASSWORD })
  const you = `/dashboard/${name}/you`
  const page = () => visitor.open(you)
  const post = async (path: string, fields: Record<string, string> = {}) => {
    const csrf = /name="csrf" value="([^"]+)"/.exec((await page()).html)![1]!
    return send(visitor, you + path, { csrf, ...fields })
  }
  const change = (to: string) => post('/details', { name: 'Person', email: to, 'password-for-email': PASSWORD })
  return { userId, email: `${name}@example.com`, visitor, page, post, change }
}

/** The latest message to an address that holds these words, once there is one. */
async function letter(shop: Shop, address: string, words: string): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const found = (await messagesTo(shop, address)).filter((one) => one.includes(words)).at(-1)
    if (found) return found
    await delay(25)
  }
  throw new Error(`${address} has not got “${words}”`)
}

const linkTo = async (shop: Shop, address: string) => linkIn(await letter(shop, address, '/confirm-address/'))

describe('An e-mail address', () => {
  onGateEngine((shop) => {
    beforeAll(async () => {
      await ownerOf(shop, 'ada@x.com')
    })

    it('changes by a link that is mailed to the new one, once, and the old one is told', async () => {
      const person = await personOf(shop)
      expect((await person.change('New@x.com')).status).toBe(303)
      expect(await addressOf(shop, person.userId)).toEqual([person.email, true])
      expect((await person.page()).text).toContain('A link is on its way to new@x.com')
      expect(await letter(shop, person.email, 'about to change')).toContain('sign-in address from')
      const link = await linkTo(shop, 'new@x.com')
      expect((await person.visitor.open(link)).text).toContain(`instead of ${person.email}`)
      expect((await send(person.visitor, link, {})).text).toContain('Your address is confirmed')
      expect(await addressOf(shop, person.userId)).toEqual(['new@x.com', true])
      expect(await letter(shop, person.email, 'has changed')).toContain('You now sign in with new@x.com')
      expect((await signIn(new Visitor(shop.running.url), 'new@x.com')).status).toBe(303)
      expect((await signIn(new Visitor(shop.running.url), person.email)).status).toBe(422)
      expect((await send(person.visitor, link, {})).status).toBe(404)
    })

    it('changes for the person who has asked alone, who is signed in', async () => {
      const [person, other] = [await personOf(shop), await personOf(shop)]
      await person.change('theirs@x.com')
      const link = await linkTo(shop, 'theirs@x.com')
      const stranger = new Visitor(shop.running.url)
      expect((await stranger.open(link)).text).toContain('Sign in with your current address')
      for (const visitor of [stranger, other.visitor]) {
        expect((await send(visitor, link, {})).headers.get('location')).toBe(link)
        expect((await visitor.open(link)).text).not.toContain(person.email)
      }
      expect(await addressOf(shop, person.userId)).toEqual([person.email, true])
      expect(await addressOf(shop, other.userId)).toEqual([other.email, true])
      expect((await stranger.open('/confirm-address/x')).status).toBe(404)
    })

    it('needs the password, and is bounded in letters', async () => {
      const person = await personOf(shop)
      for (const password of ['', 'a wrong password']) {
        const fields = { name: 'Other', email: 'wanted@x.com', 'password-for-email': password }
        expect((await person.post('/details', fields)).status).toBe(422)
      }
      expect((await person.page()).text).not.toContain('wanted@x.com')
      for (const letters of [1, 2, 3]) expect((await person.change(`bound${letters}@x.com`)).status).toBe(303)
      const refused = await person.change('bound4@x.com')
      expect([refused.status, refused.text.includes('Too many e-mails')]).toEqual([422, true])
    })

    it('that somebody has is answered as any other, and nobody but its reader learns of it', async () => {
      const [person, victim] = [await personOf(shop), await personOf(shop)]
      const seen = async (email: string) => {
        const { status, headers } = await person.change(email)
        const { html } = await person.page()
        const same = html
          .replaceAll(email, 'ADDRESS')
          .replaceAll(/value="[\w.-]{43}"/g, '')
          .replaceAll(/<time.*?<\/time>/g, '')
        return [status, headers.get('location'), same]
      }
      expect(await seen(victim.email)).toEqual(await seen('nobodys@x.com'))
      const told = await letter(shop, victim.email, 'This address can already sign in')
      expect(told).not.toContain('/confirm-address/')
      expect(await addressOf(shop, person.userId)).toEqual([person.email, true])
    })

    it('stays with whoever proves it first', async () => {
      const [first, second] = [await personOf(shop), await personOf(shop)]
      for (const { change } of [first, second]) expect((await change('both@x.com')).status).toBe(303)
      await shop.settled()
      const links = (await messagesTo(shop, 'both@x.com')).map(linkIn)
      for (const { visitor } of [first, second]) for (const link of links) await send(visitor, link, {})
      expect(await addressOf(shop, first.userId)).toEqual(['both@x.com', true])
      expect(await addressOf(shop, second.userId)).toEqual([second.email, true])
    })

    it('that was asked for ends with another wish, with a new password, a mailed link and by hand', async () => {
      const ended = async (end: (person: Awaited<ReturnType<typeof personOf>>) => Promise<unknown>) => {
        const person = await personOf(shop)
        const wanted = `wanted-${person.email}`
        await person.change(wanted)
        const link = await linkTo(shop, wanted)
        await end(person)
        return [(await person.visitor.open(link)).status, (await person.page()).text.includes('is on its way')]
      }
      expect(await ended(({ change, email }) => change(`later-${email}`))).toEqual([404, true])
      expect(await ended(({ post }) => post('/address/cancel'))).toEqual([404, false])
      expect(await ended(({ post }) => post('/password', { present: PASSWORD, password: NEW }))).toEqual([404, false])
      const reset = await ended(async ({ visitor, userId }) => {
        const { pathname } = new URL(await shop.running.app.people.makePasswordUrl(userId))
        await send(visitor, pathname, { password: NEW })
      })
      expect(reset).toEqual([404, false])
    })

    it('of the owner of a new server is confirmed by a link, and its page says how without a mail server', async () => {
      const owner = new Visitor(shop.running.url)
      await signIn(owner, 'ada@x.com')
      const { userId } = shop.running.app.firstAccount!
      expect(await addressOf(shop, userId)).toEqual(['ada@x.com', false])
      const { text } = await owner.open('/dashboard/my-shop/you')
      expect(text).toContain('open it and confirm the address')
      expect(text).toContain('npm run account -- address ada@x.com')
      expect((await owner.open('/dashboard/my-shop/settings/members')).text).toContain('Not confirmed')
      const csrf = /name="csrf" value="([^"]+)"/.exec((await owner.open('/dashboard/my-shop/you')).html)![1]!
      await send(owner, '/dashboard/my-shop/you/address/confirm', { csrf })
      const link = await linkTo(shop, 'ada@x.com')
      expect((await send(owner, link, {})).text).toContain('Your address is confirmed')
      expect(await addressOf(shop, userId)).toEqual(['ada@x.com', true])
      expect((await owner.open('/dashboard/my-shop/you')).text).not.toContain('npm run account')
    })

    it('can be asked for and confirmed by its person, however often others have asked for it', async () => {
      const [other, victim] = [await personOf(shop), await personOf(shop)]
      const wanted = `wanted-${made}@x.com`
      for (let times = 0; times < 6; times++) expect((await other.change(wanted)).status).toBe(times < 3 ? 303 : 422)
      const another = await personOf(shop)
      await another.change(`free-${made}@x.com`)
      expect((await another.change(`other-${made}@x.com`)).status).toBe(303)
      await squat(shop, victim.userId, wanted)
      expect((await victim.post('/address/confirm')).headers.get('location')).toContain('/you')
      expect(await letter(shop, wanted, 'signs in with')).toContain('/confirm-address/')
    })

    it('that nobody has proven makes nobody a member, until a mailed password proves it and ends what was there', async () => {
      const { database, people } = shop.running.app
      const squatter = await personOf(shop)
      const email = `victim-${squatter.email}`
      await squat(shop, squatter.userId, email)
      const owner = { name: 'V', email }
      await expect(createAccount(database, { name: 'S', subdomain: `s-${++made}`, owner })).rejects.toThrow(
        UnprovenAddressError,
      )
      await expect(addMember(database, shop.accountId, { ...owner, role: 'owner' })).rejects.toThrow(
        UnprovenAddressError,
      )
      const byOperator = new URL(await people.makePasswordUrl(squatter.userId)).pathname
      await send(squatter.visitor, byOperator, { password: PASSWORD })
      expect(await addressOf(shop, squatter.userId)).toEqual([email, false])
      await send(new Visitor(shop.running.url), '/forgot-password', { email })
      const reset = linkIn(await letter(shop, email, '/set-password/'))
      await send(new Visitor(shop.running.url), reset, { password: NEW })
      expect(await addressOf(shop, squatter.userId)).toEqual([email, true])
      expect((await squatter.page()).status).toBe(303)
      await addMember(database, shop.accountId, { ...owner, role: 'member' })
    })
  })
})
