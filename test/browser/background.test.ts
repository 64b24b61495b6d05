import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { agentRuns, dashboardOf, ownerOf, tokenOf } from '../dashboard/operations/visitor.ts'
import { type Person, signIn } from '../support/person.ts'
import { type Body, Shop } from '../support/shop.ts'
import { faultsOf, inChromium, keepScreenshot, SCREENS } from './browser.ts'

const BASE = '/dashboard/my-shop'

inChromium('Background programs, in a browser', (engine, openTab) => {
  const shop = new Shop()
  let person: Person
  /** Ids of programs, by what their pages show. */
  const programs = { running: '', waiting: '', failed: '', done: '' }
  let plan: string

  beforeAll(async () => {
    await shop.open(engine, {})
    person = await signIn(shop.running)
    for (const name of ['ash', 'birch', 'cedar', 'oak']) await shop.post('/tags', { name })
    const writing = await tokenOf(shop, ownerOf(shop), 'write', 'Writer')
    const proposing = await tokenOf(shop, ownerOf(shop), 'propose', 'Proposer')
    const start = async (token: string, block: string) =>
      agentRuns(
        shop,
        token,
        `# background: true\n# Rename the trees\neach_batch(list("/tags"), of: 1) { |rows| ${block} }`,
      )
    const rename = 'patch("/tags/#{rows[0]["id"]}", color: "#112233"); rows.size'
    programs.done = (await start(writing, rename)).result.background
    await state(programs.done, 'done')
    programs.failed = (
      await start(writing, 'raise "This tree is odd." if rows[0]["name"] == "birch"; 1')
    ).result.background
    await state(programs.failed, 'failed')
    plan = (
      await start(
        proposing,
        `${rename}\npost("/customers", email: "tree@example.com") if rows[0]["name"] == "birch"; 1`,
      )
    ).plan
    await dashboard('POST', `/plans/${plan}/apply`)
    const waiting = (await dashboard('GET', '/background_programs')).body.data.find((one: Body) => one.plan === plan)
    programs.waiting = waiting.id
    await state(waiting.id, 'waiting_for_approval')
    programs.running = (await start(writing, 'get("/account"); 1')).result.background
    // As if it had to wait for its rate limit for years.
    await shop.running.app.database.transaction(({ db }) =>
      db
        .updateTable('background_programs')
        .set({
          ...{ state: 'running', job: 'job_later', finished_at: null, next_at: '2100-01-01T00:00:00Z' },
          place: 1,
        })
        .where('id', '=', programs.running)
        .execute(),
    )
  })
  afterAll(() => shop.close())

  const dashboard = (...asked: Parameters<ReturnType<typeof dashboardOf>>) => dashboardOf(shop, ownerOf(shop))(...asked)
  async function state(id: string, wanted: string): Promise<void> {
    for (let tries = 0; tries < 300; tries++) {
      const { body } = await dashboard('GET', `/background_programs/${id}`)
      if (body.state === wanted) return
      await delay(100)
    }
    throw new Error(`${id} never was ${wanted}`)
  }

  const CASES = [
    { what: 'running', says: 'of 4 rows', buttons: ['Stop'] },
    { what: 'waiting', says: 'POST /customers', buttons: ['Go on', 'Stop'] },
    { what: 'failed', says: 'This tree is odd.', buttons: ['Go on'] },
    { what: 'done', says: '4 of 4 rows', buttons: [] },
  ] as const

  it.each(SCREENS)('shows how far each is, and what can be done with it, on a $name', async ({ name, ...screen }) => {
    const tab = await openTab(screen, person)
    for (const { what, says, buttons } of CASES) {
      await tab.page.goto(`${shop.running.url}${BASE}/background_programs/${programs[what]}`)
      expect(await tab.page.locator('h1').innerText()).toBe('Rename the trees')
      expect(await tab.page.locator('main').innerText()).toContain(says)
      const offered = await tab.page
        .locator('main')
        .getByRole('link', { name: /^(Go on|Stop)$/ })
        .allInnerTexts()
      expect(offered.toSorted()).toEqual(buttons)
      expect(await faultsOf(tab)).toEqual([])
      await keepScreenshot(tab.page, `background-${what}-${name}`)
    }
    await tab.close()
  })
})
