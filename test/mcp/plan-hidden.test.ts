import { beforeAll, describe, expect, it } from 'vitest'
import type { AccountUser } from '../../src/contract/declarations/caller.ts'
import { agentRuns, type Dashboard, dashboardOf, ownerOf, tokenOf } from '../dashboard/operations/visitor.ts'
import { type Body, onEachEngine } from '../support/shop.ts'
import { ended } from '../tasks/support.ts'

const RENAME = 'patch("/account", description: "Taken over")["id"]'

describe('A plan holds nothing back', () => {
  onEachEngine((shop) => {
    let owner: AccountUser
    let agent: string
    let ownersDashboard: Dashboard
    beforeAll(async () => {
      owner = ownerOf(shop)
      agent = await tokenOf(shop, owner, 'propose')
      ownersDashboard = dashboardOf(shop, owner)
    })

    const plan = (code: string) => agentRuns(shop, agent, code)
    const apply = async ({ plan }: Body) => (await ownersDashboard('POST', `/plans/${plan}/apply`, { body: {} })).body
    const tags = async () => (await shop.get('/tags?limit=100')).data.map(({ name }: Body) => name)
    const waiting = async () => {
      const task = await shop.post('/tasks', { name: 'Asks', prompt: 'Ask whom to pay.' })
      await shop.patch(`/task_runs/${task.last_run}`, { status: 'running' })
      return shop.patch(`/task_runs/${task.last_run}`, { status: 'needs_input', question: 'Refund all?' })
    }

    it.each(['text', 'html'])('it shows the %s of an e-mail, and no other is sent', async (name) => {
      const note = 'Your box is on its way.'
      const { id } = await shop.post('/customers', { email: `${name}@example.com`, metadata: { note } })
      const program = `note = get("/customers/${id}")["metadata"]["note"]
post("/emails", customer: "${id}", subject: "News", ${name}: note)["id"]`
      const made = await plan(program)
      expect(made.changes['email.created'].samples[0][name]).toContain(note)
      await shop.patch(`/customers/${id}`, { metadata: { note: 'Pay to another account.' } })
      const { failed, answer } = await apply(made)
      expect([failed, answer.error.type]).toEqual([true, 'plan_outdated'])
      expect(answer.differences).toMatchObject([{ field: name }])
      expect(await apply(await plan(program))).toMatchObject({ failed: false })
      const events = shop.running.app.database.read.selectFrom('events').select('data')
      const told = await events.where('type', '=', 'email.created').execute()
      expect(told.length).toBeGreaterThan(0)
      expect(JSON.stringify(told)).not.toContain('another account')
    })

    it('a long e-mail with the address of an invoice made with it can be sent', async () => {
      const { id } = await shop.post('/customers', { email: 'long@example.com' })
      const product = await shop.post('/products', { name: 'Tea', status: 'active' })
      const price = await shop.post('/price_variants', { product_id: product.id, amount: 500 })
      const made =
        await plan(`invoice = post("/invoices", customer: "${id}", price_variant: "${price.id}", due_at: "2099-01-01T00:00:00Z")
post("/emails", customer: "${id}", subject: "Bill", text: "Please read. " * 200 + invoice["payment_url"].to_s)["id"]`)
      expect(made.plan).toMatch(/^plan_/)
      expect(await apply(made)).toMatchObject({ failed: false })
    })

    it('it approves no other plan unseen', async () => {
      await shop.patch('/account', { description: 'As it was' })
      const task = await shop.post('/tasks', { name: 'S', prompt: `# ruby\n${RENAME}`, approval_mode: 'supervised' })
      const run = await ended(shop, task.last_run)
      expect(run.status).toBe('needs_input')
      const approve = `patch("/task_runs/${run.id}", status: "running")["error"]`
      const made = await plan(`${approve}\npost("/tags", name: "harmless")["name"]`)
      expect(await apply(made)).toMatchObject({ failed: false })
      await shop.settled()
      expect(await shop.get(`/task_runs/${run.id}`)).toMatchObject({ status: 'needs_input' })
      expect((await shop.get('/account')).description).toBe('As it was')
    })

    it.each([
      ['answers no question', 'status: "running", input: "Yes, all"'],
      ['changes no question', 'question: "Send a newsletter?"'],
      ['notes no answer', 'input: "Yes, all"'],
    ])('it %s unseen', async (_, values) => {
      const run = await waiting()
      const made = await plan(`answer = patch("/task_runs/${run.id}", ${values})
post("/tags", name: "#{answer["error"] && answer["error"]["code"]} ${run.id.slice(-8)}")["name"]`)
      expect(made.result).toContain('permission_denied')
      // When it is applied, nothing else is tried than what was seen.
      expect(await apply(made)).toMatchObject({ failed: false })
      const { status, question, input } = await shop.get(`/task_runs/${run.id}`)
      expect({ status, question, input }).toEqual({ status: 'needs_input', question: 'Refund all?', input: null })
    })

    it('a token that may write answers and approves as before', async () => {
      const run = await waiting()
      const answered = await shop.patch(`/task_runs/${run.id}`, { status: 'running', input: 'Yes' })
      expect(answered).toMatchObject({ status: 'running', input: 'Yes' })
    })

    it('its program is the same text when it is applied', async () => {
      // Planned, all but its first line is a text; without its fence it would be a program.
      const inner = '~~~1; post("/tags", name: "fenced")["id"]; <<"~~~"\npost("/tags", name: "unfenced")["id"]\n~~~'
      const made = await plan(`\`\`\`\n${inner}\n\`\`\``)
      expect(made.changes).toMatchObject({ 'tag.created': { count: 1 } })
      expect(await apply(made)).toMatchObject({ failed: false })
      expect(await tags()).toContain('fenced')
      expect(await tags()).not.toContain('unfenced')
    })
  })
})

describe('What a program answered once', () => {
  onEachEngine((shop) => {
    it('is not told to a token that may only read', async () => {
      const owner = ownerOf(shop)
      const [writer, reader] = [await tokenOf(shop, owner, 'write'), await tokenOf(shop, owner, 'read')]
      const code =
        '# once: endpoint\npost("/webhook_endpoints", url: "https://example.com/hook", enabled_events: ["order.paid"])["secret"]'
      const { result } = await agentRuns(shop, writer, code)
      expect(await agentRuns(shop, writer, code)).toMatchObject({ replayed: true, result })
      const told = await agentRuns(shop, reader, code)
      expect(told.error).toMatchObject({ type: 'refused' })
      expect(JSON.stringify(told)).not.toContain(result)
    })
  })
})
