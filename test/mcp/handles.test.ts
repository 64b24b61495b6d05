import { beforeAll, describe, expect, it } from 'vitest'
import type { TokenRight } from '../../src/contract/declarations/caller.ts'
import { type Dashboard, dashboardOf, ownerOf, tokenOf } from '../dashboard/operations/visitor.ts'
import { type Body, onEachEngine } from '../support/shop.ts'
import { askModern, TASKS } from './modern.ts'

const DECLARED = { extensions: { [TASKS]: {} } }
const DAY_MS = 86_400_000

describe('A client that declares the tasks extension', () => {
  onEachEngine((shop) => {
    let dashboard: Dashboard
    let proposing: string
    beforeAll(async () => {
      dashboard = dashboardOf(shop, ownerOf(shop))
      proposing = await tokenOf(shop, ownerOf(shop), 'propose')
    })

    const ask = (method: string, params: Record<string, unknown>, token = proposing, sent: object = DECLARED) =>
      askModern({ url: shop.running.url, token }, method, params, sent)
    const call = async (code: string, token = proposing, sent: object = DECLARED): Promise<Body> =>
      (await ask('tools/call', { name: 'code_execute', arguments: { code } }, token, sent)).body.result
    const get = async (taskId: string, token = proposing): Promise<Body> =>
      (await ask('tasks/get', { taskId }, token)).body
    const token = (right: TokenRight) => tokenOf(shop, ownerOf(shop), right)
    const decide = async (id: string, how: 'apply' | 'reject', note?: string) =>
      (await dashboard('POST', `/plans/${id}/${how}`, { body: { note } })).body

    it('gets a handle of a plan that waits for a person, whose call ends with the result', async () => {
      const made = await call('post("/tags", name: "applied")["name"]')
      const id = made.taskId
      expect(made).toMatchObject({ resultType: 'task', status: 'working', pollIntervalMs: 5000 })
      expect(made.statusMessage).toContain('1 tag created')
      expect(made.statusMessage).toContain(`/dashboard/my-shop/plans/${id}`)
      expect(Math.round(made.ttlMs / DAY_MS)).toBe(4)
      expect((await get(id)).result).toMatchObject({ taskId: id, status: 'working', resultType: 'complete' })
      expect((await decide(id, 'apply', 'Go ahead.')).failed).toBe(false)
      const { result } = await get(id)
      const body = { plan: id, note: 'Go ahead.', committed: 'all', changed: { 'tag.created': 1 }, result: 'applied' }
      expect(result).toMatchObject({ status: 'completed', result: { structuredContent: body, resultType: 'complete' } })
      expect(JSON.parse(result.result.content[0].text)).toEqual(body)
      expect(result.result).not.toHaveProperty('isError')
      expect(Date.parse(result.lastUpdatedAt)).toBeGreaterThanOrEqual(Date.parse(result.createdAt))
    })

    it('reads the note of a person who rejects it', async () => {
      const { taskId } = await call('post("/tags", name: "never")["id"]')
      await decide(taskId, 'reject', 'Not before May.')
      const { result } = await get(taskId)
      expect(result).toMatchObject({ status: 'completed', result: { isError: true } })
      expect(result.result.structuredContent.error.message).toContain('Not before May.')
    })

    it('is told that a plan expired', async () => {
      const { taskId } = await call('post("/tags", name: "late")["id"]')
      await shop.running.app.database.transaction(({ db }) =>
        db.updateTable('program_plans').set({ expires_at: '2026-01-01T00:00:00Z' }).where('id', '=', taskId).execute(),
      )
      const { result } = await get(taskId)
      expect(result).toMatchObject({ status: 'completed', lastUpdatedAt: '2026-01-01T00:00:00Z' })
      expect(result.result.structuredContent.error.message).toContain('expired')
    })

    it('takes the plan back by canceling, as often as it likes', async () => {
      const { taskId } = await call('post("/tags", name: "canceled")["id"]')
      for (let time = 0; time < 2; time++)
        expect((await ask('tasks/cancel', { taskId })).body.result).toMatchObject({ resultType: 'complete' })
      expect((await get(taskId)).result).toMatchObject({ taskId, status: 'cancelled' })
      expect((await dashboard('GET', `/plans/${taskId}`)).body.state).toBe('withdrawn')
    })

    it('keeps what was applied when it cancels too late', async () => {
      const { taskId } = await call('post("/tags", name: "too late")["name"]')
      await decide(taskId, 'apply')
      await ask('tasks/cancel', { taskId })
      expect((await get(taskId)).result).toMatchObject({ status: 'completed' })
    })

    it('waits for the plan that takes the place of its own', async () => {
      const { taskId } = await call('post("/tags", name: "again")["name"]')
      const { plan } = (await dashboard('POST', `/plans/${taskId}/again`)).body.answer
      expect((await get(taskId)).result).toMatchObject({ taskId, status: 'working' })
      expect((await get(taskId)).result.statusMessage).toContain(plan)
      await decide(plan, 'apply')
      const { result } = await get(taskId)
      expect(result.result.structuredContent).toMatchObject({ plan, committed: 'all', result: 'again' })
    })

    it('may wait for a plan that it has made before, and not for one that was decided on', async () => {
      const { plan } = (await call('# dry_run: true\npost("/tags", name: "asked later")["name"]')).structuredContent
      const waiting = await call(`# apply: ${plan}`)
      expect(waiting).toMatchObject({ resultType: 'task', taskId: plan, status: 'working' })
      await decide(plan, 'apply')
      expect((await get(plan)).result.result.structuredContent.result).toBe('asked later')
      expect((await call(`# apply: ${plan}`)).structuredContent.error.type).toBe('plan_unavailable')
    })

    it('gets other answers at once: of reading, of dry runs, of programs that fail, of tokens that write', async () => {
      const writing = await token('write')
      const dryRun = await call('# dry_run: true\npost("/tags", name: "looked at")["name"]')
      expect(dryRun).toMatchObject({ resultType: 'complete', structuredContent: { result: 'looked at' } })
      expect((await call('get("/account")["name"]')).structuredContent).toMatchObject({ dry_run: true, changes: {} })
      expect((await call('post("/tags")["id"]')).structuredContent.error.type).toBe('refused')
      expect((await call('post("/tags", name: "written")["name"]', writing)).structuredContent.committed).toBe('all')
      const later = await call('# dry_run: true\npost("/tags", name: "own")["name"]', writing)
      expect((await call(`# apply: ${later.structuredContent.plan}`, writing)).structuredContent.committed).toBe('all')
    })

    it('knows nothing of the handles of other tokens and accounts', async () => {
      const { taskId } = await call('post("/tags", name: "private")["id"]')
      const another = await shop.running.another('another')
      for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'])
        for (const other of [await token('write'), await token('propose'), another.token]) {
          const params = { inputResponses: {} }
          const foreign = (await ask(method, { taskId, ...params }, other)).body.error
          const unknown = (await ask(method, { taskId: 'plan_01k9z6v8q2f3x7c5m1n4b0r8ta', ...params }, other)).body
            .error
          expect([foreign.code, unknown.code]).toEqual([-32602, -32602])
          expect(foreign.message.replace(taskId, '')).toBe(unknown.message.replace(/plan_\w+/, ''))
        }
      expect((await get(taskId)).result.status).toBe('working')
      for (const wrong of ['', 'x'.repeat(201), 'tag_1', 7])
        expect((await ask('tasks/get', { taskId: wrong })).body.error.code).toBe(-32602)
    })

    it('may send input that nobody asked for', async () => {
      const { taskId } = await call('post("/tags", name: "no questions")["id"]')
      const inputResponses = { more: { action: 'accept' } }
      expect((await ask('tasks/update', { taskId, inputResponses })).body.result).toMatchObject({
        resultType: 'complete',
      })
    })

    it('sees no address in an applied plan that its token may not see', async () => {
      const { id } = await shop.post('/event_sources', { name: 'Pushed', provider: 'webhook', event_type: 'received' })
      const { taskId } = await call(`post("/tags", name: "curious")\nget("/event_sources/${id}")["ingest_url"]`)
      expect((await decide(taskId, 'apply')).failed).toBe(false)
      const { structuredContent } = (await get(taskId)).result.result
      expect(structuredContent).toMatchObject({ committed: 'all', result: null })
    })

    it('keeps the answer sealed, and only where a client waits for it', async () => {
      const { taskId } = await call('post("/tags", name: "sealed words")["name"]')
      const plain = (await call('post("/tags", name: "not waited for")["name"]', proposing, {})).structuredContent.plan
      for (const id of [taskId, plain]) await decide(id, 'apply')
      const answer = async (id: string) =>
        (await shop.db.selectFrom('program_plans').select('answer').where('id', '=', id).executeTakeFirstOrThrow())
          .answer
      expect(await answer(taskId)).not.toContain('sealed words')
      expect(await answer(plain)).toBeNull()
    })
  })
})

describe('A client that does not declare it', () => {
  onEachEngine((shop) => {
    let proposing: string
    beforeAll(async () => {
      proposing = await tokenOf(shop, ownerOf(shop), 'propose')
    })
    const code = 'post("/tags", name: "plain")["name"]'
    const ask = (method: string, params: Record<string, unknown>, sent: object = {}) =>
      askModern({ url: shop.running.url, token: proposing }, method, params, sent)
    const masked = (text: string) =>
      text
        .replace(/"id":\d+/g, '')
        .replace(/plan_\w{26}/g, 'plan_x')
        .replace(/tag_\w{26}/g, 'tag_x')

    it('gets the answers that it always got', async () => {
      const call = { name: 'code_execute', arguments: { code } }
      const { body, text } = await ask('tools/call', call)
      expect(Object.keys(body.result.structuredContent)).toEqual([
        'plan',
        'dry_run',
        'changes',
        'calls',
        'result',
        'warnings',
      ])
      for (const extensions of [{ 'com.example/other': {} }, {}])
        expect(masked((await ask('tools/call', call, { extensions })).text)).toBe(masked(text))
      const asked = `# apply: ${body.result.structuredContent.plan}`
      const refused = (await ask('tools/call', { name: 'code_execute', arguments: { code: asked } })).body.result
      expect(refused.structuredContent.error.type).toBe('permission_denied')
      const tools = await ask('tools/list', {})
      expect(masked((await ask('tools/list', {}, DECLARED)).text)).toBe(masked(tools.text))
    })

    it('is told which extension a handle needs', async () => {
      const [taskId, wanted] = ['plan_01k9z6v8q2f3x7c5m1n4b0r8ta', { inputResponses: {} }]
      const listening = { notifications: { taskIds: [taskId] } }
      for (const [method, params] of [
        ['tasks/get', { taskId }],
        ['tasks/update', { taskId, ...wanted }],
        ['tasks/cancel', { taskId }],
        ['subscriptions/listen', listening],
      ] as const) {
        const { status, body } = await ask(method, params)
        const data = { requiredCapabilities: { extensions: { [TASKS]: {} } } }
        expect([method, status, body.error]).toEqual([method, 400, { code: -32021, message: expect.any(String), data }])
      }
      const { status, body } = await ask('subscriptions/listen', listening, DECLARED)
      expect([status, body.error.code]).toEqual([404, -32601])
    })

    it('finds neither extension nor methods in the revisions of 2025', async () => {
      const send = async (method: string, params: object): Promise<Body> => {
        const headers = { authorization: `Bearer ${proposing}`, 'content-type': 'application/json' }
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
        return (await fetch(`${shop.running.url}/mcp`, { method: 'POST', headers, body })).json()
      }
      const capabilities = { extensions: { [TASKS]: {} } }
      const clientInfo = { name: 'test', version: '1' }
      const { result } = await send('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo })
      expect(result.capabilities).toEqual({ tools: {} })
      expect((await send('tasks/get', { taskId: 'plan_1' })).error.code).toBe(-32601)
      const _meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities }
      const called = await send('tools/call', { name: 'code_execute', arguments: { code }, _meta })
      expect(called.result.structuredContent.plan).toMatch(/^plan_/)
    })
  })
})
