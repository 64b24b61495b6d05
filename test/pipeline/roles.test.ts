import { describe, expect, it } from 'vitest'
import { ROLES, type Role } from '../../src/contract/declarations/caller.ts'
import { commonRoles, cover, ROLE_RIGHTS, rightFor, rolesWith } from '../../src/contract/declarations/role-rights.ts'
import { type DashboardUser, memberOf, ownerOf } from '../support/dashboard.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { type Body, onEachEngine, onGateEngine, type Shop } from '../support/shop.ts'

const REFUSED = /This requires (the role|one of the roles)/

describe('What each role may', () => {
  onGateEngine(
    (shop) => {
      const all = () => shop.running.app.pipeline.dashboardOperations
      const filled = (path: string) => path.replaceAll(/\{[^}]+\}/g, 'none_00000000000000000000000000')

      it('is said of every operation', () => {
        const unsaid = all().filter(({ noun }) => rightFor(noun, false) === 'ownership.write')
        expect(unsaid.map(({ id }) => id)).toEqual([])
      })

      it('is a set of rights, each of which somebody has', () => {
        for (const { needs } of all()) expect(rolesWith(needs)).not.toEqual([])
        for (const role of ROLES) expect(cover(['owner'], role)).toBe(true)
        expect(cover(['editor'], 'support') || cover(['support'], 'editor')).toBe(false)
        expect(commonRoles(['editor', 'support'])).toEqual(['viewer'])
        for (const role of ['editor', 'support', 'viewer'] as const)
          expect([cover(['member'], role), cover([role], 'member')]).toEqual([true, false])
      })

      it('leaves a member exactly what members could do', () => {
        const forAdmins = all().filter(({ needs }) => !ROLE_RIGHTS.member.has(needs))
        expect(forAdmins.map(({ id }) => id).toSorted()).toEqual(NOT_FOR_MEMBERS.toSorted())
      })

      it('gives viewers nothing to write but what is their own', () => {
        const written = all().filter(({ needs, writes }) => writes && ROLE_RIGHTS.viewer.has(needs))
        expect(written.map(({ id }) => id).toSorted()).toEqual(OWN.toSorted())
        const secret = [
          'retrieve_payment_settings',
          'list_account_exports',
          'list_webhook_endpoints',
          'list_invitations',
        ]
        for (const { id, needs } of all())
          if (secret.includes(id)) expect([id, rolesWith(needs).includes('viewer')]).toEqual([id, false])
      })

      it.each(ROLES)(
        'is what a person, a token and a program of the role %s are held to',
        async (role) => {
          const person = await memberOf(shop, role)
          const token = await tokenOf(shop, role)
          const wrong: unknown[] = []
          for (const { method, path, needs, callers } of all()) {
            const refused = !ROLE_RIGHTS[role].has(needs)
            const asked = await person.try(method, filled(path), method === 'GET' ? undefined : {})
            if (isRefused(asked[1]) !== refused) wrong.push(['person', method, path])
            if (
              !callers.includes('token') ||
              !shop.operations.some((one) => one.path === path && one.method === method)
            )
              continue
            const answer = await shop.running.api(method, filled(path), method === 'GET' ? undefined : {}, { token })
            if (isRefused(answer.body) !== refused) wrong.push(['token', method, path])
          }
          const names = shop.operations.filter(({ outside, rate }) => !outside && rate !== 'slow')
          const calls = names.map(({ method, path }) => [method.toLowerCase(), filled(path)])
          for (let start = 0; start < calls.length; start += 12)
            for (const [method, path, message] of await inProgram(person, calls.slice(start, start + 12)))
              if (REFUSED.test(message!) === mayCall(shop, role, method!, path!, filled))
                wrong.push(['program', method, path])
          expect(wrong).toEqual([])
        },
        60_000,
      )
    },
    { RATE_LIMIT_PER_MINUTE: '1000000' },
  )
})

function isRefused(body: Body): boolean {
  return REFUSED.test(body.error?.message ?? '')
}

function mayCall(shop: Shop, role: Role, method: string, path: string, filled: (path: string) => string): boolean {
  const operation = shop.operations.find((one) => one.method.toLowerCase() === method && filled(one.path) === path)!
  return ROLE_RIGHTS[role].has(operation.needs)
}

/** What each call of a program is refused with, `''` where it is not. */
async function inProgram(person: DashboardUser, calls: string[][]): Promise<string[][]> {
  const code = `${JSON.stringify(calls)}.map { |method, path| answer = %w[get delete].include?(method) ? send(method, path) : send(method, path, {}); [method, path, answer["error"] ? answer["error"]["message"] : ""] }`
  const { answer } = await person.post('/playground', { code, mode: 'dry_run' })
  if (answer.result) return answer.result
  // On a busy machine fewer calls fit into the time that a program may take from others.
  if (answer.error?.type !== 'writer_held_too_long' || calls.length === 1)
    throw new Error(JSON.stringify(answer).slice(0, 500))
  const middle = Math.ceil(calls.length / 2)
  return [...(await inProgram(person, calls.slice(0, middle))), ...(await inProgram(person, calls.slice(middle)))]
}

/** A token of the owner that is limited to a role. */
async function tokenOf(shop: Shop, role: Role): Promise<string> {
  const owner = await ownerOf(shop)
  return (await owner.post('/api_tokens', { name: role, role })).value
}

const OWN = [
  ...['revoke_connection', 'remove_member', 'delete_api_token', 'advance_test_account', 'delete_test_account'],
  ...['play_program', 'save_view', 'change_saved_view', 'delete_saved_view', 'set_own_letters'],
]

const NOT_FOR_MEMBERS = [
  ...['update_account', 'update_x402_configuration', 'delete_form_submission', 'update_member', 'create_test_account'],
  ...['list_invitations', 'create_invitation', 'resend_invitation', 'revoke_invitation', 'set_own_model'],
  ...['remove_own_model', 'delete_account', 'list_account_exports', 'retrieve_account_export'],
  ...['create_account_export', 'delete_account_export', 'list_log_entries', 'retrieve_log_entry', 'set_refund_limit'],
  ...['connect_payments', 'begin_payment_onboarding', 'check_payment_connection', 'remove_payment_connection'],
  ...['delete_payment_connection', 'set_buyer_letters'],
]

describe('Roles', () => {
  onEachEngine((shop) => {
    const refusal = async (person: DashboardUser, method: string, path: string, body?: unknown) => {
      const [status, answer] = await person.try(method, path, body)
      return [status, answer.error?.code]
    }
    const DENIED = [403, 'permission_denied']

    it('are not escalated', async () => {
      const [admin, editor, support, viewer] = await Promise.all(
        (['admin', 'editor', 'support', 'viewer'] as const).map((role) => memberOf(shop, role)),
      )
      const invite = (role: Role) => ({ email: `${role}-${Math.random()}@example.com`, role })
      expect(await refusal(editor!, 'POST', '/invitations', invite('admin'))).toEqual(DENIED)
      expect(await refusal(admin!, 'POST', '/invitations', invite('owner'))).toEqual(DENIED)
      expect(await refusal(support!, 'POST', '/api_tokens', { name: 'Mine' })).toEqual(DENIED)
      expect(await refusal(admin!, 'POST', '/api_tokens', { name: 'Mine', role: 'owner' })).toEqual(DENIED)
      expect(
        await refusal(await memberOf(shop, 'member'), 'PATCH', `/members/${viewer!.caller.userId}`, { role: 'admin' }),
      ).toEqual(DENIED)
      expect(await refusal(admin!, 'PATCH', `/members/${admin!.caller.userId}`, { role: 'owner' })).toEqual(DENIED)
      expect(await refusal(support!, 'DELETE', `/members/${viewer!.caller.userId}`)).toEqual(DENIED)
      const owner = await ownerOf(shop)
      const { answer } = await owner.post('/playground', {
        code: 'post("/tags", name: "a plan")["id"]',
        mode: 'dry_run',
      })
      expect(await refusal(viewer!, 'POST', `/plans/${answer.plan}/apply`)).toEqual(DENIED)
      expect(await refusal(viewer!, 'POST', `/plans/${answer.plan}/reject`, {})).toEqual(DENIED)
      const { answer: around } = await viewer!.post('/playground', { code: `# apply: ${answer.plan}`, mode: 'execute' })
      expect(JSON.stringify(around)).toMatch(REFUSED)
    })

    it('bound a plan by those of its planner and of its approver', async () => {
      const [admin, editor, support] = await Promise.all(
        (['admin', 'editor', 'support'] as const).map((role) => memberOf(shop, role)),
      )
      const plan = async (person: DashboardUser, code: string) =>
        (await person.post('/playground', { code, mode: 'dry_run' })).answer.plan
      const tags = await plan(admin!, 'post("/tags", name: "by support")["id"]')
      const refused = await editor!.post(`/plans/${tags}/apply`)
      expect([refused.failed, refused.answer.error.message]).toEqual([
        true,
        expect.stringMatching(/^Someone with the role owner, admin, support or member must apply this plan/),
      ])
      expect((await support!.post(`/plans/${tags}/apply`)).failed).toBe(false)
      // The planner may do less now than when it was planned.
      const product = await plan(editor!, 'post("/products", name: "planned")["id"]')
      await shop.running.app.database.transaction(({ db }) =>
        db.updateTable('memberships').set({ role: 'viewer' }).where('user_id', '=', editor!.caller.userId).execute(),
      )
      expect((await admin!.post(`/plans/${product}/apply`)).failed).toBe(true)
    })

    it('count at once for tokens and for what the person is shown of oneself', async () => {
      const owner = await ownerOf(shop)
      const admin = await memberOf(shop, 'admin')
      const { value: token } = await admin.post('/api_tokens', { name: 'Mine' })
      const { value: limited } = await admin.post('/api_tokens', { name: 'Limited', role: 'editor' })
      const roles = async (one: string) => (await shop.api('GET', '/me', undefined, { token: one })).body.roles
      const write = async (one: string, path: string) =>
        (await shop.api('POST', path, { name: `n${Math.random()}` }, { token: one })).status
      expect([await roles(token), await roles(limited)]).toEqual([['admin'], ['editor']])
      expect([await write(token, '/tags'), await write(limited, '/tags'), await write(limited, '/products')]).toEqual([
        201, 403, 201,
      ])
      await owner.try('PATCH', `/members/${admin.caller.userId}`, { role: 'support' })
      expect([await roles(token), await roles(limited)]).toEqual([['support'], ['viewer']])
      expect([await write(token, '/products'), await write(token, '/tags'), await write(limited, '/products')]).toEqual(
        [403, 201, 403],
      )
    })

    it('let support refund an order up to the limit, together and in whatever way', async () => {
      const owner = await ownerOf(shop)
      const [one, other] = [await memberOf(shop, 'support'), await memberOf(shop, 'support')]
      const { id: price } = await priceForSale(shop)
      const { id: order } = await sell(shop, [{ price_variant: price }])
      const refund = (person: DashboardUser, amount: number) => refusal(person, 'POST', '/refunds', { order, amount })
      expect(await refund(one, 1)).toEqual(DENIED)
      expect((await owner.try('PATCH', '/refund_limits', { currency: 'usd', amount: 300 }))[0]).toBe(200)
      expect(await refund(one, 301)).toEqual(DENIED)
      const parts = await Promise.all([1, 2, 3, 4, 5, 6].map((part) => refund(part % 2 ? one : other, 100)))
      expect(parts.filter(([status]) => status === 201)).toHaveLength(3)
      const { answer } = await one.post('/playground', {
        code: `post("/refunds", order: "${order}", amount: 1)["id"]`,
        mode: 'execute',
      })
      expect(answer.error.message).toContain('at most $3.00')
      const planned = await owner.post('/playground', {
        code: `post("/refunds", order: "${order}", amount: 1)["id"]`,
        mode: 'dry_run',
      })
      expect((await one.post(`/plans/${planned.answer.plan}/apply`)).failed).toBe(true)
      expect(await refund(owner, 1)).toEqual([201, undefined])
    })

    it('are what a task goes by at the time of its run', async () => {
      const member = await memberOf(shop, 'member')
      const task = await member.post('/tasks', {
        ...{ name: 'Tag', trigger_type: 'manual', approval_mode: 'auto', active: false },
        prompt: '# ruby\npost("/tags", name: "by a task")["id"]',
      })
      await shop.running.app.database.transaction(({ db }) =>
        db.updateTable('memberships').set({ role: 'viewer' }).where('user_id', '=', member.caller.userId).execute(),
      )
      expect(await run(shop, task.id)).toMatchObject({
        status: 'failed',
        error_message: expect.stringMatching(REFUSED),
      })
    })
  })
})

/** The newest run of a task, once it is over. */
async function run(shop: Shop, task: string): Promise<Body> {
  await shop.patch(`/tasks/${task}`, { active: true })
  for (;;) {
    const [last] = (await shop.get(`/task_runs?ai_task_id=${task}`)).data
    if (last && !['pending', 'running'].includes(last.status)) return last
    await new Promise((done) => setTimeout(done, 20))
  }
}
