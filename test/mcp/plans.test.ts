import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TokenRight } from '../../src/contract/declarations/caller.ts'
import { timestampOf } from '../../src/contract/values/values.ts'
import { storePlan } from '../../src/pipeline/program-plans.ts'
import { createToken } from '../../src/resources/dashboard/api-token/issue.ts'
import { onEngines, SECRET_KEY } from '../support/app.ts'
import { type Agent, startAgent, type ToolResult } from './agent.ts'

type Content = ToolResult['structuredContent'] & {
  plan: string
  changes: Record<string, { count: number; samples: object[] }>
}

describe.each(onEngines)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('plans', () => {
    let agent: Agent
    let product: string
    beforeAll(async () => {
      agent = await startAgent({ engine: name, settings: { SANDBOX_WORKERS: '2' } })
      product = (await agent.app.api('POST', '/products', { name: 'Tea' })).body.id
      for (const amount of [1000, 2000, 3000]) await price(amount)
    })
    afterAll(() => agent.close())

    const price = async (amount: number) =>
      (await agent.app.api('POST', '/price_variants', { product_id: product, name: `At ${amount}`, amount })).body.id
    const content = async (code: string, token?: string): Promise<Content> => {
      const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
      return (await agent.execute(code, { headers })).structuredContent as Content
    }
    const prices = async () => (await agent.app.api('GET', `/price_variants?product=${product}`)).body.data
    const tokenWith = async (right: TokenRight) => {
      const { database, firstAccount } = agent.app.app
      return (await createToken(database, SECRET_KEY, firstAccount!, { name: right, right })).value
    }
    const raise = (percent: number) => `list("/price_variants", product: "${product}").each do |price|
  patch("/price_variants/#{price["id"]}", amount: price["amount"] * ${100 + percent} / 100)
end
post("/tags", name: "raised ${percent} #{list("/price_variants").count}")["name"]`

    test('list everything that would change, also what no call names', async () => {
      const [first, , last] = await prices()
      const moved = await content(`# dry_run: true\npatch("/price_variants/${last.id}", position: 1)["position"]`)
      expect(moved).toMatchObject({ dry_run: true, result: 1 })
      expect(moved.changes['price_variant.updated']).toMatchObject({ count: 3 })
      expect(moved.changes['price_variant.updated']!.samples).toContainEqual({
        id: first.id,
        name: 'At 1000',
        product,
        position: { from: 1, to: 2 },
      })
    })

    test('show fields that follow from others', async () => {
      const [first] = await prices()
      const { changes } = await content(`# dry_run: true\npatch("/price_variants/${first.id}", amount: 1200)["amount"]`)
      expect(changes['price_variant.updated']!.samples).toEqual([
        {
          id: first.id,
          name: 'At 1000',
          product,
          amount: { from: 1000, to: 1200 },
          x402_amount: { from: '10000000', to: '12000000' },
        },
      ])
    })

    test('show what checkouts and invoices with tax come to', async () => {
      const [first] = await prices()
      const { changes } = await content(`# dry_run: true
patch("/products/${product}", status: "active")
patch("/account", tax_rates: [{ country: "DE", percent: 19, inclusive: true }, { country: "FR", percent: 20 }])
post("/checkouts", line_items: [{ price_variant: "${first.id}" }], country: "FR")
post("/invoices", price_variant: "${first.id}", country: "DE", due_at: "2099-01-01T00:00:00Z", email_address: "b@example.com")["id"]`)
      expect(changes['checkout.created']!.samples).toMatchObject([
        { amount_tax: 200, total: 1200, tax_inclusive: false, tax_lines: [{ country: 'FR', amount: 200 }] },
      ])
      expect(changes['invoice.created']!.samples).toMatchObject([
        { amount: 1000, amount_tax: 160, tax_inclusive: true, tax_lines: [{ country: 'DE', amount: 160 }] },
      ])
    })

    test('are applied as they were looked at, once', async () => {
      const dry = await content(`# dry_run: true\n${raise(10)}`)
      expect(dry.plan).toMatch(/^plan_/)
      expect((await prices()).map((one: { amount: number }) => one.amount)).toEqual([1000, 2000, 3000])
      const applied = await content(`# apply: ${dry.plan}`)
      const counts = { 'price_variant.updated': 3, 'tag.created': 1 }
      expect(applied).toEqual({ committed: 'all', changed: counts, result: 'raised 10 3' })
      expect(Object.fromEntries(Object.entries(dry.changes).map(([type, { count }]) => [type, count]))).toEqual(counts)
      expect((await prices()).map((one: { amount: number }) => one.amount)).toEqual([1100, 2200, 3300])
      const again = await content(`# apply: ${dry.plan}`)
      expect(again).toMatchObject({
        committed: 'none',
        error: {
          type: 'plan_unavailable',
          message: expect.stringContaining('applied'),
          hint: expect.stringContaining('nothing is left'),
        },
      })
    })

    test('whose world has changed commit nothing and show what differs', async () => {
      const { plan } = await content(`# dry_run: true\n${raise(20)}`)
      const [first] = await prices()
      await agent.app.api('PATCH', `/price_variants/${first.id}`, { amount: 1500 })
      const outdated = await content(`# apply: ${plan}`)
      expect(outdated).toMatchObject({ committed: 'none', error: { type: 'plan_outdated' } })
      expect(outdated.differences).toContainEqual({
        change: `price_variant.updated ${first.id}`,
        name: 'At 1000',
        field: 'amount',
        planned: { from: 1100, to: 1320 },
        now: { from: 1500, to: 1800 },
      })
      expect((await prices())[0].amount).toBe(1500)
      await agent.app.api('PATCH', `/price_variants/${first.id}`, { amount: 1100 })
      expect(await content(`# apply: ${plan}`)).toMatchObject({ committed: 'all' })
    })

    test('that fail by themselves now are outdated, and say why', async () => {
      const { plan } = await content('# dry_run: true\npost("/customers", email: "taken@example.com")["email"]')
      await agent.app.api('POST', '/customers', { email: 'taken@example.com' })
      const failed = await content(`# apply: ${plan}`)
      expect(failed).toMatchObject({
        committed: 'none',
        error: { type: 'plan_outdated', message: expect.stringContaining('already been taken') },
      })
    })

    test('show up to twenty resources of a kind whole, and samples of more', async () => {
      const tags = (count: number) => `# dry_run: true\n${count}.times { |n| post("/tags", name: "many #{n}")["id"] }`
      const sizes = async (count: number) => (await content(tags(count))).changes['tag.created']!.samples.length
      expect([await sizes(20), await sizes(21)]).toEqual([20, 5])
    })

    test('of programs that use the present time or new ids hold', async () => {
      const code = `# dry_run: true
tag = post("/tags", name: "limited")
post("/customers", email: "planned@example.com", tags: [tag["id"]])
post("/discounts", code: "SOON", discount_type: "percent_off", percent_off: 5,
  redeem_by: (Time.now.utc + 86400).strftime("%Y-%m-%dT%H:%M:%SZ"))["code"]`
      const { plan } = await content(code)
      expect(await content(`# apply: ${plan}`)).toMatchObject({
        committed: 'all',
        changed: { 'tag.created': 1, 'customer.created': 1, 'discount.created': 1 },
      })
    })

    test('of another account, of another token and unknown ones are the same', async () => {
      const { plan } = await content('# dry_run: true\npost("/tags", name: "mine")["name"]')
      const stranger = await agent.app.another(`stranger-${name}`)
      const answers = [
        await content(`# apply: ${plan}`, stranger.token),
        await content(`# apply: ${plan}`, await tokenWith('write')),
        await content(`# apply: ${plan.slice(0, -4)}0000`),
      ]
      for (const answer of answers) {
        const message = answer.error!.message.replace(/plan_\w+/, 'plan_…')
        expect([answer.error!.type, message]).toEqual(['plan_unavailable', 'No plan plan_… belongs to this token.'])
      }
      expect(await agent.tags()).not.toContain('mine')
    })

    test('that expired or that change nothing are none', async () => {
      const { plan } = await content('# dry_run: true\npost("/tags", name: "late")["name"]')
      await agent.app.app.database.transaction(({ db }) =>
        db.updateTable('program_plans').set({ expires_at: '2026-01-01T00:00:00Z' }).where('id', '=', plan).execute(),
      )
      expect((await content(`# apply: ${plan}`)).error).toMatchObject({ message: expect.stringContaining('expired') })
      expect(await content('# dry_run: true\nget("/account")["object"]')).toEqual({
        dry_run: true,
        changes: {},
        calls: [],
        result: 'account',
      })
    })

    test('stand alone in their program', async () => {
      const answer = await content('# apply: plan_x\npost("/tags", name: "beside")')
      expect(answer.error).toMatchObject({ type: 'invalid_program', line: 2 })
      expect(await agent.tags()).not.toContain('beside')
    })

    test('applied twice at the same time take effect once', async () => {
      const { plan } = await content('# dry_run: true\npost("/customers", email: "raced@example.com")["email"]')
      const answers = await Promise.all(Array.from({ length: 6 }, () => content(`# apply: ${plan}`)))
      const types = answers.map((answer) => answer.error?.type ?? answer.committed).toSorted()
      expect(types.filter((type) => type === 'all')).toHaveLength(1)
      expect(new Set(types.filter((type) => type !== 'all')).isSubsetOf(new Set(['plan_unavailable']))).toBe(true)
    })

    test('are not made of changes beyond a megabyte', async () => {
      const notes = (letter: string) => `(1..50).to_h { |i| ["note #{i}", "${letter}" * 500] }`
      // An update holds the values before and after, so few calls are enough.
      await content(`12.times { |i| post("/products", name: "Big #{i}", metadata: ${notes('x')}) }`)
      await content(`12.times { |i| post("/products", name: "Big #{12 + i}", metadata: ${notes('x')}) }`)
      const change = `notes = ${notes('y')}\nlist("/products", query: "Big").each { |one| patch("/products/#{one["id"]}", metadata: notes) }`
      const answer = await content(`# dry_run: true\n${change}\nnil`)
      expect(answer).toMatchObject({ dry_run: true, changes: { 'product.updated': { count: 24 } } })
      expect(answer).not.toHaveProperty('plan')
      expect(answer.warnings).toEqual([expect.stringContaining('too much for a plan')])
    })

    test('hold the beginnings of long texts, and notice a change of their ends', async () => {
      const program = (end: string) => `id = post("/products", name: "Long")["id"]
patch("/products/#{id}", body_html: "<p>${'x'.repeat(3_000)} #{id} ${end}</p>")["id"]`
      const answer = await content(`# dry_run: true\n${program('same')}`)
      const plan = await agent.app.app.database.read
        .selectFrom('program_plans')
        .select('changes')
        .where('id', '=', answer.plan)
        .executeTakeFirstOrThrow()
      expect(plan.changes.length).toBeLessThan(2_000)
      expect(plan.changes).toContain('more characters, digest ')
      expect(await content(`# apply: ${answer.plan}`)).toMatchObject({ committed: 'all' })
      const changing = `total = list("/products").count\n${program('#{total}')}`
      const outdated = await content(`# dry_run: true\n${changing}`)
      await content('post("/products", name: "Another")["id"]')
      expect((await content(`# apply: ${outdated.plan}`)).error).toMatchObject({ type: 'plan_outdated' })
    })

    test('take the place of those of whoever has most once a hundred are open', async () => {
      const first = await content('# dry_run: true\npost("/tags", name: "oldest")["name"]')
      const { database } = agent.app.app
      const plans = database.read.selectFrom('program_plans').select(['id', 'code']).where('state', '=', 'open')
      const now = timestampOf(new Date())
      const known = (await plans.where('expires_at', '>', now).execute()).map(({ id }) => id)
      const caller = { ...agent.app.app.firstAccount!, kind: 'session', sessionId: 'terminal', role: 'owner' } as const
      const plan = {
        code: 'later',
        changes: '[]',
        shown: '{}',
        consequences: '[]',
        needs: '[]',
        plannedAt: '2026-01-01T00:00:00Z',
      }
      for (let made = (await plans.execute()).length; made < 100; made++) await storePlan(database, caller, plan)
      expect(await plans.execute()).toHaveLength(100)
      expect((await plans.execute()).map(({ id }) => id)).toEqual(expect.arrayContaining(known))
      for (let made = 0; made < 100; made++) await storePlan(database, caller, plan)
      // A caller with many plans does not remove the plans of others.
      expect(await plans.execute()).toHaveLength(100)
      expect((await plans.execute()).map(({ id }) => id)).toEqual(expect.arrayContaining(known))
      const other = { ...caller, sessionId: 'another' }
      const last = await storePlan(database, other, plan)
      expect((await plans.execute()).map(({ id }) => id)).toEqual(expect.arrayContaining([...known, last]))
      expect(await plans.execute()).toHaveLength(100)
      expect(await content(`# apply: ${first.plan}`)).toMatchObject({ committed: 'all', result: 'oldest' })
    })

    describe('a token that may only propose', () => {
      const WRITES: [string, string, string, unknown][] = [
        ['tag', 'POST', '/tags', { name: 'forbidden' }],
        ['tag_customer', 'POST', '/customers/cus_x/tags', { tags: ['forbidden'] }],
        ['product', 'PATCH', '/products/tea', { name: 'forbidden' }],
        ['delete', 'DELETE', '/products/tea', undefined],
      ]

      test.each(WRITES)('cannot write over REST: %s', async (_, method, path, body) => {
        const { status, body: answer } = await agent.app.api(method, path, body, { token: await tokenWith('propose') })
        expect([status, answer.error.code]).toEqual([403, 'permission_denied'])
      })

      test('cannot write by any program', async () => {
        const token = await tokenWith('propose')
        const own = await content('post("/tags", name: "forbidden")["name"]', token)
        expect(own).toMatchObject({ dry_run: true, result: 'forbidden', plan: expect.stringMatching(/^plan_/) })
        expect(own.warnings).toEqual([expect.stringContaining(`npm run plans -- apply ${own.plan}`)])
        expect(own.warnings).toEqual([expect.stringContaining(`"# apply: ${own.plan}" to see the decision`)])
        const separately = await content('# atomic: false\npost("/tags", name: "forbidden")["error"]["code"]', token)
        expect(separately.result).toBe('permission_denied')
        const once = await content('# once: try\npost("/tags", name: "forbidden")["name"]', token)
        expect(once).toMatchObject({ dry_run: true })
        for (const applied of [own.plan, once.plan])
          expect((await content(`# apply: ${applied}`, token)).error).toMatchObject({ type: 'permission_denied' })
        const { plan } = await content('# dry_run: true\npost("/tags", name: "forbidden")["name"]')
        expect((await content(`# apply: ${plan}`, token)).error).toMatchObject({ type: 'plan_unavailable' })
        expect(await agent.tags()).not.toContain('forbidden')
      })

      test('reads like any other', async () => {
        expect((await content('get("/products/tea")["name"]', await tokenWith('propose'))).result).toBe('Tea')
      })
    })

    test('a token that may only read is refused every write, in dry runs too', async () => {
      const token = await tokenWith('read')
      const code = '[get("/products/tea")["name"], post("/tags", name: "x")["error"]["code"]]'
      for (const comment of ['', '# dry_run: true\n', '# atomic: false\n'])
        expect((await content(comment + code, token)).result).toEqual(['Tea', 'permission_denied'])
      expect((await agent.app.api('POST', '/tags', { name: 'x' }, { token })).status).toBe(403)
      expect((await agent.app.api('GET', '/tags', undefined, { token })).status).toBe(200)
    })
  })
})
