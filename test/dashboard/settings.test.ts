import { beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '../../src/contract/declarations/caller.ts'
import { addMember } from '../../src/resources/company/account/life/members.ts'
import { Client, Person as Consenting } from '../connect/oauth.ts'
import { fieldsOf, type Person, signIn } from '../support/person.ts'
import { onGateEngine } from '../support/shop.ts'
import { words } from '../support/words.ts'

const BASE = '/dashboard/my-shop'
const ROLES: Role[] = ['owner', 'admin', 'member']

/** Buttons of pages, what they send, and the least role that may press them. */
const BUTTONS: { page: string; to: string; fields: Record<string, string>; least: Role }[] = [
  { page: '/settings/account', to: '/settings/account', fields: { description: 'Paper' }, least: 'admin' },
  { page: '/settings/payments', to: '/settings/payments', fields: { key: 'sk_test_unknown' }, least: 'admin' },
  { page: '/settings/x402', to: '/settings/x402', fields: { x402_chain: 'base' }, least: 'admin' },
  { page: '/settings/test-accounts', to: '/settings/test-accounts', fields: { name: 'Trial' }, least: 'admin' },
  {
    page: '/settings/members',
    to: '/settings/members',
    fields: { email: 'x@example.com', role: 'member' },
    least: 'admin',
  },
  { page: '/settings/export', to: '/settings/export', fields: {}, least: 'owner' },
  { page: '/settings/deletion', to: '/settings/deletion', fields: { subdomain: 'not-this-one' }, least: 'owner' },
  { page: '/tags/new', to: '/tags/new', fields: { name: 'By anybody' }, least: 'member' },
]

describe('The settings', () => {
  onGateEngine((shop) => {
    const people = {} as Record<Role, Person>
    beforeAll(async () => {
      people.owner = await signIn(shop.running)
      for (const role of ['admin', 'member'] as const) {
        const someone = { name: `An ${role}`, email: `${role}@example.com`, role }
        const { userId } = await addMember(shop.running.app.database, shop.accountId, someone)
        people[role] = await signIn(shop.running, userId)
      }
    })

    it('offer a button to those who may press it, and refuse it to the others who press it anyway', async () => {
      for (const { page, to, fields, least } of BUTTONS) {
        for (const role of ROLES) {
          const may = ROLES.indexOf(role) <= ROLES.indexOf(least)
          const person = people[role]
          const { html } = await person.get(`${BASE}${page}`)
          const isShown = new RegExp(`<form[^>]* action="${BASE}${to}"`).test(html)
          expect([page, role, isShown]).toEqual([page, role, may])
          const { csrf } = fieldsOf((await person.get(`${BASE}/tags/new`)).html, `${BASE}/tags/new`)
          const answer = await person.post(`${BASE}${to}`, {
            ...fieldsOf(html, `${BASE}${to}`),
            csrf: csrf!,
            ...fields,
          })
          expect([page, role, answer.status === 403]).toEqual([page, role, !may])
        }
      }
    })

    it('show an account to members without a form, and say who may change it', async () => {
      const { html } = await people.member.get(`${BASE}/settings/account`)
      expect(words(html)).toContain('Only people with the role owner or admin can change this')
      expect(html).not.toContain('name="subdomain"')
      expect(words(html)).toContain('Subdomain my-shop')
      const saved = await people.admin.submit(`${BASE}/settings/account`, { support_email: 'help@example.com' })
      expect(saved.location).toBe(`${BASE}/settings/account?done=saved`)
      expect((await people.member.get(`${BASE}/settings/account`)).html).toContain('mailto:help@example.com')
    })

    it('list the programs that were let in, and end one', async () => {
      const client = await Client.registered(shop.running, { client_name: 'Helper <b>' })
      const tokens = await client.connect(await Consenting.owner(shop.running), { account: shop.accountId })
      const page = `${BASE}/developers/connections`
      const { html } = await people.owner.get(page)
      expect(words(html)).toContain('Helper &lt;b&gt; Not verified; returns to')
      const [, path = ''] = /action="([^"]+\/revoke)"/.exec(html)!
      expect(words((await people.member.get(page)).html)).toContain('No connections yet')
      const { csrf } = fieldsOf((await people.member.get(`${BASE}/tags/new`)).html, `${BASE}/tags/new`)
      expect((await people.member.post(path, { csrf: csrf! })).status).toBe(404)
      const ended = await people.owner.submit(page, {}, path)
      expect(words((await people.owner.get(ended.location!)).html)).toContain('Connection of “Helper &lt;b&gt;” ended.')
      expect((await client.refresh(tokens.refresh_token)).status).toBe(400)
    })

    it('export everything, and give the archive to owners alone', async () => {
      const page = `${BASE}/settings/export`
      await shop.settled()
      const begun = await people.owner.submit(page, {})
      expect(begun.status).toBe(303)
      await shop.settled()
      const { html } = await people.owner.get(page)
      const [, path = ''] = /href="([^"]+\/download)"/.exec(html)!
      expect((await people.admin.get(path)).status).toBe(403)
      const { location } = await people.owner.get(path)
      const archive = await fetch(new URL(location!, shop.running.url))
      expect([archive.status, (await archive.bytes()).subarray(0, 2)]).toEqual([200, new Uint8Array([0x50, 0x4b])])
      await people.owner.submit(page, {}, path.replace(/download$/, 'delete'))
      expect((await people.owner.get(page)).html).not.toContain(path)
    })

    it('delete a whole account once its name is typed, and nobody finds it any more', async () => {
      const doomed = await shop.running.another('doomed-shop')
      const owner = await signIn(shop.running, doomed.userId)
      const page = '/dashboard/doomed-shop/settings/deletion'
      const wrong = await owner.submit(page, { subdomain: 'doomed' })
      expect([wrong.status, words(wrong.html)]).toEqual([422, expect.stringContaining('doomed-shop')])
      const gone = await owner.submit(page, { subdomain: 'doomed-shop' })
      expect([gone.status, words(gone.html)]).toEqual([
        200,
        expect.stringMatching(/ is deleted Its tokens, subscriptions/),
      ])
      expect((await owner.get('/dashboard/doomed-shop')).location).toMatch(/^\/sign-in/)
      const { status } = await shop.api('GET', '/account', undefined, { token: doomed.token })
      expect(status).toBe(401)
      expect((await people.owner.get(BASE)).status).toBe(200)
    })
  })
})

describe('The form for an endpoint', () => {
  onGateEngine(
    (shop) => {
      it('says which setting lets receivers be on this machine, unless it is on', async () => {
        const person = await signIn(shop.running)
        const form = `${BASE}/developers/webhooks/new`
        for (const url of ['http://localhost:4000/in', 'https://127.0.0.1/in', 'http://[::1]:4000']) {
          const { status, html } = await person.submit(form, { url })
          const said = 'must be a public address, not this machine’s (for development, WEBHOOKS_ALLOW_LOOPBACK=true'
          expect([url, status, words(html)]).toEqual([url, 422, expect.stringContaining(said)])
        }
        const inside = await person.submit(form, { url: 'https://10.0.0.1/in' })
        expect(words(inside.html)).not.toContain('WEBHOOKS_ALLOW_LOOPBACK')
      })
    },
    { WEBHOOKS_ALLOW_LOOPBACK: 'false' },
  )
})
