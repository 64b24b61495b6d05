import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callTool } from '../mcp/agent.ts'
import { type DashboardUser, ownerOf } from '../support/dashboard.ts'
import { type Site, startSite } from '../support/local-site.ts'
import { signIn } from '../support/person.ts'
import { sell } from '../support/sell.ts'
import { type Body, onEachEngine } from '../support/shop.ts'
import { ROOT, sources } from '../support/source-files.ts'
import { ended } from '../tasks/support.ts'

const REACHED = /^The daily cap of this token is reached: .* It starts anew at \d{4}-\d\d-\d\d 00:00 UTC\.$/
const FAILED = { status: 'failed', error_message: expect.stringContaining('daily cap of this token is reached') }

describe('The daily caps of a token', () => {
  onEachEngine((shop) => {
    let owner: DashboardUser
    let customer: Body
    let site: Site
    beforeAll(async () => {
      site = await startSite({ '/': '<a href="/about">x</a>' })
      owner = await ownerOf(shop)
      customer = await shop.customer()
    })
    afterAll(() => site.close())

    const capped = async (caps: Body) => {
      const { id, value } = await owner.post('/api_tokens', { name: 'Capped', ...caps })
      const as = { token: value as string }
      return {
        id: id as string,
        as,
        token: value as string,
        post: (path: string, body: unknown = {}) => shop.api('POST', path, body, as),
        execute: async (code: string): Promise<Body> =>
          (await callTool({ url: shop.running.url, token: value }, 'code_execute', code)).structuredContent,
        shown: () => owner.get(`/api_tokens/${id}`),
      }
    }
    /** The reasons why letters were not sent, the oldest first; null for the others. */
    const letters = async () => {
      const emails = shop.db.selectFrom('emails').select('error_message').orderBy('id')
      return (await emails.execute()).map(({ error_message }) => error_message)
    }
    const letter = () => ({ customer: customer.id, subject: 'Hello', text: 'A few words.' })
    const order = async (amount = 1000) => {
      const price = await shop.price((await shop.product({ status: 'active' })).id, { amount })
      return sell(shop, [{ price_variant: price.id, quantity: 1 }])
    }

    it('are shown with what is used today, and are absent unless they are given', async () => {
      const { shown } = await capped({ credits_per_day: 5, emails_per_day: 7, refunds_per_day: 2500 })
      expect(await shown()).toMatchObject({
        ...{ credits_per_day: 5, emails_per_day: 7, refunds_per_day: 2500, refunds_currency: 'usd' },
        ...{ credits_today: 0, emails_today: 0, refunds_today: 0 },
      })
      expect(await (await capped({})).shown()).toMatchObject({ emails_per_day: null, refunds_currency: null })
      expect((await owner.try('POST', '/api_tokens', { name: 'X', emails_per_day: -1 }))[0]).toBe(422)
      expect((await owner.try('POST', '/api_tokens', { name: 'X', credits_per_day: 1.5 }))[0]).toBe(422)
    })

    it('are set on the page of tokens, which shows what is used today', async () => {
      const person = await signIn(shop.running)
      const page = async () => (await person.get('/dashboard/my-shop/developers/tokens')).html
      const csrf = /name="csrf" value="([^"]+)"/.exec(await page())![1]!
      const caps = { credits_per_day: '', emails_per_day: '12', refunds_per_day: '34.50' }
      const send = (more: object) =>
        person.post('/dashboard/my-shop/developers/tokens', { csrf, name: 'Paged', right: 'write', role: '', ...more })
      expect((await send(caps)).status).toBe(200)
      const [made] = (await owner.get('/api_tokens')).data
      expect(made).toMatchObject({ credits_per_day: null, emails_per_day: 12, refunds_per_day: 3450 })
      expect(await page()).toContain('0 of 12 e-mails, $0.00 of $34.50 refunded')
      expect((await send({ ...caps, emails_per_day: '-1' })).status).toBe(422)
    })

    it('refuse with a sentence what would exceed them, whichever way it is asked for', async () => {
      const [first, second] = [await order(), await order()]
      const due = '2036-01-01T00:00:00Z'
      const price = first.line_items.data?.[0]?.price_variant ?? first.line_items[0].price_variant
      const invoice = () => ({ price_variant: price.id ?? price, email_address: customer.email, due_at: due })
      const ways: [caps: Body, path: string, body: () => Body][] = [
        [{ emails_per_day: 1 }, '/emails', letter],
        [{ credits_per_day: 1 }, '/web/map', () => ({ url: site.url })],
        [{ refunds_per_day: 600 }, '/refunds', () => ({ order: first.id, amount: 400 })],
      ]
      for (const [caps, path, body] of ways) {
        const agent = await capped(caps)
        const done = await agent.post(path, body())
        expect([path, done.status]).toEqual([path, expect.toSatisfy((status: number) => status < 300)])
        const { status, body: refused } = await agent.post(path, body())
        expect([path, status, refused.error.code]).toEqual([path, 403, 'permission_denied'])
        expect(refused.error.message).toMatch(REACHED)
      }
      // The invoice is mailed by a job, which counts for the token that made it.
      const agent = await capped({ emails_per_day: 1 })
      for (const _ of [1, 2]) expect((await agent.post('/invoices', invoice())).status).toBe(201)
      await expect.poll(async () => (await agent.shown()).emails_today).toBe(1)
      await expect.poll(letters).toContainEqual(expect.stringMatching(REACHED))
      // A refund in another currency than that of the cap cannot be counted.
      const euros = await capped({ refunds_per_day: 5000 })
      await shop.running.app.database.transaction(({ db }) =>
        db
          .updateTable('api_tokens')
          .set({ caps: JSON.stringify({ refunds: 5000, currency: 'eur' }) })
          .where('id', '=', euros.id)
          .execute(),
      )
      const { body: other } = await euros.post('/refunds', { order: second.id, amount: 1 })
      expect(other.error.message).toContain('only orders in eur')
    })

    it('are exact when programs run at the same time, and count neither dry runs nor what is rolled back', async () => {
      const agent = await capped({ emails_per_day: 5 })
      const send = `post("/emails", customer: "${customer.id}", subject: "Hello", text: "Words")`
      const dry = await agent.execute(`# dry_run: true\n${send}; nil`)
      expect([dry.error, dry.today]).toEqual([undefined, ['0 of 5 e-mails']])
      expect((await agent.execute(`${send}; raise "no"`)).error.type).toBe('ruby_error')
      expect((await agent.shown()).emails_today).toBe(0)
      const runs = await Promise.all(
        Array.from({ length: 8 }, () => agent.execute(`r = ${send}; r["error"] ? r["error"]["message"] : "sent"`)),
      )
      const said = runs.map(({ result, error }) => result ?? error.message)
      expect(said.filter((one) => one === 'sent')).toHaveLength(5)
      for (const one of said.filter((other) => other !== 'sent')) expect(one).toMatch(REACHED)
      expect((await agent.shown()).emails_today).toBe(5)
      expect((await agent.execute('1')).today).toEqual(['5 of 5 e-mails'])
      expect((await shop.api('GET', '/products', undefined, agent.as)).status).toBe(200)
    })

    it('hold in every operation with which a token mails, refunds or spends', async () => {
      const form = await shop.post('/forms', {
        ...{ name: 'News', confirmation_required: true },
        fields: [{ type: 'email', name: 'email', label: 'E-mail', required: true }],
      })
      const sold = await order()
      const ways: Record<string, [path: string, body: Body] | 'mails members alone'> = {
        send_email: ['/emails', letter()],
        create_form_submission: ['/form_submissions', { form_id: form.id, email: 'reader@example.com' }],
        update_task_run: 'mails members alone',
        create_refund: ['/refunds', { order: sold.id }],
        map_web: ['/web/map', { url: site.url }],
      }
      const found = shop.operations.filter(({ callers, emits, spendsCredits }) => {
        const counts = spendsCredits || emits.some((event) => event === 'email.created' || event === 'refund.created')
        return counts && callers.includes('token')
      })
      expect(found.map(({ id }) => id).sort()).toEqual(Object.keys(ways).sort())
      const agent = await capped({ credits_per_day: 0, emails_per_day: 0, refunds_per_day: 0 })
      const before = (await letters()).length
      for (const way of Object.values(ways)) {
        if (way === 'mails members alone') continue
        const { status, body } = await agent.post(...way)
        if (status < 300) await expect.poll(async () => (await letters())[before]).toMatch(REACHED)
        else expect([way[0], status, body.error.message]).toEqual([way[0], 403, expect.stringMatching(REACHED)])
      }
      expect(await agent.shown()).toMatchObject({ credits_today: 0, emails_today: 0, refunds_today: 0 })
      expect((await letters()).length).toBe(before + 1)
    })

    it('are passed by every place that stores an e-mail or reserves credits', () => {
      const places = (words: string) =>
        sources.filter((path) => readFileSync(join(ROOT, 'src', path), 'utf8').includes(words))
      expect(places('insertRow(context, Email,')).toEqual(['resources/messages/email/queue.ts'])
      expect(places("kind: 'reserved'")).toEqual(['resources/company/account/credits.ts'])
    })

    it('are given back for credits that were reserved and not spent', async () => {
      const agent = await capped({ credits_per_day: 1 })
      expect((await agent.post('/web/map', { url: 'https://nothing.invalid' })).status).toBe(502)
      expect((await agent.shown()).credits_today).toBe(0)
      expect((await agent.post('/web/map', { url: site.url })).status).toBe(200)
      expect((await agent.shown()).credits_today).toBe(1)
    })

    it('bind plans that a person applies, background programs and the runs of tasks', async () => {
      const proposing = await capped({ right: 'propose', emails_per_day: 1 })
      const program = `2.times { post("/emails", customer: "${customer.id}", subject: "Hi", text: "Words") }; nil`
      const planned = await proposing.execute(program.replace('2', '1'))
      const applied = await shop.running.app.mcp.execute(owner.caller, `# apply: ${planned.plan}`, {})
      expect(applied.body).toMatchObject({ committed: 'all' })
      expect((await proposing.shown()).emails_today).toBe(1)
      const again = await proposing.execute(program.replace('2', '1'))
      expect(JSON.stringify(again)).toContain('daily cap of this token is reached')

      const agent = await capped({ emails_per_day: 3 })
      const each = `each_batch(list("/customers"), of: 1) { |rows| post("/emails", customer: "${customer.id}", subject: "Hi", text: "Words")["id"] }`
      for (let count = 0; count < 5; count++) await shop.customer()
      const begun = await agent.execute(`# background: true\n${each}`)
      const status = async () => (await agent.execute(`# status: ${begun.result.background}`)).result
      await expect.poll(async () => (await status()).state, { timeout: 20_000 }).toBe('failed')
      expect((await status()).error.message).toContain('daily cap of this token is reached')
      expect((await agent.shown()).emails_today).toBe(3)

      const owning = await capped({ emails_per_day: 1 })
      const prompt = `# ruby\n${program}`
      const { body: task } = await owning.post('/tasks', { name: 'Mails', prompt, approval_mode: 'auto' })
      expect(await ended(shop, task.last_run)).toMatchObject(FAILED)
      expect((await owning.shown()).emails_today).toBe(0)
      // A token that starts another person's task is counted as well.
      const theirs = await shop.post('/tasks', { name: 'Theirs', prompt, approval_mode: 'auto', active: false })
      const { body: started } = await shop.api('PATCH', `/tasks/${theirs.id}`, { active: true }, owning.as)
      expect(await ended(shop, started.last_run)).toMatchObject(FAILED)
      expect((await owning.shown()).emails_today).toBe(0)
    }, 60_000)
  })
})
