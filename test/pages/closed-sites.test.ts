import { expect, it } from 'vitest'
import type { Role } from '../../src/contract/declarations/caller.ts'
import { callAs, type Person, peopleOf } from '../people/colleagues.ts'
import { ask } from '../people/person.ts'
import { askAt } from '../support/at-host.ts'
import { signIn } from '../support/person.ts'
import { type Body, onEachEngine } from '../support/shop.ts'
import { signedIn } from '../support/signed-in.ts'

const REFUSED = 403

onEachEngine((service) => {
  const add = (role: Role): Promise<Person> => peopleOf(service).add(role)
  async function siteOf(maker: Person, access_mode: string): Promise<Body> {
    const { body } = await callAs(service, maker, 'POST', '/sites', { prompt: 'Paper.', access_mode })
    await service.settled()
    return service.get(`/sites/${body.id}`)
  }
  const modeOf = async ({ id }: Body): Promise<string> => (await service.get(`/sites/${id}`)).access_mode
  const change = async (site: Body, who: Person, body: object) =>
    (await callAs(service, who, 'PATCH', `/sites/${site.id}`, body)).status

  it('lets only those open or change a closed site who may visit it', async () => {
    const [maker, admin, editor] = [await add('admin'), await add('admin'), await add('editor')]
    const { owner } = peopleOf(service)
    const mayOpen: [mode: string, who: Person[], others: Person[]][] = [
      ['account', [editor, admin, owner], []],
      ['admins_only', [admin, owner], [editor]],
      ['me_only', [maker], [owner, admin, editor]],
    ]
    for (const [mode, insiders, outsiders] of mayOpen) {
      const site = await siteOf(maker, mode)
      for (const who of outsiders) {
        for (const access_mode of ['public', 'account', 'admins_only', 'me_only'])
          expect([mode, who.role, access_mode, await change(site, who, { access_mode })]).toEqual([
            ...[mode, who.role, access_mode, REFUSED],
          ])
        for (const other of [{ name: 'Taken' }, { subdomain: 'taken-over' }, { domain: 'www.taken.example.com' }])
          expect([mode, who.role, other, await change(site, who, other)]).toEqual([mode, who.role, other, REFUSED])
      }
      expect(await service.get(`/sites/${site.id}`)).toMatchObject({ access_mode: mode, name: site.name, domain: null })
      for (const who of insiders) {
        expect([mode, who.role, await change(site, who, { access_mode: 'public' })]).toEqual([mode, who.role, 200])
        await change(site, maker, { access_mode: mode })
      }
    }
  })

  it('lets nobody else build a closed site again, bring back what it showed, or say where it is', async () => {
    const [maker, admin] = [await add('admin'), await add('admin')]
    const site = await siteOf(maker, 'me_only')
    const task = `/tasks/${site.build_task_id}`
    const by = async (who: Person, method: string, path: string, body?: object) =>
      (await callAs(service, who, method, path, body)).status
    for (const body of [
      { active: true },
      { prompt: '# ruby\nputs 1' },
      { trigger_type: 'schedule', interval_seconds: 60 },
    ])
      expect([body, await by(admin, 'PATCH', task, body)]).toEqual([body, REFUSED])
    expect(await by(maker, 'PATCH', task, { active: true })).toBe(200)
    await service.settled()
    const builds = await service.db
      .selectFrom('site_builds')
      .selectAll()
      .where('site', '=', site.id)
      .orderBy('id')
      .execute()
    expect(builds.map(({ status }) => status)).toEqual(['complete', 'complete'])
    const back = `/site_builds/${builds[0]!.id}/bring_back`
    expect(await by(admin, 'POST', back)).toBe(REFUSED)
    expect(await by(maker, 'POST', back)).toBe(200)

    const { body } = await callAs(service, maker, 'POST', '/sites', {
      prompt: '# agent\nPaper.',
      access_mode: 'me_only',
    })
    const [run] = (await service.get(`/task_runs?ai_task_id=${body.build_task_id}`)).data
    const path = `/task_runs/${run.id}`
    expect(await by(admin, 'PATCH', path, { status: 'running' })).toBe(REFUSED)
    expect(await by(maker, 'PATCH', path, { status: 'running' })).toBe(200)
    expect(await by(admin, 'PATCH', path, { status: 'completed', summary: 'app_url: https://evil.example' })).toBe(
      REFUSED,
    )
    expect(await by(admin, 'PATCH', path, { status: 'canceled' })).toBe(200)
    expect(await by(admin, 'DELETE', `/sites/${site.id}`)).toBe(200)
  })

  it('counts everybody who takes part, as in a plan that another applies', async () => {
    const [maker, admin] = [await add('admin'), await add('admin')]
    const site = await siteOf(maker, 'me_only')
    const open = (one: Person, other: Person) =>
      ask(service, {
        ...{ method: 'PATCH', path: `/sites/${site.id}`, body: { access_mode: 'public' } },
        as: { ...one, limits: [{ userId: other.userId, tokenId: null, right: 'write' }] },
      })
    expect([(await open(maker, admin)).status, (await open(admin, maker)).status]).toEqual([REFUSED, REFUSED])
    expect(await modeOf(site)).toBe('me_only')
    expect((await open(maker, maker)).status).toBe(200)
  })

  it('says in the dashboard who can change it', async () => {
    const editor = await add('editor')
    const site = await siteOf(peopleOf(service).owner, 'admins_only')
    const browser = await signIn(service.running, editor.userId)
    const page = `/dashboard/my-shop/sites/${site.id}/edit`
    const answer = await browser.submit(page, { access_mode: 'public' })
    expect([answer.status, answer.html]).toEqual([
      REFUSED,
      expect.stringContaining('Only owners and admins can visit this site'),
    ])
    expect(await modeOf(site)).toBe('admins_only')
  })

  it('knows no site or host by a name that none can have', async () => {
    const Cookie = await signedIn(service.running, peopleOf(service).owner.userId)
    const answers = async (path: string) =>
      (await askAt(service.running, '127.0.0.1', path, { headers: { Cookie } })).status
    for (const name of ['%00', 'a%00', '%ED%A0%80', '__proto__', `${'x'.repeat(300)}`]) {
      for (const host of [name, `${name}.localhost`, `${name}.example.com`])
        expect([host, await answers(`/site-hosts?domain=${host}`)]).toEqual([host, 404])
      expect([name, await answers(`/site-visits/${name}?host=${name}`)]).toEqual([name, REFUSED])
    }
  })

  it('takes a pass once, also when it is used twice at the same time, and not from a look at the headers', async () => {
    const site = await siteOf(peopleOf(service).owner, 'account')
    const host = `${site.subdomain}.localhost`
    const Cookie = await signedIn(service.running, peopleOf(service).owner.userId)
    const enter = async () => {
      const asked = await askAt(service.running, '127.0.0.1', `/site-visits/${site.id}?host=${host}&path=/`, {
        headers: { Cookie },
      })
      const { pathname, search } = new URL(asked.headers.location!)
      return pathname + search
    }
    const pass = await enter()
    const stored = JSON.stringify(await service.db.selectFrom('verifications').selectAll().execute())
    expect(stored).not.toContain(new URLSearchParams(pass.split('?')[1]).get('pass'))
    expect((await askAt(service.running, host, pass, { method: 'HEAD' })).headers['set-cookie']).toBeUndefined()
    const all = await Promise.all([1, 2, 3, 4].map(() => askAt(service.running, host, pass)))
    expect(all.map(({ status }) => status).sort()).toEqual([303, 403, 403, 403])
    expect((await askAt(service.running, host, pass)).status).toBe(403)
    const late = await enter()
    await service.running.app.database.transaction(({ db }) =>
      db.updateTable('verifications').set({ expires_at: '2026-01-01T00:00:00.000Z' }).execute(),
    )
    expect((await askAt(service.running, host, late)).status).toBe(403)
  })
})
