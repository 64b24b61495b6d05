import { beforeAll, expect, it, vi } from 'vitest'
import { ROLES, type Role } from '../../../src/contract/declarations/caller.ts'
import { mayDo } from '../../../src/contract/declarations/role-rights.ts'
import { planComparison } from '../../../src/resources/dashboard/plan-comparison/plan-comparison.ts'
import { type DashboardUser, memberOf, ownerOf } from '../../support/dashboard.ts'
import { type Body, onEachEngine } from '../../support/shop.ts'

/** In the text of each program, and in what it changes. */
const SECRET = 'hidden-door'

onEachEngine((shop) => {
  let owner: DashboardUser
  let people: Map<Role, DashboardUser>
  let plans: { endpoint: string; tag: string }
  let background: string
  const play = async (person: DashboardUser, code: string, mode = 'execute'): Promise<Body> =>
    (await person.post('/playground', { code, mode })).answer
  const endpoint = `post("/webhook_endpoints", url: "https://example.com/hook/${SECRET}", enabled_events: ["product.created"])["id"]`
  beforeAll(async () => {
    owner = await ownerOf(shop)
    people = new Map()
    for (const role of ROLES) people.set(role, await memberOf(shop, role))
    await play(owner, endpoint)
    await play(owner, `raise "${SECRET}"`)
    plans = {
      endpoint: (await play(owner, `${endpoint}\npost("/tags", name: "endpoint")["id"]`, 'dry_run')).plan,
      tag: (await play(owner, `post("/tags", name: "${SECRET}")["id"]`, 'dry_run')).plan,
    }
    await play(owner, 'post("/tags", name: "one")\npost("/tags", name: "two")["id"]')
    const over = `# background: true\n# ${SECRET}\neach_batch(list("/tags"), of: 1) { |rows| "${SECRET}" }`
    background = (await play(owner, over)).result.background
    await vi.waitFor(async () => expect((await owner.get('/runs', { limit: 100 })).data.length).toBeGreaterThan(5), {
      timeout: 30_000,
    })
  })

  const addresses = () => [
    ...['/runs', '/plans', '/background_programs', `/background_programs/${background}`],
    ...Object.values(plans).flatMap((id) => [`/plans/${id}`, `/plans/${id}/comparison`]),
  ]

  const answerOf = async (person: DashboardUser, path: string, query: object) => {
    if (!path.endsWith('/comparison')) return (await person.try('GET', path, undefined, { ...query }))[1]
    return person.read(planComparison, path.split('/')[2]!, 10).catch((error) => error)
  }

  it.each(ROLES)('are read by a person of the role %s as far as the person may', async (role) => {
    const person = people.get(role)!
    const all = mayDo(person.caller, 'programs.read_any')
    const { data: runs } = await owner.get('/runs', { limit: 100 })
    for (const path of [...addresses(), ...runs.map(({ id }: Body) => `/runs/${id}`)]) {
      const query = /^\/\w+$/.test(path) ? { limit: 100 } : {}
      const answer = await answerOf(person, path, query)
      const theirs = JSON.stringify(answer).includes(SECRET)
      const whole = await answerOf(owner, path, query)
      const mayDecide = mayDo(person.caller, 'programs.write') && mayDo(person.caller, 'customers.write')
      if (path.includes(plans.tag)) expect([path, theirs]).toEqual([path, all || mayDecide])
      else if (path === '/plans') continue
      else if (path.includes(plans.endpoint)) expect([path, theirs]).toEqual([path, all || role === 'member'])
      else expect([path, theirs]).toEqual([path, all && JSON.stringify(whole).includes(SECRET)])
    }
    const [, found] = await person.try('GET', '/runs', undefined, { query: SECRET, limit: 100 })
    expect((found.data ?? []).length > 0).toBe(all)
  })

  it('say to others who ran them, when, and how it ended', async () => {
    const { data } = await people.get('support')!.get('/runs', { limit: 100, failed: true })
    expect(data).toContainEqual(
      expect.objectContaining({ withheld: true, code: '', outcome: 'ruby_error', user_id: owner.caller.userId }),
    )
  })

  it('are decided on by whoever may read them, and by nobody else', async () => {
    const [support, admin] = [people.get('support')!, people.get('admin')!]
    const [rejected] = await support.try('POST', `/plans/${plans.endpoint}/reject`, {})
    expect(rejected).toBe(403)
    expect((await support.try('POST', `/plans/${plans.endpoint}/again`))[0]).toBe(403)
    const refused = await support.post(`/plans/${plans.endpoint}/apply`)
    expect(refused.answer.error.message).toMatch(/^Someone with the role owner, admin or member must apply this plan/)
    expect(JSON.stringify(await play(support, `# apply: ${plans.endpoint}`))).not.toContain(SECRET)
    expect((await support.post(`/plans/${plans.tag}/apply`)).failed).toBe(false)
    expect((await support.get(`/plans/${plans.tag}`)).withheld).toBe(false)
    expect((await people.get('editor')!.get(`/plans/${plans.tag}`)).withheld).toBe(true)
    expect((await admin.post(`/plans/${plans.endpoint}/reject`, { note: SECRET })).state).toBe('rejected')
    expect(JSON.stringify(await play(support, `# apply: ${plans.endpoint}`))).not.toContain(SECRET)
    expect(JSON.stringify(await support.get('/plans', { limit: 100 }))).not.toContain('hook')
  })

  it('are stopped and let go on by their caller, owners and admins', async () => {
    for (const role of ['support', 'editor', 'member', 'viewer'] as const) {
      const person = people.get(role)!
      for (const action of ['stop', 'resume'])
        expect((await person.try('POST', `/background_programs/${background}/${action}`))[0]).toBe(403)
      for (const verb of ['status', 'stop', 'resume'])
        expect((await play(person, `# ${verb}: ${background}`)).error.type).toBe('background_unavailable')
    }
    expect((await play(people.get('admin')!, `# status: ${background}`)).result.background).toBe(background)
  })
})
