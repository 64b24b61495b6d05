import { describe, expect, it } from 'vitest'
import { Visitor } from '../pages/visitor.ts'
import { onGateEngine, type Shop } from '../support/shop.ts'
import { isSignedIn, PASSWORD, send, signIn } from './person.ts'

const YOU = '/dashboard/my-shop/you'
const NEW = 'another horse battery staple'

/** The owner of the first account, signed in, with what its forms send along. */
async function owner(shop: Shop, email: string) {
  const { people, firstAccount } = shop.running.app
  const visitor = new Visitor(shop.running.url)
  const { pathname } = new URL(await people.makePasswordUrl(firstAccount!.userId))
  await send(visitor, pathname, { name: 'Ada', email, password: PASSWORD })
  await signIn(visitor, email)
  const csrf = async () => /name="csrf" value="([^"]+)"/.exec((await visitor.open(YOU)).html)![1]!
  const post = async (path: string, fields: Record<string, string> = {}) =>
    send(visitor, YOU + path, { csrf: await csrf(), ...fields })
  return { visitor, post, csrf, userId: firstAccount!.userId }
}

describe('The profile of a person', () => {
  onGateEngine((shop) => {
    const email = 'ada@example.com'

    it('changes the name at once, and asks for another address with the password alone', async () => {
      const { post } = await owner(shop, email)
      expect((await post('/details', { name: '<script>x</script>', email })).status).toBe(303)
      expect((await shop.get('/me')).name).toBe('<script>x</script>')
      const other = 'countess@example.com'
      for (const password of ['', 'a wrong password']) {
        const answer = await post('/details', { name: 'Ada', email: other, 'password-for-email': password })
        expect([answer.status, answer.html.includes('<script>x')]).toEqual([422, false])
        expect(answer.html).toContain(`value="${other}"`)
      }
      expect((await shop.get('/me')).email).toBe(email)
      const mine = { name: 'Countess', 'password-for-email': PASSWORD }
      expect((await post('/details', { ...mine, email: other })).status).toBe(303)
      const { name, email: present } = await shop.get('/me')
      expect([name, present]).toEqual(['Countess', email])
      expect((await post('/details', { name: 'Ada', email })).status).toBe(303)
    })

    it('takes a name in one line alone, since letters to others say it', async () => {
      const { post } = await owner(shop, email)
      for (const name of ['Ada\n\nGo to evil.example', 'Ada\u2028Lovelace', 'Ada\u0007']) {
        const answer = await post('/details', { name, email })
        expect([answer.status, answer.text.includes('Name must be in one line.')]).toEqual([422, true])
      }
    })

    it('changes the password with the present one, and ends every other session', async () => {
      const { visitor, post } = await owner(shop, email)
      const elsewhere = new Visitor(shop.running.url)
      await signIn(elsewhere, email)
      expect((await post('/password', { present: 'a wrong password', password: NEW })).status).toBe(422)
      expect((await post('/password', { present: PASSWORD, password: 'short' })).status).toBe(422)
      expect((await post('/password', { present: PASSWORD, password: NEW })).status).toBe(303)
      expect([await isSignedIn(visitor), await isSignedIn(elsewhere)]).toEqual([true, false])
      expect((await signIn(new Visitor(shop.running.url), email)).status).toBe(422)
      expect((await signIn(new Visitor(shop.running.url), email, NEW)).status).toBe(303)
    })

    it('lists where somebody is signed in, and ends one session or all others', async () => {
      const { visitor, post, userId } = await owner(shop, email)
      const others = [new Visitor(shop.running.url), new Visitor(shop.running.url), new Visitor(shop.running.url)]
      for (const other of others) await signIn(other, email)
      const { people } = shop.running.app
      const listed = await people.sessions.list(userId)
      const html = (await visitor.open(YOU)).html
      for (const { id } of listed.slice(0, 3)) expect(html).toContain(`/you/sessions/${id}`)
      await post(`/sessions/${listed[0]!.id}`)
      const left = (await people.sessions.list(userId)).map(({ id }) => id)
      expect(left).not.toContain(listed[0]!.id)
      await post('/other-sessions')
      expect((await people.sessions.list(userId)).length).toBe(1)
      expect(await isSignedIn(visitor)).toBe(true)
      for (const other of others) expect(await isSignedIn(other)).toBe(false)
    })

    it('does nothing to what is another person’s', async () => {
      const { post } = await owner(shop, email)
      const { people, database } = shop.running.app
      const { userId } = await shop.running.another('profile-victim')
      const victim = new Visitor(shop.running.url)
      const { pathname } = new URL(await people.makePasswordUrl(userId))
      await send(victim, pathname, { name: 'V', email: 'victim@example.com', password: PASSWORD })
      const passkey = {
        ...{ id: 'passkey_victim', user_id: userId, name: 'Theirs', public_key: 'x', credential_id: 'x' },
        ...{ counter: 0, device_type: 'singleDevice', backed_up: 0, created_at: '2026-01-01T00:00:00.000Z' },
      }
      await database.transaction(({ db }) => db.insertInto('passkeys').values(passkey).execute())
      const [session] = await people.sessions.list(userId)
      await post(`/sessions/${session!.id}`)
      await post('/passkeys/passkey_victim', { name: 'Mine' })
      await post('/passkeys/passkey_victim/delete')
      expect(await isSignedIn(victim)).toBe(true)
      expect(await people.passkeys.list(userId)).toMatchObject([{ name: 'Theirs' }])
    })

    it('takes no form without what the page sends along', async () => {
      const { visitor } = await owner(shop, email)
      const fields = { present: PASSWORD, password: NEW }
      expect((await send(visitor, `${YOU}/password`, fields)).status).toBe(403)
      expect((await send(visitor, `${YOU}/password`, { ...fields, csrf: 'x'.repeat(43) })).status).toBe(403)
    })

    it('answers scripts that ask about passkeys from its own pages alone', async () => {
      const { visitor } = await owner(shop, email)
      const ask = (path: string, body: string, headers: Record<string, string>) =>
        visitor.open(path, { method: 'POST', body, headers })
      const json = { 'Content-Type': 'application/json' }
      for (const path of ['/sign-in/passkey/question', '/sign-in/passkey/new/question', '/sign-in/passkey/new']) {
        expect((await ask(path, '{}', { ...json, 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
        expect((await ask(path, '{}', { 'Content-Type': 'text/plain' })).status).toBe(415)
      }
      for (const body of ['', '[]', 'null', '{"answered":{}}', '{"answered":{"id":"x","response":{}}}'])
        expect([body, (await ask('/sign-in/passkey', body, json)).status]).toEqual([body, 422])
      expect(
        (
          await new Visitor(shop.running.url).open('/sign-in/passkey/new/question', {
            method: 'POST',
            body: '{}',
            headers: json,
          })
        ).status,
      ).toBe(403)
    })
  })
})
