import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '../../src/contract/declarations/caller.ts'
import { newId } from '../../src/contract/values/ids.ts'
import { peopleOf } from '../people/colleagues.ts'
import { askAt } from '../support/at-host.ts'
import { type NameServer, startNameServer } from '../support/name-server.ts'
import { type Body, onGateEngine } from '../support/shop.ts'
import { signedIn } from '../support/signed-in.ts'

let names: NameServer
let made = 0

describe('A site that is not for everyone', () => {
  beforeAll(async () => {
    names = await startNameServer()
  })
  afterAll(() => names.close())

  onGateEngine(
    (service) => {
      async function built(access_mode: string): Promise<Body> {
        const { id } = await service.post('/sites', { prompt: 'Paper.', subdomain: `closed-${++made}`, access_mode })
        await service.settled()
        return service.get(`/sites/${id}`)
      }
      const hostOf = ({ subdomain }: Body) => `${subdomain}.localhost`
      /** A colleague of the owner, by the cookie of a session. */
      const colleague = async (role: Role) => signedIn(service.running, (await peopleOf(service).add(role)).userId)
      const owner = () => signedIn(service.running, service.running.app.firstAccount!.userId)
      const own = (path: string, Cookie?: string) =>
        askAt(service.running, '127.0.0.1', path, Cookie === undefined ? {} : { headers: { Cookie } })
      const pathOf = (location: string) => new URL(location).pathname + new URL(location).search

      /** Goes to a site as a browser does that is signed in; the status of what it ends with, and the site's cookie. */
      async function visit(site: Body, session: string, host = hostOf(site)) {
        const first = await askAt(service.running, host, '/assets/style.css?v=1')
        const asked = await own(pathOf(first.headers.location!), session)
        if (asked.status !== 303) return { status: asked.status, cookie: '', text: asked.text }
        const entrance = new URL(asked.headers.location!)
        expect(entrance.hostname).toBe(host)
        const entered = await askAt(service.running, host, entrance.pathname + entrance.search)
        expect([entered.status, entered.headers.location]).toEqual([303, '/assets/style.css?v=1'])
        const cookie = entered.headers['set-cookie']![0]!
        const seen = await askAt(service.running, host, entered.headers.location, {
          headers: { Cookie: cookie.split(';')[0]! },
        })
        return { status: seen.status, cookie, text: seen.text, headers: seen.headers }
      }

      it('sends whoever is not signed in to the service, and shows nothing', async () => {
        const site = await built('account')
        for (const path of ['/', '/assets/style.css', '/nothing']) {
          const { status, headers, text } = await askAt(service.running, hostOf(site), path)
          expect([status, text]).toEqual([303, ''])
          expect(headers.location).toBe(
            `${service.running.url}/site-visits/${site.id}?host=${hostOf(site)}&path=${encodeURIComponent(path)}`,
          )
          expect(headers['set-cookie']).toBeUndefined()
        }
        const asked = await own(`/site-visits/${site.id}?host=${hostOf(site)}&path=%2F`)
        expect(asked.headers.location).toMatch(/^\/sign-in\?next=%2Fsite-visits%2F/)
      })

      it('lets in those whom its mode names, and nobody else', async () => {
        const session = { member: await colleague('member'), admin: await colleague('admin'), owner: await owner() }
        const stranger = await signedIn(service.running, (await service.running.another(`strangers-${++made}`)).userId)
        const expected = {
          account: { member: 200, admin: 200, owner: 200, stranger: 403 },
          admins_only: { member: 403, admin: 200, owner: 200, stranger: 403 },
          me_only: { member: 403, admin: 403, owner: 200, stranger: 403 },
        }
        for (const [mode, statuses] of Object.entries(expected)) {
          const site = await built(mode)
          for (const [who, status] of Object.entries(statuses))
            expect([mode, who, (await visit(site, { ...session, stranger }[who]!)).status]).toEqual([mode, who, status])
        }
      })

      it('keeps a visit in a cookie of its own host alone', async () => {
        const site = await built('account')
        const { cookie, headers } = await visit(site, await owner())
        expect(cookie).toMatch(/^shopwright_site=[^;]+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/)
        expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex, nofollow' })
      })

      it('takes no cookie, pass or session of another site, and none that was changed', async () => {
        const [site, other] = [await built('account'), await built('account')]
        const { cookie } = await visit(site, await owner())
        const value = cookie.split(';')[0]!
        const at = (host: string, Cookie: string) => askAt(service.running, host, '/', { headers: { Cookie } })
        expect((await at(hostOf(site), value)).status).toBe(200)
        expect((await at(hostOf(other), value)).status).toBe(303)
        for (const forged of [
          value.replace(/\.\d+\./, '.9999999999.'),
          `${value}x`,
          await owner(),
          'shopwright_site=x.1.y',
        ])
          expect((await at(hostOf(site), forged)).status).toBe(303)
        const asked = await own(`/site-visits/${site.id}?host=${hostOf(site)}&path=%2F`, await owner())
        const { pathname, search } = new URL(asked.headers.location!)
        expect((await askAt(service.running, hostOf(site), pathname + search)).status).toBe(303)
        expect((await askAt(service.running, hostOf(other), pathname + search)).status).toBe(403)
      })

      it('gives no pass for another host, and leads nowhere else', async () => {
        const site = await built('account')
        const session = await owner()
        for (const host of [
          'evil.example',
          `${hostOf(site)}.evil.example`,
          '',
          'localhost',
          hostOf(await built('account')),
        ])
          expect([host, (await own(`/site-visits/${site.id}?host=${host}&path=/`, session)).status]).toEqual([
            host,
            403,
          ])
        for (const unknown of [newId('aisite'), 'x', 'aisite_1'])
          expect((await own(`/site-visits/${unknown}?host=${hostOf(site)}`, session)).status).toBe(403)
        for (const path of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
          const query = new URLSearchParams({ host: hostOf(site), path })
          const { pathname, search } = new URL(
            (await own(`/site-visits/${site.id}?${query}`, session)).headers.location!,
          )
          const entered = await askAt(service.running, hostOf(site), pathname + search)
          expect([path, entered.headers.location]).toEqual([path, '/'])
        }
      })

      it('ends a visit with the membership, and follows its mode at once', async () => {
        const site = await built('account')
        const { userId } = await peopleOf(service).add('member')
        const { cookie } = await visit(site, await signedIn(service.running, userId))
        const look = async () =>
          (await askAt(service.running, hostOf(site), '/', { headers: { Cookie: cookie.split(';')[0]! } })).status
        expect(await look()).toBe(200)
        await service.patch(`/sites/${site.id}`, { access_mode: 'admins_only' })
        expect(await look()).toBe(403)
        await service.patch(`/sites/${site.id}`, { access_mode: 'account' })
        await service.running.app.database.transaction(({ db }) =>
          db.deleteFrom('memberships').where('user_id', '=', userId).execute(),
        )
        expect(await look()).toBe(403)
        await service.patch(`/sites/${site.id}`, { access_mode: 'public' })
        expect((await askAt(service.running, hostOf(site))).status).toBe(200)
      })

      describe('with a domain', () => {
        async function withDomain(access_mode: string) {
          const domain = `www.paper-${++made}.example.com`
          const { id } = await built(access_mode)
          const { domain_record: record } = await service.patch(`/sites/${id}`, { domain })
          await service.settled()
          return { id, domain, record }
        }
        async function prove({ id, domain, record }: Awaited<ReturnType<typeof withDomain>>): Promise<Body> {
          names.texts.set(record.name, [record.value])
          await service.patch(`/sites/${id}`, { domain })
          await service.settled()
          return service.get(`/sites/${id}`)
        }
        const known = async (domain: string) => (await own(`/site-hosts?domain=${domain}`)).status

        it('is served there once the domain is verified, and not before', async () => {
          const wanted = await withDomain('public')
          // Anybody could ask for the domain of somebody else: until it is proved it means nothing.
          expect([
            (await askAt(service.running, wanted.domain, '/healthz')).status,
            await known(wanted.domain),
          ]).toEqual([200, 404])
          await prove(wanted)
          const page = await askAt(service.running, wanted.domain)
          expect([page.status, page.text.includes('<h1>'), await known(wanted.domain)]).toEqual([200, true, 200])
          for (const path of ['/healthz', '/v1/products', '/dashboard'])
            expect((await askAt(service.running, wanted.domain.toUpperCase(), path)).status).toBe(404)
          await service.patch(`/sites/${wanted.id}`, { domain: null })
          expect(await known(wanted.domain)).toBe(404)
        })

        it('is never one of the service', async () => {
          const { id } = await built('public')
          for (const domain of [`www.${hostOf({ subdomain: 'x' })}`, 'nobody-yet.localhost'])
            expect(await service.refusal('PATCH', `/sites/${id}`, { domain })).toEqual({
              domain: ['belongs to this service; use the subdomain'],
            })
        })

        it('lets those in there who may visit it', async () => {
          const site = await prove(await withDomain('admins_only'))
          expect((await visit(site, await colleague('admin'), site.domain)).status).toBe(200)
          expect((await visit(site, await colleague('member'), site.domain)).status).toBe(403)
        })
      })
    },
    {
      get DNS_SERVERS() {
        return names.address
      },
    },
  )
})
