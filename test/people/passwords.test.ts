import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { giveAddress } from '../../src/access/people/addresses.ts'
import { Visitor } from '../pages/visitor.ts'
import { type RunningApp, startApp } from '../support/app.ts'
import { onGateEngine, type Shop } from '../support/shop.ts'
import { addPasskey, isSignedIn, linkIn, messagesTo, PASSWORD, send, sessionOf, signIn } from './person.ts'

const EMAIL = 'ada@example.com'
const NEW = 'another horse battery staple'

/** The messages to an address once there are so many: nobody waits for them at the page. */
async function awaited(shop: Shop, address: string, count: number): Promise<string[]> {
  for (let tries = 0; tries < 200; tries++) {
    const messages = await messagesTo(shop, address)
    if (messages.length >= count) return messages
    await delay(25)
  }
  throw new Error(`${address} has not got ${count} messages`)
}

describe('The link of the first start', () => {
  onGateEngine((shop) => {
    const visitor = () => new Visitor(shop.running.url)

    it('sets name, address and password of the owner, once', async () => {
      const { pathname } = new URL(shop.running.app.firstPasswordUrl!)
      const owner = visitor()
      const page = await owner.open(pathname)
      expect(page.fields).toMatchObject({ name: '', email: '', password: '' })
      expect(page.headers.get('referrer-policy')).toBe('no-referrer')
      const fields = { name: 'Ada <b>Lovelace</b>', email: 'Ada@Example.com', password: PASSWORD }
      for (const [wrong, message] of [
        [{ password: 'short' }, 'Password is too short (minimum is 10 characters).'],
        [{ name: ' ' }, 'Enter your name.'],
        [{ email: 'ada' }, 'E-mail address must be an e-mail address such as name@example.com.'],
      ] as const) {
        const answer = await send(owner, pathname, { ...fields, ...wrong })
        expect([answer.status, answer.text.includes(message)]).toEqual([422, true])
        expect(answer.fields).toMatchObject({ ...fields, ...wrong, password: '' })
        expect(answer.html).not.toContain('<b>Lovelace')
      }
      const done = await send(owner, pathname, fields)
      expect([done.status, done.headers.get('location')]).toEqual([303, '/dashboard'])
      expect(await isSignedIn(owner)).toBe(true)
      expect((await visitor().open(pathname)).status).toBe(404)
      expect((await send(visitor(), pathname, { ...fields, password: NEW })).status).toBe(404)
      expect((await signIn(visitor(), EMAIL)).status).toBe(303)
      expect((await shop.get('/me')).email).toBe(EMAIL)
    })

    it('is used by one of two who send it at once', async () => {
      const url = await shop.running.app.people.makePasswordUrl(shop.running.app.firstAccount!.userId)
      const { pathname } = new URL(url)
      const answers = await Promise.all([1, 2].map(() => send(visitor(), pathname, { password: NEW })))
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 404])
      expect((await signIn(visitor(), EMAIL, NEW)).status).toBe(303)
    })

    it('sets no other address than the made-up one of a server without other people', async () => {
      const { people } = shop.running.app
      const { userId } = await shop.running.another('second')
      const { pathname } = new URL(await people.makePasswordUrl(userId))
      const page = await visitor().open(pathname)
      expect(page.fields).toMatchObject({ name: 'Other', password: '' })
      expect(page.fields).not.toHaveProperty('email')
      await send(visitor(), pathname, { name: 'Grace', email: 'mallory@example.com', password: NEW })
      expect((await signIn(visitor(), 'mallory@example.com', NEW)).status).toBe(422)
      expect((await signIn(visitor(), 'second@example.com', NEW)).status).toBe(303)
    })

    it('does not work once it is too old, nor in another form', async () => {
      const url = await shop.running.app.people.makePasswordUrl(shop.running.app.firstAccount!.userId)
      const { pathname } = new URL(url)
      for (const wrong of ['x', `${pathname.slice(14)}A`, "' or 1=1 --", 'A'.repeat(43)])
        expect((await visitor().open(`/set-password/${encodeURIComponent(wrong)}`)).status).toBe(404)
      await shop.running.app.database.transaction(({ db }) =>
        db.updateTable('verifications').set({ expires_at: '2020-01-01T00:00:00.000Z' }).execute(),
      )
      expect((await visitor().open(pathname)).status).toBe(404)
      expect((await send(visitor(), pathname, { password: PASSWORD })).status).toBe(404)
    })
  })
})

describe('Forgetting a password', () => {
  onGateEngine((shop) => {
    const visitor = () => new Visitor(shop.running.url)

    beforeAll(async () => {
      const { pathname } = new URL(shop.running.app.firstPasswordUrl!)
      await send(visitor(), pathname, { name: 'Ada', email: EMAIL, password: PASSWORD })
    })

    it('mails a link that sets another once, and ends every session', async () => {
      const elsewhere = visitor()
      await signIn(elsewhere, EMAIL)
      await send(visitor(), '/forgot-password', { email: 'ADA@example.com' })
      const message = (await awaited(shop, EMAIL, 2)).find((one) => one.includes('/set-password/'))
      const link = linkIn(message!)
      const page = await visitor().open(link)
      expect(page.text).toContain(`For ${EMAIL}`)
      expect(Object.keys(page.fields)).toEqual(['password'])
      const done = await send(visitor(), link, { password: NEW, name: 'Mallory', email: 'mallory@example.com' })
      expect(done.status).toBe(303)
      expect(await isSignedIn(elsewhere)).toBe(false)
      expect((await signIn(visitor(), EMAIL)).status).toBe(422)
      expect((await signIn(visitor(), EMAIL, NEW)).status).toBe(303)
      expect((await send(visitor(), link, { password: PASSWORD })).status).toBe(404)
      expect((await shop.get('/me')).name).toBe('Ada')
    })

    it('answers the same for an address that nobody has, and mails nothing', async () => {
      const asked = async (email: string) => {
        const { status, html } = await send(visitor(), '/forgot-password', { email })
        return [status, html.replaceAll(email, 'ADDRESS')]
      }
      expect(await asked('nobody@example.com')).toEqual(await asked(EMAIL))
      expect(await messagesTo(shop, 'nobody@example.com')).toEqual([])
    })

    it('mails an address a few times at most, whatever its spelling', async () => {
      const before = (await messagesTo(shop, EMAIL)).length
      for (const email of [EMAIL, 'ADA@example.com', ' ada@EXAMPLE.com ', EMAIL, EMAIL, EMAIL])
        expect((await send(visitor(), '/forgot-password', { email })).status).toBe(200)
      await delay(200)
      expect((await messagesTo(shop, EMAIL)).length - before).toBeLessThanOrEqual(2)
    })

    it('leaves no link in the jobs and the e-mails of the account', async () => {
      const rows = [
        await shop.db.selectFrom('jobs').selectAll().execute(),
        await shop.db.selectFrom('emails').selectAll().execute(),
      ]
      expect(JSON.stringify(rows)).toContain('user.mail_password_link')
      expect(JSON.stringify(rows)).not.toContain('/set-password/')
    })
  })
})

describe('Every link of a person', () => {
  onGateEngine((shop) => {
    const visitor = () => new Visitor(shop.running.url)
    const makeLink = async (userId: string) => new URL(await shop.running.app.people.makePasswordUrl(userId)).pathname
    const isOpen = async (link: string) => (await visitor().open(link)).status === 200

    it('ends with the first that is used, with all other ways in', async () => {
      const { userId } = await shop.running.another('links')
      const [first, second] = [await makeLink(userId), await makeLink(userId)]
      await send(visitor(), first, { name: 'L', password: PASSWORD })
      expect(await isOpen(second)).toBe(false)
      await addPasskey(shop, userId)
      const signedIn = visitor()
      await signIn(signedIn, 'links@example.com')
      await send(visitor(), '/forgot-password', { email: 'links@example.com' })
      const [message] = await awaited(shop, 'links@example.com', 1)
      const [third, mailed] = [await makeLink(userId), linkIn(message!)]
      expect((await visitor().open(mailed)).text).toContain('deletes your passkeys')
      await send(visitor(), mailed, { password: NEW })
      expect([await isOpen(third), await isSignedIn(signedIn)]).toEqual([false, false])
      expect(await shop.running.app.people.passkeys.list(userId)).toEqual([])
    })

    it('ends with a change of the password, and one that was mailed with a change of the address', async () => {
      const { userId } = await shop.running.another('changes')
      const { people, database } = shop.running.app
      const browser = visitor()
      await send(browser, await makeLink(userId), { name: 'C', password: PASSWORD })
      const link = await makeLink(userId)
      const you = '/dashboard/changes/you'
      const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.open(you)).html)![1]!
      await send(browser, `${you}/password`, { csrf, present: PASSWORD, password: NEW })
      expect(await isOpen(link)).toBe(false)
      await send(visitor(), '/forgot-password', { email: 'changes@example.com' })
      const [message] = await awaited(shop, 'changes@example.com', 1)
      const mailed = linkIn(message!)
      expect(await isOpen(mailed)).toBe(true)
      await database.transaction(({ db }) => giveAddress(db, userId, 'changed@example.com'))
      expect(await isOpen(mailed)).toBe(false)
      expect(await people.hasPassword(userId)).toBe(true)
    })
  })
})

describe('Tries', () => {
  onGateEngine(
    (shop) => {
      const tried = async (email: string, password = 'a wrong password', browser = new Visitor(shop.running.url)) => {
        const answer = await signIn(browser, email, password)
        return answer.status === 429 ? Number(answer.headers.get('retry-after')) : answer.status
      }

      it('are bounded by address, however it is written, and by network, but for browsers that are known', async () => {
        const known = new Visitor(shop.running.url)
        const { pathname } = new URL(shop.running.app.firstPasswordUrl!)
        await send(known, pathname, { name: 'A', email: 'a@x.com', password: PASSWORD })
        await send(known, '/sign-out', {})
        for (let tries = 0; tries < 3; tries++)
          expect(await tried(['a@x.com', 'A@X.com', ' a@x.com '][tries]!)).toBe(422)
        expect(await tried('a@X.com')).toBeGreaterThan(3)
        expect(await tried('b@x.com')).toBeGreaterThan(3)
        expect(await tried('A@x.com', PASSWORD, known)).toBe(303)
        expect(await tried('b@x.com', PASSWORD, known)).toBeGreaterThan(3)
        const { value, ...cookie } = known.cookies.get('shopwright_browser /')!
        const liar = new Visitor(shop.running.url)
        liar.cookies.set('shopwright_browser /', {
          ...cookie,
          value: value.replace(/.$/, (end) => (end === 'A' ? 'E' : 'A')),
        })
        expect(await tried('a@x.com', PASSWORD, liar)).toBeGreaterThan(3)
      })

      it('are bounded in a browser that is known as well', async () => {
        const known = new Visitor(shop.running.url)
        const { pathname } = new URL(
          await shop.running.app.people.makePasswordUrl(shop.running.app.firstAccount!.userId),
        )
        await send(known, pathname, { password: PASSWORD })
        const answers = [1, 2, 3, 4].map(() => tried('a@x.com', 'a wrong password', known))
        expect((await Promise.all(answers)).filter((one) => one === 422)).toHaveLength(3)
      })

      it('are those of a stranger in browsers that are known by an earlier password', async () => {
        const { firstAccount, people } = shop.running.app
        const setPassword = async (browser: Visitor, password: string) => {
          const { pathname } = new URL(await people.makePasswordUrl(firstAccount!.userId))
          await send(browser, pathname, { password })
        }
        const [thief, owner] = [new Visitor(shop.running.url), new Visitor(shop.running.url)]
        await setPassword(thief, PASSWORD)
        await setPassword(owner, NEW)
        for (let tries = 0; tries < 4; tries++) await tried('a@x.com')
        expect(await tried('a@x.com', PASSWORD, thief)).toBeGreaterThan(3)
        await send(owner, '/sign-out', {})
        expect(await tried('a@x.com', NEW, owner)).toBe(303)
      })
    },
    { SIGN_INS_PER_MINUTE: '3' },
  )
})

describe('The cookie of a session', () => {
  let running: RunningApp

  afterAll(() => running.close())

  it('is for https alone where the service is reached by it', async () => {
    running = await startApp({ publicUrl: 'https://shop.example' })
    const visitor = new Visitor(running.url)
    const { pathname } = new URL(running.app.firstPasswordUrl!)
    await send(visitor, pathname, { name: 'Ada', email: EMAIL, password: PASSWORD })
    expect([...visitor.cookies.keys()]).toEqual(['__Host-shopwright_session /', '__Host-shopwright_browser /'])
    const { attributes } = sessionOf(visitor)!
    for (const part of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax', 'Max-Age=2592000'])
      expect(attributes).toContain(`; ${part}`)
    expect(attributes).not.toMatch(/domain/i)
    const out = await send(visitor, '/sign-out', {})
    expect(out.headers.get('set-cookie')).toBe(
      '__Host-shopwright_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    )
  })

  it('works over http as well, where nothing else is there', async () => {
    const plain = await startApp()
    const visitor = new Visitor(plain.url)
    await send(visitor, new URL(plain.app.firstPasswordUrl!).pathname, { name: 'A', email: EMAIL, password: PASSWORD })
    expect([...visitor.cookies.keys()]).toEqual(['shopwright_session /', 'shopwright_browser /'])
    expect(sessionOf(visitor)!.attributes).toContain('; HttpOnly; SameSite=Lax')
    expect(sessionOf(visitor)!.attributes).not.toContain('Secure')
    await plain.close()
  })
})
