import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askAt } from '../support/at-host.ts'
import { type NameServer, startNameServer } from '../support/name-server.ts'
import { fieldsOf, signIn } from '../support/person.ts'
import { onGateEngine } from '../support/shop.ts'
import { words } from '../support/words.ts'

const BASE = '/dashboard/my-shop'
let names: NameServer

describe('The pages of sites', () => {
  beforeAll(async () => {
    names = await startNameServer()
  })
  afterAll(() => names.close())

  onGateEngine(
    (shop) => {
      it('order one of an agent, and show the task that builds it', async () => {
        const person = await signIn(shop.running)
        const prompt = '# agent\nA shop window for paper.'
        const made = await person.submit(`${BASE}/sites/new`, { prompt, name: 'Paper' })
        const page = await person.get(made.location!)
        const [, id] = /sites\/(\w+)/.exec(made.location!)!
        const { build_task_id: task } = await shop.get(`/sites/${id}`)
        expect(words(page.html)).toMatch(/“Paper” created\./)
        expect(page.html).toContain(`${BASE}/tasks/${task}`)
        expect(page.html).toContain('data-controller="refresh"')
        const [, steps = ''] = /<ol class="steps">([\s\S]*?)<\/ol>/.exec(page.html)!
        expect(steps.match(/class="badge/g)).toHaveLength(1)
        expect(words(steps).trim()).toBe('Queued Building Live')
        expect(words(page.html)).toContain('Its brief asks for an agent')
      })

      it('lead to a site that is built, build it again, and bring back what it showed before', async () => {
        const person = await signIn(shop.running)
        const { id, subdomain } = await shop.post('/sites', { prompt: 'A shop window.', name: 'First' })
        const own = `${BASE}/sites/${id}`
        const look = async () => words((await person.get(own)).html)
        const title = async () => /<h1>(.*?)<\/h1>/.exec((await askAt(shop.running, `${subdomain}.localhost`)).text)![1]
        await shop.settled()
        const { port } = new URL(shop.running.url)
        expect((await person.get(own)).html).toContain(`href="http://${subdomain}.localhost:${port}"`)
        expect(await look()).not.toContain('Bring back')
        await shop.patch(`/sites/${id}`, { name: 'Second' })
        const again = await person.submit(own, {}, `${own}/build`)
        expect(words((await person.get(again.location!)).html)).toContain('The site is built again.')
        await shop.settled()
        expect([await title(), await look()]).toEqual(['Second', expect.stringContaining('Bring back')])
        const [, path] = /action="([^"]+\/bring-back)"/.exec((await person.get(own)).html)!
        await person.submit(own, {}, path!)
        expect([await title(), await look()]).toEqual(['First', expect.stringContaining('Bring back')])
        const builds = await shop.db
          .selectFrom('site_builds')
          .selectAll()
          .where('site', '=', id)
          .orderBy('id')
          .execute()
        const { csrf } = fieldsOf((await person.get(own)).html, `${own}/build`)
        expect((await person.post(path!, { csrf: csrf! })).status).toBe(400)
        expect(builds.map(({ status }) => status)).toEqual(['complete', 'complete'])
        await person.submit(own, {}, `${own}/build`)
        await shop.settled()
        const kept = await shop.db
          .selectFrom('site_files')
          .select('build')
          .distinct()
          .where(
            'build',
            'in',
            builds.map((one) => one.id),
          )
          .execute()
        expect(kept).toEqual([{ build: builds[0]!.id }])
      })

      it('say what kept it from being built', async () => {
        const person = await signIn(shop.running)
        const { id } = await shop.post('/sites', { repository: 'ada/none' })
        await shop.settled()
        expect(words((await person.get(`${BASE}/sites/${id}`)).html)).toMatch(
          /The last build failed\. Build it again once the cause is gone\. The git host did not answer: The connection was refused\./,
        )
      })

      it('say for each kind of visitor who that is', async () => {
        const person = await signIn(shop.running)
        const { id } = await shop.post('/sites', { prompt: 'A shop window.' })
        const { html } = await person.get(`${BASE}/sites/${id}/edit`)
        expect(words(html)).toContain('Public: everyone. Account: the people of this account.')
      })

      it('give the record of a domain to set, look for it when asked, and say once it is found', async () => {
        const person = await signIn(shop.running)
        const { id } = await shop.post('/sites', { prompt: 'A shop window.' })
        const own = `${BASE}/sites/${id}`
        const domain = `www.paper-${id.slice(-6)}.example.com`
        await person.submit(`${own}/edit`, { domain })
        const { domain_record: record } = await shop.get(`/sites/${id}`)
        const page = await person.get(own)
        expect(words(page.html)).toContain(`Verify that you own ${domain}`)
        for (const part of [record.type, record.name, record.value]) expect(page.html).toContain(part)
        await shop.settled()
        const early = await person.submit(own, {}, `${own}/look`)
        expect(words((await person.get(early.location!)).html)).toContain(`Checking for the DNS record of ${domain}.`)
        await shop.settled()
        expect((await shop.get(`/sites/${id}`)).domain_verified).toBe(false)
        names.texts.set(record.name, [record.value])
        await person.submit(own, {}, `${own}/look`)
        await shop.settled()
        const { html } = await person.get(own)
        expect(words(html)).toContain(`Domain ${domain} Verified`)
        expect(html).not.toContain(record.value)
      })

      it('says which domain is none', async () => {
        const person = await signIn(shop.running)
        const { id } = await shop.post('/sites', { prompt: 'A shop window.' })
        const wrong = await person.submit(`${BASE}/sites/${id}/edit`, { domain: 'Not a domain' })
        expect([wrong.status, words(wrong.html)]).toEqual([
          422,
          expect.stringContaining('must be a domain in lower case'),
        ])
      })
    },
    {
      get DNS_SERVERS() {
        return names.address
      },
      // Nothing listens there.
      SITE_REPOSITORIES_URL: 'http://127.0.0.1:9999',
    },
  )
})
