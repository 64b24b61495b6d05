import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redirectTo, type Site, startSite } from '../support/local-site.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'

const REPOSITORY = 'repository: ada/paper-shop'
let made = 0
/** The directory for the results of agents. */
let elsewhere: Site
const lines = () => `Done.\napp_url: ${elsewhere.url}/\n${REPOSITORY}`

describe('The building of a site by an agent', () => {
  beforeAll(async () => {
    elsewhere = await startSite({ '/': 'Paper', '/new': 'New paper' })
  })
  afterAll(() => elsewhere.close())

  onGateEngine((service) => {
    const account = async (): Promise<Shop> => service.as(await service.running.another(`builds-${++made}`))
    const create = (shop: Shop, values: object = {}): Promise<Body> =>
      shop.post('/sites', { prompt: '# agent\nA calm window for paper.', name: 'Paper', ...values })
    const site = (shop: Shop, { id }: Body, query = ''): Promise<Body> => shop.get(`/sites/${id}${query}`)
    const runOf = async (shop: Shop, { build_task_id }: Body): Promise<Body> =>
      (await shop.get(`/task_runs?ai_task_id=${build_task_id}`)).data[0]
    const report = (shop: Shop, run: Body, values: object): Promise<Body> => shop.patch(`/task_runs/${run.id}`, values)
    /** Completes a run, and waits until its address was asked for. */
    async function complete(shop: Shop, run: Body, summary: string): Promise<void> {
      await report(shop, run, { status: 'completed', summary })
      await service.settled()
    }
    const problems = async (site: Body): Promise<unknown> => {
      const builds = service.db.selectFrom('site_builds').select('problems').where('site', '=', site.id)
      return (await builds.execute()).flatMap((one) => JSON.parse(one.problems))
    }
    /** Events of the site that a change leaves. */
    const saidBy = async (change: () => Promise<unknown>) =>
      (await service.eventsOf(change)).filter(({ data }) => data.object === 'ai_site')

    it('is a task with one run, which waits for a builder', async () => {
      const shop = await account()
      const created = await create(shop)
      const { build_task: task } = await site(shop, created, '?expand=build_task')
      expect(task).toMatchObject({
        ...{ object: 'task', id: created.build_task_id, name: 'Build site Paper' },
        ...{ trigger_type: 'manual', active: true, runs_count: 1 },
      })
      expect(task.prompt).toContain('A calm window for paper.')
      await service.settled()
      expect(await runOf(shop, created)).toMatchObject({ status: 'pending', task: task.id })
      expect((await site(shop, created)).build_status).toBe('queued')
      expect(await shop.refusal('GET', '/sites?expand=build_task')).toEqual([400, 'parameter_invalid', 'expand'])
    })

    it('builds a repository as well as a brief', async () => {
      const shop = await account()
      const created = await shop.post('/sites', { prompt: '# agent\nBuild it with npm.', repository: 'ada/paper' })
      expect((await shop.get(`/tasks/${created.build_task_id}`)).prompt).toMatch(/in the GitHub repository ada\/paper/)
      const run = await runOf(shop, created)
      await report(shop, run, { status: 'running' })
      await complete(shop, run, `app_url: ${elsewhere.url}/`)
      expect(await site(shop, created)).toMatchObject({ build_status: 'live', app_url: `${elsewhere.url}/` })
    })

    it('is no program of this service, whatever its brief says', async () => {
      const shop = await account()
      const created = await create(shop, { prompt: '# agent\n# ruby\npost("/tags", name: "Mine")' })
      await service.settled()
      expect((await runOf(shop, created)).status).toBe('pending')
      expect(await shop.listed('/tags')).toEqual([])
    })

    it('makes the site live when its run is completed, where the builder says', async () => {
      const shop = await account()
      const created = await create(shop)
      const run = await runOf(shop, created)
      const begun = await saidBy(() => report(shop, run, { status: 'running' }))
      expect(begun).toMatchObject([{ type: 'ai_site.updated', previous: { build_status: 'queued' } }])
      expect(await site(shop, created)).toMatchObject({ build_status: 'building', is_live: false })
      const [done, ...none] = await saidBy(() => complete(shop, run, lines()))
      expect([done!.type, none]).toEqual(['site.live', []])
      const live = await site(shop, created)
      expect(live).toMatchObject({
        ...{ is_live: true, build_status: 'live', app_url: `${elsewhere.url}/` },
        ...{ github_repo_full_name: 'ada/paper-shop', github_url: 'https://github.com/ada/paper-shop' },
      })
      expect(done!.data).toMatchObject({ id: created.id, is_live: true, app_url: `${elsewhere.url}/` })
      expect(await shop.listed('/sites?is_live=true')).toEqual([created.id])
    })

    it('fails a first build that does not say where the site is', async () => {
      const shop = await account()
      const created = await create(shop, { repository: 'ada/mine' })
      const run = await runOf(shop, created)
      await report(shop, run, { status: 'running' })
      await report(shop, run, { status: 'completed', summary: 'app_url: javascript:alert(1)' })
      expect(await site(shop, created)).toMatchObject({
        ...{ build_status: 'failed', is_live: false, app_url: null, github_repo_full_name: 'ada/mine' },
      })
    })

    it('is not live before its address has answered', async () => {
      const shop = await account()
      const soon = `/soon-${made}`
      const created = await create(shop)
      const run = await runOf(shop, created)
      await report(shop, run, { status: 'running' })
      await complete(shop, run, `app_url: ${elsewhere.url}${soon}`)
      expect(await site(shop, created)).toMatchObject({ build_status: 'building', is_live: false, app_url: null })
      elsewhere.pages.set(soon, redirectTo('/'))
      for (let tries = 0; tries < 100 && !(await site(shop, created)).is_live; tries++) await delay(100)
      expect(await site(shop, created)).toMatchObject({ build_status: 'live', app_url: `${elsewhere.url}${soon}` })
    })

    it.each([
      ['http://169.254.169.254/latest/meta-data/', 'must be a public address'],
      ['http://10.0.0.1/', 'must be a public address'],
      ['to-metadata', 'must be a public address'],
      ['for-ever', 'redirects more than 5 times'],
    ])('fails where the address is none that the service goes to: %s', async (given, problem) => {
      elsewhere.pages.set('/to-metadata', redirectTo('http://169.254.169.254/latest/meta-data/'))
      elsewhere.pages.set('/for-ever', redirectTo('/for-ever'))
      const shop = await account()
      const created = await create(shop)
      const run = await runOf(shop, created)
      await report(shop, run, { status: 'running' })
      await complete(shop, run, `app_url: ${new URL(given, elsewhere.url).href}`)
      expect(await site(shop, created)).toMatchObject({ build_status: 'failed', is_live: false, app_url: null })
      expect(await problems(created)).toEqual([expect.stringContaining(problem)])
    })

    it('fails with its run, and can be tried again by it', async () => {
      const shop = await account()
      const created = await create(shop)
      const run = await runOf(shop, created)
      await report(shop, run, { status: 'running' })
      const said = await saidBy(() => report(shop, run, { status: 'failed', error_message: 'No host.' }))
      expect(said.map(({ type }) => type)).toEqual(['site.failed'])
      expect(await site(shop, created)).toMatchObject({ build_status: 'failed', is_live: false })
      await shop.patch(`/tasks/${created.build_task_id}`, { active: true })
      const again = await runOf(shop, created)
      expect(again.id).not.toBe(run.id)
      await report(shop, again, { status: 'running' })
      await complete(shop, again, lines())
      expect(await site(shop, created)).toMatchObject({ build_status: 'live', is_live: true })
    })

    it('leaves a site live that is built again, even when that fails', async () => {
      const shop = await account()
      const created = await create(shop)
      const build = async (end: object) => {
        const run = await runOf(shop, created)
        await report(shop, run, { status: 'running' })
        await report(shop, run, end)
        await shop.patch(`/tasks/${created.build_task_id}`, { active: true })
      }
      await build({ status: 'completed', summary: lines() })
      await service.settled()
      await build({ status: 'failed' })
      expect(await site(shop, created)).toMatchObject({
        ...{ build_status: 'failed', is_live: true, app_url: `${elsewhere.url}/` },
      })
      const moved = await runOf(shop, created)
      await report(shop, moved, { status: 'running' })
      await complete(shop, moved, `app_url: ${elsewhere.url}/new`)
      expect(await site(shop, created)).toMatchObject({
        ...{ build_status: 'live', app_url: `${elsewhere.url}/new`, github_repo_full_name: 'ada/paper-shop' },
      })
    })

    it('has failed when its run is canceled or its task deleted', async () => {
      const shop = await account()
      const [one, other] = [await create(shop), await create(shop)]
      await report(shop, await runOf(shop, one), { status: 'canceled' })
      expect((await site(shop, one)).build_status).toBe('failed')
      const said = await saidBy(() => shop.delete(`/tasks/${other.build_task_id}`))
      expect(said.map(({ type }) => type)).toEqual(['site.failed'])
      expect(await site(shop, other)).toMatchObject({ build_status: 'failed', build_task_id: null, build_task: null })
    })

    it('ends when the site is deleted', async () => {
      const shop = await account()
      const created = await create(shop)
      const run = await runOf(shop, created)
      await shop.delete(`/sites/${created.id}`)
      expect(await shop.get(`/task_runs/${run.id}`)).toMatchObject({ status: 'canceled', task: null })
      expect(await shop.listed('/tasks')).toEqual([])
    })

    it('is of no other account', async () => {
      const [shop, other] = [await account(), await account()]
      const run = await runOf(shop, await create(shop))
      expect(await other.refusal('PATCH', `/task_runs/${run.id}`, { status: 'running' })).toEqual([
        404,
        'resource_missing',
      ])
    })
  })
})
