import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type NameServer, startNameServer } from '../support/name-server.ts'
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
        const none = ['ada', 'ada/', '/paper', 'ada/pa per', 'https://github.com/ada/paper', '-a/paper', 'ada-/paper']
        const forms = [
          'ada/..',
          'ada/.',
          '../paper',
          './paper',
          'ada/.git',
          'ada/paper.git',
          'ada/Paper.GIT',
          'ada--b/x',
        ]
        const odd = ['ada/päper', 'ada/pa\nper', 'ada/pa%2fper', 'ada/a/b', 'ada/paper?', 'ada\\paper', 'a_b/paper']
        for (const wrong of [
          ...none,
          ...forms,
          ...odd,
          `${'a'.repeat(40)}/x`,
          `${'a-'.repeat(20)}a/x`,
          `a/${'x'.repeat(101)}`,
        ])
          expect([wrong, await shop.refusal('POST', '/sites', { repository: wrong })]).toEqual([
            wrong,
            { repository: [expect.stringContaining('must be owner/name as GitHub allows it')] },
          ])
        for (const right of [
          'a/b',
          `${'a'.repeat(39)}/x`,
          `a-b-c/${'x'.repeat(100)}`,
          'ada/..a',
          'ada/.github',
          'ada/_',
          'ada/-',
        ])
          expect((await shop.post('/sites', { repository: right })).github_repo_full_name).toBe(right)
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
          await shop.delete(`/sites/${mine.id}`)
          publish(theirs)
          await change(other, theirs, { domain })
          await service.settled()
          expect((await site(other, theirs)).domain_verified).toBe(true)
        })

        /** The next check that is planned of a shop, which takes place at once. */
        async function nextCheck({ accountId }: Shop, more: (payload: Body) => Body = (payload) => payload) {
          const jobs = service.db.selectFrom('jobs').selectAll().where('name', '=', 'site.check_domain')
          const [job] = await jobs.where('account_id', '=', accountId).where('state', '=', 'waiting').execute()
          if (!job) return null
          const payload = JSON.stringify(more(JSON.parse(job.payload)))
          await service.running.app.database.transaction(({ db }) =>
            db
              .updateTable('jobs')
              .set({ state: 'due', payload, run_at: '2026-01-01T00:00:00Z' })
              .where('id', '=', job.id)
              .execute(),
          )
          await service.settled()
          return Date.parse(job.run_at) - Date.parse(job.created_at)
        }

        it('looks again for three days, later and later, in real time', async () => {
          const shop = await account()
          const wanted = await change(shop, await create(shop), { domain: ownDomain() })
          await service.settled()
          const { updated_at: now } = await site(shop, wanted)
          const later = new Date(Date.parse(now) + 100 * HOUR_MS).toISOString().replace('.000', '')
          await service.running.app.advanceClock(shop.accountId, later)
          const askedBefore = (hours: number) => (payload: Body) => ({
            ...payload,
            since: new Date(Date.now() - hours * HOUR_MS).toISOString(),
          })
          expect(await nextCheck(shop, askedBefore(0.5))).toBeLessThan(HOUR_MS / 50)
          expect(await nextCheck(shop, askedBefore(5))).toBeGreaterThan(HOUR_MS / 3)
          expect(await nextCheck(shop, askedBefore(73))).toBeGreaterThan(HOUR_MS * 0.9)
          expect(await nextCheck(shop)).toBe(null)
          publish(wanted)
          await change(shop, wanted, { domain: wanted.domain })
          await service.settled()
          expect((await site(shop, wanted)).domain_verified).toBe(true)
        })

        it('is asked for once, however often the same domain is given', async () => {
          const shop = await account()
          const domain = ownDomain()
          const wanted = await change(shop, await create(shop), { domain })
          for (let time = 0; time < 5; time++) await change(shop, wanted, { domain })
          await service.settled()
          const before = names.asked.length
          for (let time = 0; time < 7; time++) await nextCheck(shop)
          expect(names.asked.length - before).toBeLessThanOrEqual(7)
          const jobs = service.db.selectFrom('jobs').select('id').where('name', '=', 'site.check_domain')
          expect(
            await jobs.where('account_id', '=', shop.accountId).where('state', '=', 'waiting').execute(),
          ).toHaveLength(1)
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
