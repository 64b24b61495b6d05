import { beforeAll, describe, expect, it } from 'vitest'
import type { AccountUser, Role, TokenRight } from '../../src/contract/declarations/caller.ts'
import { createToken, deleteToken } from '../../src/resources/dashboard/api-token/issue.ts'
import { agentRuns, type Dashboard, dashboardOf, member, ownerOf } from '../dashboard/operations/visitor.ts'
import { SECRET_KEY } from '../support/app.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'
import { ended, execute } from './support.ts'

/** Needs the role admin. */
const RENAME = 'patch("/account", description: "Taken over")["id"]'
const BLANK = { description: 'As it was' }
const NEEDS_ADMIN = /This requires one of the roles owner or admin/

describe('What is approved or changed does no more than each of those could do who had a part in it', () => {
  onGateEngine((shop) => {
    let owner: AccountUser
    let helper: AccountUser
    let ownersDashboard: Dashboard
    let helpersDashboard: Dashboard
    let helpers: Shop
    beforeAll(async () => {
      owner = ownerOf(shop)
      helper = await member(shop, 'member', 'helper@example.com')
      ownersDashboard = dashboardOf(shop, owner)
      helpersDashboard = dashboardOf(shop, helper, 'member')
      helpers = (await actingWith(helper)).shop
      await shop.patch('/account', BLANK)
    })

    const actingWith = async (person: AccountUser, right: TokenRight = 'write') => {
      const { database } = shop.running.app
      const { id, value } = await createToken(database, SECRET_KEY, person, { name: 'An agent', right })
      return { id, value, shop: shop.as({ token: value, accountId: shop.accountId }) }
    }
    const description = async () => (await shop.get('/account')).description
    const untouched = async (run: Body) => {
      expect(run).toMatchObject({ status: 'failed', error_message: expect.stringMatching(NEEDS_ADMIN) })
      expect(await description()).toBe(BLANK.description)
    }
    const setRole = (person: AccountUser, role: Role) =>
      shop.running.app.database.transaction(({ db }) =>
        db
          .updateTable('memberships')
          .set({ role })
          .where('account_id', '=', person.accountId)
          .where('user_id', '=', person.userId)
          .execute(),
      )
    const manual = (prompt: string, values: object = {}) =>
      shop.post('/tasks', { name: 'Owner’s', prompt: `# ruby\n${prompt}`, active: false, ...values })
    const taskOf = (prompt: string, values = '') =>
      `post("/tasks", name: "Planned", prompt: ${JSON.stringify(`# ruby\n${prompt}`).replaceAll('#', '\\#')}${values})["id"]`
    const newest = async (task: string) => {
      await shop.settled()
      const { data } = await shop.get(`/task_runs?ai_task_id=${task}`)
      return ended(shop, data[0].id)
    }

    it('a task that an owner’s agent planned and a member approves has the member’s rights', async () => {
      const agent = await actingWith(owner, 'propose')
      const { plan } = await agentRuns(shop, agent.value, taskOf(RENAME))
      const { body } = await helpersDashboard('POST', `/plans/${plan}/apply`, { body: {} })
      expect(body).toMatchObject({ failed: false })
      const task = body.answer.result
      expect((await newest(task)).status).not.toBe('completed')
      expect(await description()).toBe(BLANK.description)
    })

    it('a task that a member’s agent planned and an owner approves has the member’s rights', async () => {
      const agent = await actingWith(helper)
      const { plan } = await agentRuns(shop, agent.value, `# dry_run: true\n${taskOf(RENAME)}`)
      const { answer } = (await ownersDashboard('POST', `/plans/${plan}/apply`, { body: {} })).body
      await untouched(await newest(answer.result))
    })

    it('each run of a task that a proposing token planned is proposed too, whoever approved the task', async () => {
      const agent = await actingWith(owner, 'propose')
      const { plan } = await agentRuns(shop, agent.value, taskOf('post("/tags", name: "of a task")'))
      const { answer } = (await ownersDashboard('POST', `/plans/${plan}/apply`, { body: {} })).body
      const run = await newest(answer.result)
      expect(run).toMatchObject({ status: 'needs_input' })
      expect(await shop.listed('/tags?limit=100', 'name')).not.toContain('of a task')
      await shop.patch(`/task_runs/${run.id}`, { status: 'running' })
      expect(await ended(shop, run.id)).toMatchObject({ status: 'completed' })
      expect(await shop.listed('/tags?limit=100', 'name')).toContain('of a task')
    })

    it('the token of a plan still ends what the plan has made, and no plan of a deleted token is applied', async () => {
      const agent = await actingWith(owner)
      const { plan } = await agentRuns(shop, agent.value, `# dry_run: true\n${taskOf('puts 1', ', active: false')}`)
      const later = (await agentRuns(shop, agent.value, '# dry_run: true\npost("/tags", name: "late")["id"]')).plan
      const { answer } = (await ownersDashboard('POST', `/plans/${plan}/apply`, { body: {} })).body
      await deleteToken(shop.running.app.database, agent.id)
      await shop.patch(`/tasks/${answer.result}`, { active: true })
      expect(await newest(answer.result)).toMatchObject({
        status: 'failed',
        error_message: expect.stringMatching(/^Someone who wrote the prompt, .+ has lost access/),
      })
      const refused = (await ownersDashboard('POST', `/plans/${later}/apply`, { body: {} })).body
      expect(refused).toMatchObject({ failed: true, answer: { error: { type: 'plan_unavailable' } } })
    })

    it('a supervised run that a member approves asks again, until somebody approves who may', async () => {
      const task = await manual(RENAME, { approval_mode: 'supervised' })
      await shop.patch(`/tasks/${task.id}`, { active: true })
      const asked = await newest(task.id)
      expect(asked.status).toBe('needs_input')
      await helpers.patch(`/task_runs/${asked.id}`, { status: 'running' })
      const again = await ended(shop, asked.id)
      expect(again).toMatchObject({ status: 'needs_input', question: expect.stringMatching(NEEDS_ADMIN) })
      expect(await description()).toBe(BLANK.description)
      await shop.patch(`/task_runs/${asked.id}`, { status: 'running' })
      expect(await ended(shop, asked.id)).toMatchObject({ status: 'completed' })
      expect(await description()).toBe('Taken over')
      await shop.patch('/account', BLANK)
    })

    it('a program that approves a run approves it with the rights of whoever applies the program', async () => {
      const task = await manual(RENAME, { approval_mode: 'supervised' })
      await shop.patch(`/tasks/${task.id}`, { active: true })
      const asked = await newest(task.id)
      const approve = `post("/tags", name: "cover #{rand}")\npatch("/task_runs/${asked.id}", status: "running")["id"]`
      const proposing = await actingWith(owner, 'propose')
      const refused = await agentRuns(shop, proposing.value, approve)
      expect(refused.error).toMatchObject({ message: expect.stringContaining('can only propose') })
      const agent = await actingWith(owner)
      const plain = approve.replace(' #{rand}', '')
      const { plan } = await agentRuns(shop, agent.value, `# dry_run: true\n${plain}`)
      const { body } = await helpersDashboard('POST', `/plans/${plan}/apply`, { body: {} })
      expect(body).toMatchObject({ failed: false })
      expect(await ended(shop, asked.id)).toMatchObject({ status: 'needs_input' })
      expect(await description()).toBe(BLANK.description)
    })

    it('a run that a member starts by hand has the member’s rights, the next one of the owner’s not', async () => {
      const task = await manual(RENAME)
      await helpers.patch(`/tasks/${task.id}`, { active: true })
      await untouched(await newest(task.id))
      await shop.patch(`/tasks/${task.id}`, { active: true })
      expect(await newest(task.id)).toMatchObject({ status: 'completed' })
      await shop.patch('/account', BLANK)
    })

    const changes: [string, object, object][] = [
      ['another trigger', { trigger_type: 'event', event_types: ['tag.created'] }, {}],
      ['no approval', { approval_mode: 'auto' }, { approval_mode: 'supervised', ...EVENT }],
      ['other events', { event_types: ['tag.created'] }, { ...EVENT, event_types: ['product.created'] }],
      ['an end to its pause', { active: true }, { ...EVENT, active: false }],
    ]
    it.each(changes)(
      'a task that a member gives %s has the member’s rights from then on',
      async (_, change, before) => {
        const task = await manual(RENAME, { active: true, ...before })
        if (task.last_run) await newest(task.id)
        await shop.patch('/account', BLANK)
        await helpers.patch(`/tasks/${task.id}`, { active: true, ...change })
        await shop.tag()
        await untouched(await newest(task.id))
        await shop.patch(`/tasks/${task.id}`, { approval_mode: 'auto' })
        await shop.tag()
        await untouched(await newest(task.id))
        await shop.patch(`/tasks/${task.id}`, { prompt: `# ruby\n${RENAME}` })
        await shop.tag()
        expect(await newest(task.id)).toMatchObject({ status: 'completed' })
        await shop.patch('/account', BLANK)
        await shop.delete(`/tasks/${task.id}`)
      },
    )

    it('a pause, a name and a supervision that a member adds bound nothing', async () => {
      const task = await manual(RENAME, { active: true, ...EVENT })
      await helpers.patch(`/tasks/${task.id}`, { active: false, name: 'Another', approval_mode: 'supervised' })
      await shop.patch(`/tasks/${task.id}`, { active: true, approval_mode: 'auto' })
      await shop.tag()
      expect(await newest(task.id)).toMatchObject({ status: 'completed' })
      await shop.patch('/account', BLANK)
      await shop.delete(`/tasks/${task.id}`)
    })

    it('an owner who becomes a member, or leaves, takes the rights along', async () => {
      const second = await member(shop, 'owner', 'second@example.com')
      const seconds = (await actingWith(second)).shop
      const task = await seconds.post('/tasks', { name: 'Mine', prompt: `# ruby\n${RENAME}`, active: false })
      await setRole(second, 'member')
      await shop.patch(`/tasks/${task.id}`, { active: true })
      await untouched(await newest(task.id))
      await shop.running.app.database.transaction(({ db }) =>
        db.deleteFrom('memberships').where('user_id', '=', second.userId).execute(),
      )
      await shop.patch(`/tasks/${task.id}`, { active: true })
      expect(await newest(task.id)).toMatchObject({ status: 'failed' })
    })

    it('a task that a run makes is bounded as the run is', async () => {
      const task = await manual(taskOf(RENAME).replaceAll('\\#', '#'))
      await helpers.patch(`/tasks/${task.id}`, { active: true })
      expect(await newest(task.id)).toMatchObject({ status: 'completed' })
      const [made] = (await shop.get('/tasks?limit=1')).data
      expect(made.name).toBe('Planned')
      await untouched(await newest(made.id))
    })

    it('a person in the dashboard still does alone what the person may', async () => {
      const { result } = await execute(shop, taskOf(RENAME).replaceAll('\\#', '#'))
      expect(await newest(result)).toMatchObject({ status: 'completed' })
      await shop.patch('/account', BLANK)
    })
  })
})

const EVENT = { trigger_type: 'event', event_types: ['tag.created'] }
