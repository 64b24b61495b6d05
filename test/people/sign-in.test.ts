import { beforeAll, describe, expect, it } from 'vitest'
import { addMember } from '../../src/resources/company/account/life/members.ts'
import { Visitor } from '../pages/visitor.ts'
import { onGateEngine } from '../support/shop.ts'
import { isSignedIn, ownerOf, PASSWORD, send, sessionOf, signIn } from './person.ts'

const EMAIL = 'ada@example.com'

describe('Signing in', () => {
  onGateEngine((shop) => {
    const visitor = () => new Visitor(shop.running.url)

    beforeAll(async () => {
      await ownerOf(shop)
    })

    it('lets in with the right password, whatever the case of the address', async () => {
      const ada = visitor()
      expect((await ada.open('/dashboard')).headers.get('location')).toBe('/sign-in?next=%2Fdashboard')
      const { status, headers } = await signIn(ada, ' Ada@Example.com ')
      expect([status, headers.get('location')]).toEqual([303, '/dashboard'])
      expect(await isSignedIn(ada)).toBe(true)
      expect((await ada.open('/sign-in?next=/dashboard/my-shop')).headers.get('location')).toBe('/dashboard/my-shop')
    })

    it('lets in whoever has an address with other letters and signs than most', async () => {
      const { database, people } = shop.running.app
      for (const email of ['ada@müller.de', 'jürgen@example.com', 'a&b=c@example.com', 'ада@почта.рф']) {
        const person = { name: 'P', email, role: 'member' } as const
        const { userId } = await addMember(database, shop.accountId, person)
        const somebody = visitor()
        const { pathname } = new URL(await people.makePasswordUrl(userId))
        await send(somebody, pathname, { name: 'P', password: PASSWORD })
        expect([email, await isSignedIn(somebody)]).toEqual([email, true])
        expect((await signIn(visitor(), email.toUpperCase())).status).toBe(303)
        expect((await signIn(visitor(), email, 'wrong horse battery')).status).toBe(422)
      }
    })

    it('says the same of a wrong password, an unknown address and one that nobody can have', async () => {
      const answers = await Promise.all(
        [EMAIL, 'nobody@example.com', 'not-an-address'].map(async (email) => {
          const someone = visitor()
          const { status, html } = await signIn(someone, email, 'wrong horse battery')
          expect(sessionOf(someone)).toBeUndefined()
          return [status, html.replaceAll(email, 'ADDRESS')]
        }),
      )
      expect(answers[0]![0]).toBe(422)
      expect(answers[0]![1]).toContain('The e-mail address or the password is wrong.')
      for (const answer of answers) expect(answer).toEqual(answers[0])
    })

    it('keeps what was typed but the password, and says beside the field what is missing', async () => {
      const { fields, html, status } = await signIn(visitor(), '"><script>alert(1)</script>@x.com', PASSWORD)
      expect(status).toBe(422)
      expect(fields).toMatchObject({ email: '"><script>alert(1)</script>@x.com', password: '' })
      expect(html).not.toContain('<script>')
      const empty = await signIn(visitor(), '', '')
      expect(empty.text).toContain('Enter your e-mail address.')
      expect(empty.text).toContain('Enter your password.')
    })

    it('gives each sign-in a session of its own and ends the one that the browser had', async () => {
      const ada = visitor()
      await signIn(ada, EMAIL)
      const first = sessionOf(ada)!.value
      await signIn(ada, EMAIL)
      expect(sessionOf(ada)!.value).not.toBe(first)
      const thief = visitor()
      thief.cookies.set('shopwright_session /', { value: first, path: '/', attributes: '' })
      expect(await isSignedIn(thief)).toBe(false)
    })

    it('takes no session that a browser brings along', async () => {
      const planted = 'A'.repeat(32)
      const victim = visitor()
      victim.cookies.set('shopwright_session /', { value: planted, path: '/', attributes: '' })
      await signIn(victim, EMAIL)
      expect(sessionOf(victim)!.value).not.toContain(planted)
      const attacker = visitor()
      attacker.cookies.set('shopwright_session /', { value: planted, path: '/', attributes: '' })
      expect(await isSignedIn(attacker)).toBe(false)
    })

    it('ends the session on the server at signing out', async () => {
      const ada = visitor()
      await signIn(ada, EMAIL)
      const copy = visitor()
      copy.cookies.set('shopwright_session /', { ...sessionOf(ada)! })
      expect(await isSignedIn(copy)).toBe(true)
      const out = await send(ada, '/sign-out', {})
      expect(out.headers.get('location')).toBe('/sign-in')
      expect(await isSignedIn(ada)).toBe(false)
      expect(await isSignedIn(copy)).toBe(false)
    })

    it('takes no form of another site', async () => {
      const ada = visitor()
      for (const headers of [
        { 'Sec-Fetch-Site': 'cross-site' },
        { 'Sec-Fetch-Site': 'same-site' },
        { Origin: 'https://evil.example' },
      ] as Record<string, string>[]) {
        const answer = await send(ada, '/sign-in', { email: EMAIL, password: PASSWORD }, { headers })
        expect([answer.status, sessionOf(ada)]).toEqual([403, undefined])
      }
      await signIn(ada, EMAIL)
      const out = await send(ada, '/sign-out', {}, { headers: { 'Sec-Fetch-Site': 'cross-site' } })
      expect([out.status, await isSignedIn(ada)]).toEqual([403, true])
      expect((await ada.open('/sign-out')).status).toBe(405)
    })

    it('leads to paths of its own alone', async () => {
      for (const next of [
        '//evil.example',
        '/\\evil.example',
        '/\t/evil.example',
        '/..//evil.example',
        '/.//evil.example',
        '\\\\evil.example',
        'https://evil.example/',
        'https:evil.example',
        'javascript:alert(1)',
        ' //evil.example',
        '/%09/evil.example/../..//evil.example',
      ]) {
        const location = (await signIn(visitor(), EMAIL, PASSWORD, next)).headers.get('location')!
        expect([next, new URL(location, shop.running.url).origin]).toEqual([next, shop.running.url])
        expect(location).toMatch(/^\/(?![/\\])/)
      }
      const kept = await signIn(visitor(), EMAIL, PASSWORD, '/dashboard/my-shop/orders?a=1&b=%2F')
      expect(kept.headers.get('location')).toBe('/dashboard/my-shop/orders?a=1&b=%2F')
    })

    it('keeps hashes of tokens and passwords, and neither of them itself', async () => {
      const ada = visitor()
      await signIn(ada, EMAIL)
      const token = decodeURIComponent(sessionOf(ada)!.value).split('.')[0]!
      const rows = [
        await shop.db.selectFrom('sessions').selectAll().execute(),
        await shop.db.selectFrom('sign_in_methods').selectAll().execute(),
        await shop.db.selectFrom('verifications').selectAll().execute(),
      ]
      expect(rows[0]!.length).toBeGreaterThan(0)
      expect(JSON.stringify(rows)).not.toContain(token)
      expect(JSON.stringify(rows)).not.toContain(PASSWORD)
    })

    it('ends sessions that are too old', async () => {
      const ada = visitor()
      await signIn(ada, EMAIL)
      await shop.running.app.database.transaction(({ db }) =>
        db.updateTable('sessions').set({ expires_at: '2020-01-01T00:00:00.000Z' }).execute(),
      )
      expect(await isSignedIn(ada)).toBe(false)
    })
  })
})
