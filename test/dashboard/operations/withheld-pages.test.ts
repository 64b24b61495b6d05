import { beforeAll, describe, expect, it, vi } from 'vitest'
import { ROLES, type Role, TOKEN_RIGHTS } from '../../../src/contract/declarations/caller.ts'
import { emailBody } from '../../../src/resources/dashboard/email-body.ts'
import { askModern, TASKS } from '../../mcp/modern.ts'
import { type DashboardUser, memberOf, ownerOf } from '../../support/dashboard.ts'
import { type Person, signIn } from '../../support/person.ts'
import { type Body, onEachEngine, onGateEngine, type Shop } from '../../support/shop.ts'
import { agentRuns, tokenOf } from './visitor.ts'

/** In the text of each program, in what it changes and in what it answers. */
const SECRET = 'hidden-door'
const ENDPOINT = `post("/webhook_endpoints", url: "https://example.com/hook/${SECRET}", enabled_events: ["product.created"])["secret"]`
const ALL: Role[] = ['owner', 'admin']
const MAY_APPLY: Role[] = [...ALL, 'member']

const play = async (person: DashboardUser, code: string, mode = 'execute'): Promise<Body> =>
  (await person.post('/playground', { code, mode })).answer

/** A program over all tags, one by one. */
const over = (block: string) => `# background: true\neach_batch(list("/tags"), of: 1) { |rows| ${block} }`

describe('Programs of others', () => {
  onGateEngine((shop) => {
    let people: Map<Role, Person>
    let ids: Record<'run' | 'open' | 'closed' | 'background', string>
    beforeAll(async () => {
      const owner = await ownerOf(shop)
      people = new Map()
      for (const role of ROLES) people.set(role, await signIn(shop.running, (await memberOf(shop, role)).caller.userId))
      await play(owner, 'post("/tags", name: "one")\npost("/tags", name: "two")["id"]')
      const closed = (await play(owner, ENDPOINT, 'dry_run')).plan
      await owner.post(`/plans/${closed}/reject`, { note: SECRET })
      const open = (await play(owner, ENDPOINT, 'dry_run')).plan
      const background = (await play(owner, over(`"${SECRET}"`))).result.background
      await play(owner, `# ${SECRET}\nraise "${SECRET}"`)
      const failed = async () => (await owner.get('/runs', { failed: true })).data[0]?.id
      await vi.waitFor(async () => expect(await failed()).toBeDefined(), { timeout: 30_000 })
      ids = { run: await failed(), open, closed, background }
    })

    const pages: [string, Role[]][] = [
      ['', ALL],
      ['/runs', ALL],
      ['/runs.csv', ALL],
      [`/runs.csv?query=${SECRET}`, ALL],
      ['/runs/{run}', ALL],
      ['/playground?run={run}', ALL],
      ['/plans.csv', MAY_APPLY],
      ['/plans.csv?state=rejected', ALL],
      ['/plans/{open}', MAY_APPLY],
      ['/plans/{open}?all=1', MAY_APPLY],
      ['/plans/{closed}', ALL],
      ['/playground?plan={open}', MAY_APPLY],
      ['/background_programs.csv', ALL],
      ['/background_programs/{background}', ALL],
    ]

    it.each(pages)('shows %s whole to those who may read it, and to nobody else', async (path, readers) => {
      const filled = path.replace(/\{(\w+)\}/, (_, name: keyof typeof ids) => ids[name])
      for (const role of ROLES) {
        const { status, html } = await people.get(role)!.get(`/dashboard/my-shop${filled}`)
        const opened = role === 'viewer' && path !== '' ? 403 : 200
        expect([role, status, html.includes(SECRET)]).toEqual([role, opened, readers.includes(role)])
      }
    })

    it('are unknown to tokens, whatever the right and the role', async () => {
      for (const role of ['owner', 'support'] as const) {
        const { caller } = await memberOf(shop, role)
        for (const right of TOKEN_RIGHTS) {
          const token = await tokenOf(shop, caller, right)
          for (const verb of ['status', 'stop', 'resume'])
            expect((await agentRuns(shop, token, `# ${verb}: ${ids.background}`)).error.type).toBe(
              'background_unavailable',
            )
          for (const verb of ['apply', 'withdraw'])
            expect((await agentRuns(shop, token, `# ${verb}: ${ids.open}`)).error.type).toBe('plan_unavailable')
          for (const id of [ids.background, ids.open]) expect((await handleOf(shop, token, id)).error.code).toBe(-32602)
        }
      }
    })

    it('are in letters to those alone who may decide on them', async () => {
      const [owner, support] = [await ownerOf(shop), await memberOf(shop, 'support')]
      const proposing = await tokenOf(shop, owner.caller, 'propose', 'Letter writer')
      await agentRuns(shop, proposing, ENDPOINT)
      const letters = async (): Promise<Body[]> =>
        (await owner.get('/emails', { limit: 100 })).data.filter(({ subject }: Body) =>
          subject.includes('Letter writer'),
        )
      await expect.poll(async () => (await letters()).length, { timeout: 30_000 }).toBeGreaterThan(0)
      const readers = (await letters()).map(({ to }) => to)
      expect(readers.filter((to) => /^(support|editor|viewer)/.test(to))).toEqual([])
      expect(readers.filter((to) => /^owner/.test(to)).length).toBeGreaterThan(0)
      for (const { id } of await letters())
        expect(await support.read(emailBody, id)).toMatchObject({ kept: false, text: null, html: null })
    })

    it('are counted as waiting on the home page of those who may read them, and of nobody else', async () => {
      await agentRuns(shop, await tokenOf(shop, shop.running.app.firstAccount!, 'propose'), ENDPOINT)
      for (const role of ROLES) {
        const { html } = await people.get(role)!.get('/dashboard/my-shop')
        expect([role, html.includes('waiting for a decision')]).toEqual([role, MAY_APPLY.includes(role)])
      }
    })
  })
})

describe('A background program', () => {
  onEachEngine((shop) => {
    let owner: DashboardUser
    beforeAll(async () => {
      owner = await ownerOf(shop)
      await play(owner, '4.times { |number| post("/tags", name: "tag #{number}") }')
    })

    it('says to a maker who has lost a role how far it is, and not what it returned', async () => {
      const maker = await memberOf(shop, 'admin')
      const token = await tokenOf(shop, maker.caller, 'write')
      const made = (await agentRuns(shop, token, over(ENDPOINT.replace('/hook/', '/hook/#{rand(10**12)}')))).result
      const now = async () => (await agentRuns(shop, token, `# status: ${made.background}`)).result
      await expect.poll(async () => (await now()).state, { timeout: 30_000 }).toBe('done')
      const answered = async () => (await handleOf(shop, token, made.background)).result.result.structuredContent
      for (const shown of [await now(), (await answered()).result]) expect(shown.last_value).toMatch(/^whsec_/)
      for (const role of ['support', 'viewer'] as const) {
        await become(shop, maker, role)
        const all = [await now(), await answered()]
        expect(JSON.stringify(all)).not.toContain('whsec_')
        expect(all[0]).toMatchObject({ state: 'done', done: 4 })
      }
      expect((await owner.get(`/background_programs/${made.background}`)).last_value).toContain('whsec_')
    })
  })

  // No job runs, so a program that has begun stays at work.
  onEachEngine(
    (shop) => {
      it('gets the last place where several start at once, and none of them a viewer', async () => {
        await play(await ownerOf(shop), '3.times { |number| post("/tags", name: "tag #{number}") }')
        const start = async (people: DashboardUser[]) => Promise.all(people.map((person) => play(person, over('1'))))
        const of = (...roles: Role[]) => Promise.all(roles.map((role) => memberOf(shop, role)))
        const began = (answers: Body[]) => answers.map(({ result }) => result?.state === 'running')
        expect(began(await start(await of('viewer', 'admin', 'editor', 'viewer')))).toEqual([true, true, true, true])
        const racing = await start(await of('viewer', 'editor', 'support', 'admin', 'viewer'))
        expect(began(racing).filter(Boolean)).toHaveLength(1)
        expect(began([racing[0]!, racing[4]!])).toEqual([false, false])
        for (const { error } of racing.filter((_, index) => !began(racing)[index]))
          expect(error.message).toMatch(/^[45] background programs of this account are at work/)
      })
    },
    { OUTBOUND_DISABLED: 'true' },
  )
})

async function handleOf(shop: Shop, token: string, taskId: string): Promise<Body> {
  const declared = { extensions: { [TASKS]: {} } }
  return (await askModern({ url: shop.running.url, token }, 'tasks/get', { taskId }, declared)).body
}

async function become(shop: Shop, { caller }: DashboardUser, role: Role): Promise<void> {
  await shop.running.app.database.transaction(({ db }) =>
    db.updateTable('memberships').set({ role }).where('user_id', '=', caller.userId).execute(),
  )
}
