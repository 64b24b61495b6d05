import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type NameServer, startNameServer } from '../support/name_server.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'

/** For an agent, so that nothing changes by itself. */
const BRIEF = '# agent\nA shop window for hand-made paper, calm and fast, with an archive.'
const HOUR_MS = 3600_000
let made = 0
let names: NameServer

describe('A site', () => {
  beforeAll(async () => {
    names = await startNameServer()
  })
  afterAll(() => names.close())

  onGateEngine(
    (service) => {
      const account = async (): Promise<Shop> =>
        service.as(await service.running.another(`sites-${++made}`, { test: true }))
      const create = (shop: Shop, values: object = {}): Promise<Body> =>
        shop.post('/sites', { prompt: BRIEF, ...values })
      const site = (shop: Shop, { id }: Body): Promise<Body> => shop.get(`/sites/${id}`)
      const change = (shop: Shop, { id }: Body, values: object): Promise<Body> => shop.patch(`/sites/${id}`, values)

      it('has its name and subdomain from its brief, and waits for a builder', async () => {
        const shop = await account()
        const created = await create(shop)
        expect(created).toMatchObject({
          object: 'ai_site',
          prompt: BRIEF,
          name: 'A shop window for hand-made paper',
          subdomain: expect.stringMatching(/^a-shop-window-for-hand-made-paper/),
          ...{ domain: null, domain_verified: false, domain_record: null },
          ...{ github_repo_full_name: null, github_url: null, app_url: null },
          ...{ access_mode: 'public', show_referral_badge: true, is_live: false, build_status: 'queued' },
        })
        expect(await site(shop, created)).toEqual(created)
      })

      it('has them from its repository otherwise', async () => {
        const shop = await account()
        const repository = `ada/papier-${++made}`
        expect(await shop.post('/sites', { repository })).toMatchObject({
          prompt: null,
          name: repository.slice(4),
          subdomain: repository.slice(4),
          github_repo_full_name: repository,
          github_url: `https://github.com/${repository}`,
          build_task_id: expect.stringMatching(/^aitask_/),
        })
        expect(await shop.refusal('POST', '/sites', { name: 'Neither' })).toEqual([400, 'parameter_missing', 'prompt'])
        for (const wrong of ['ada', 'ada/', '/paper', 'ada/pa per', 'https://github.com/ada/paper', '-a/paper'])
          expect([wrong, Object.keys(await shop.refusal('POST', '/sites', { repository: wrong }))]).toEqual([
            wrong,
            ['repository'],
          ])
      })

      it('has a subdomain that no other site has, in any account', async () => {
        const [shop, other] = [await account(), await account()]
        const subdomain = `paper-${++made}`
        const first = await create(shop, { subdomain })
        expect(await other.refusal('POST', '/sites', { prompt: BRIEF, subdomain })).toEqual({
          subdomain: ['has already been taken'],
        })
        const second = await create(other, { name: subdomain })
        expect(second.subdomain).toBe(`${subdomain}-1`)
        expect(await other.refusal('PATCH', `/sites/${second.id}`, { subdomain })).toEqual({
          subdomain: ['has already been taken'],
        })
        expect((await change(shop, first, { subdomain })).subdomain).toBe(subdomain)
        await shop.delete(`/sites/${first.id}`)
        expect((await change(other, second, { subdomain })).subdomain).toBe(subdomain)
        for (const wrong of ['ab', 'Paper', 'a--b', '-ab', 'a.b', 'x'.repeat(64)])
          expect([
            wrong,
            Object.keys(await shop.refusal('POST', '/sites', { prompt: BRIEF, subdomain: wrong })),
          ]).toEqual([wrong, ['subdomain']])
      })

      it('gets different subdomains when many of the same name are made at once', async () => {
        const shop = await account()
        const name = `Crowd ${++made}`
        const all = await Promise.all(Array.from({ length: 12 }, () => create(shop, { name })))
        expect(new Set(all.map(({ subdomain }) => subdomain)).size).toBe(12)
      })

      it('is named whatever its brief is written in', async () => {
        const shop = await account()
        const named = async (prompt: string) => {
          const { name, subdomain } = await create(shop, { prompt })
          expect(subdomain).toMatch(/^[a-z0-9](-?[a-z0-9])*$/)
          expect(subdomain.length).toBeGreaterThan(2)
          return name
        }
        expect(await named('紙の店')).toBe('紙の店')
        expect(await named('!')).toBe('Site')
        expect([...(await named('x'.repeat(9_000)))].length).toBe(60)
        expect(await named(`${'👩‍🎨'.repeat(80)} end`)).toMatch(/^👩/u)
      })

      it('cannot be made live, verified or built by those who have it', async () => {
        const shop = await account()
        const created = await create(shop)
        const forged = { is_live: true, domain_verified: true, build_status: 'live', app_url: 'https://evil.example' }
        expect(await change(shop, created, forged)).toEqual(created)
        expect(await create(shop, forged)).toMatchObject({ is_live: false, build_status: 'queued', app_url: null })
      })

      it('is found by whether it is live', async () => {
        const shop = await account()
        const { id } = await create(shop)
        expect(await shop.listed('/sites?is_live=false&build_status=queued')).toEqual([id])
        expect(await shop.listed('/sites?is_live=true')).toEqual([])
      })

      describe('with a domain', () => {
        /** Puts the record of a site into the domain name system. */
        const publish = ({ domain_record: { name, value } }: Body) => names.texts.set(name, ['v=spf1 -all', value])
        const ownDomain = () => `www.shop-${++made}.example.com`
        async function verified(shop: Shop, domain: string): Promise<Body> {
          const wanted = await change(shop, await create(shop), { domain })
          publish(wanted)
          await change(shop, wanted, { domain })
          await service.settled()
          return site(shop, wanted)
        }

        it('shows the record that proves whose it is, and has proved it once the record is there', async () => {
          const shop = await account()
          const domain = ownDomain()
          const wanted = await change(shop, await create(shop), { domain })
          expect(wanted).toMatchObject({
            domain,
            domain_verified: false,
            domain_record: {
              type: 'TXT',
              name: `_shopwright.${domain}`,
              value: expect.stringMatching(/^shopwright-site=[\w-]{43}$/),
            },
          })
          await service.settled()
          expect((await site(shop, wanted)).domain_verified).toBe(false)
          publish(wanted)
          const events = await service.eventsOf(async () => {
            await change(shop, wanted, { domain })
            await service.settled()
          })
          expect(events).toMatchObject([
            { type: 'ai_site.updated', data: { domain_verified: true }, previous: { domain_verified: false } },
          ])
          expect(events[0]!.data).not.toHaveProperty('domain_record')
          expect(await site(shop, wanted)).toMatchObject({ domain_verified: true, domain_record: null })
        })

        it('has to prove another domain anew', async () => {
          const shop = await account()
          const proved = await verified(shop, ownDomain())
          expect(proved.domain_verified).toBe(true)
          const same = await change(shop, proved, { domain: proved.domain, name: 'Renamed' })
          expect(same.domain_verified).toBe(true)
          const moved = await change(shop, proved, { domain: ownDomain() })
          expect([moved.domain_verified, moved.domain_record.name]).toEqual([false, `_shopwright.${moved.domain}`])
          const without = await change(shop, proved, { domain: null })
          expect(without).toMatchObject({ domain: null, domain_verified: false, domain_record: null })
        })

        it('proves nothing by the record of another site or another domain', async () => {
          const [shop, other] = [await account(), await account()]
          const domain = ownDomain()
          const mine = await change(shop, await create(shop), { domain })
          const theirs = await change(other, await create(other), { domain })
          expect(mine.domain_record.value).not.toBe(theirs.domain_record.value)
          publish(mine)
          await change(other, theirs, { domain })
          await service.settled()
          expect((await site(other, theirs)).domain_verified).toBe(false)
          await change(shop, mine, { domain })
          await service.settled()
          expect((await site(shop, mine)).domain_verified).toBe(true)
          const another = await create(other)
          expect(await other.refusal('PATCH', `/sites/${another.id}`, { domain })).toEqual({
            domain: ['has already been taken'],
          })
          await shop.delete(`/sites/${mine.id}`)
          publish(theirs)
          await change(other, theirs, { domain })
          await service.settled()
          expect((await site(other, theirs)).domain_verified).toBe(true)
        })

        it('looks again for three days, later and later', async () => {
          const shop = await account()
          const domain = ownDomain()
          const wanted = await change(shop, await create(shop), { domain })
          await service.settled()
          const { updated_at: now } = await site(shop, wanted)
          const at = (hours: number) => new Date(Date.parse(now) + hours * HOUR_MS).toISOString().replace('.000', '')
          const asked = () => names.asked.filter((name) => name === wanted.domain_record.name).length
          await service.running.app.advanceClock(shop.accountId, at(24))
          const ofOneDay = asked()
          expect(ofOneDay).toBeGreaterThan(24)
          expect(ofOneDay).toBeLessThan(40)
          publish(wanted)
          await service.running.app.advanceClock(shop.accountId, at(26))
          expect((await site(shop, wanted)).domain_verified).toBe(true)

          const never = await change(shop, await create(shop), { domain: ownDomain() })
          await service.running.app.advanceClock(shop.accountId, at(26 + 100))
          const jobs = service.db.selectFrom('jobs').select('id').where('name', '=', 'site.verify_domain')
          const left = jobs.where('account_id', '=', shop.accountId).where('state', '!=', 'done')
          expect(await left.execute()).toEqual([])
          expect((await site(shop, never)).domain_verified).toBe(false)
        })

        it('is asked for once, however often the same domain is given', async () => {
          const shop = await account()
          const domain = ownDomain()
          const wanted = await change(shop, await create(shop), { domain })
          for (let time = 0; time < 5; time++) await change(shop, wanted, { domain })
          await service.settled()
          const { updated_at } = await site(shop, wanted)
          const before = names.asked.length
          const later = new Date(Date.parse(updated_at) + 4 * HOUR_MS).toISOString().replace('.000', '')
          await service.running.app.advanceClock(shop.accountId, later)
          expect(names.asked.length - before).toBeLessThan(16)
        })

        it('needs a name that can be one', async () => {
          const shop = await account()
          const { id } = await create(shop)
          const wrong = ['example', 'https://example.com', 'WWW.example.com', 'a b.com', '10.0.0.1', '-a.com', 'a..com']
          for (const domain of [...wrong, `${'a'.repeat(64)}.com`, `${'a.'.repeat(127)}com`])
            expect([domain, Object.keys(await shop.refusal('PATCH', `/sites/${id}`, { domain }))]).toEqual([
              domain,
              ['domain'],
            ])
          const idn = `xn--papier-${++made}-n2a.xn--p1ai`
          expect((await change(shop, { id }, { domain: idn })).domain).toBe(idn)
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
