import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { payIn } from '../support/sell.ts'
import { type Agent, startAgent } from './agent.ts'

const directory = new URL('../../examples/', import.meta.url)
const program = (name: string) => readFileSync(new URL(`${name}.rb`, directory), 'utf8')

let agent: Agent
beforeAll(async () => {
  agent = await startAgent()
  await agent.execute(`
    tea = post("/products", name: "Earl Grey", status: "active", description: "Black tea with bergamot")
    post("/price_variants", product_id: tea["id"], amount_type: "fixed", amount: 1250, currency: "usd", billing_type: "one_time")
    post("/products", name: "Idea without a price")
    post("/reviews", product: tea["id"], rating: 5, content: "The best there is")
    post("/reviews", product: tea["id"], rating: 2, content: "Too weak")
    post("/customers", email: "mara@example-works.com", name: "Mara Lind")
    post("/customers", email: "tom@gmail.com", name: "Tom Berg")
  `)
})
afterAll(() => agent.close())

const run = async (name: string) => {
  const { isError, structuredContent } = await agent.execute(program(name))
  expect(structuredContent).not.toHaveProperty('error')
  expect(isError).toBeUndefined()
  return structuredContent
}

/** Mara buys tea, and joins a club with a trial. */
async function sellToMara(): Promise<void> {
  const { result } = (
    await agent.execute(`
      tea = get("/products", query: "Earl Grey")["data"].first["price_variants"].first["id"]
      club = post("/products", name: "Tea Club", status: "active")
      club = post("/price_variants",
        product_id: club["id"], amount: 900, currency: "usd", recurring_interval: "month", billing_type: "subscription",
        trial_period_days: 14)["id"]
      buyer = { email: "mara@example-works.com" }
      post("/checkouts", line_items: [{ price_variant: club }], **buyer)
      [1, 2].map { |count| post("/checkouts", line_items: [{ price_variant: tea, quantity: count }], **buyer)["id"] }
    `)
  ).structuredContent
  const { app } = agent
  for (const checkout of result as string[]) await payIn(app, app.accountId, checkout, {})
}

describe('the examples', () => {
  test('are all run here or on the demo shop', () => {
    const suites = ['examples.test.ts', 'demo-examples.test.ts']
    const source = suites.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join('\n')
    for (const file of readdirSync(directory).filter((name) => name.endsWith('.rb'))) {
      expect(source).toContain(`'${file.slice(0, -'.rb'.length)}'`)
    }
  })

  test('find-operations', async () => {
    const { result } = (await agent.search(program('find-operations'))).structuredContent
    expect(result).toContainEqual(expect.objectContaining({ call: 'POST /discounts' }))
  })

  test('launch-product launches once', async () => {
    expect((await run('launch-product')).result).toMatchObject({
      prices: ['Monthly: 19.0 USD', 'Yearly: 190.0 USD'],
      discount: 'FIRSTPOT',
    })
    expect((await run('launch-product')).result).toHaveProperty('already_launched')
  })

  test('find-and-discount makes a code and then finds it again', async () => {
    expect((await run('find-and-discount')).result).toMatchObject({
      product: 'Rooibos Club',
      code: 'WEEKEND20',
      new: true,
    })
    expect((await run('find-and-discount')).result).toMatchObject({ code: 'WEEKEND20', new: false })
  })

  test('catalog-report counts and compares', async () => {
    expect((await run('catalog-report')).result).toEqual({
      products: 3,
      by_status: { active: 2, draft: 1 },
      cheapest_and_dearest: { usd: [1250, 19000] },
      active_without_price: [],
      without_description: 1,
    })
  })

  test('archive-drafts shows what it would archive', async () => {
    const shown = await run('archive-drafts')
    expect(shown).toMatchObject({ dry_run: true, result: { archived: ['Idea without a price'], kept: 0 } })
    expect(shown.changes).toMatchObject({
      'product.updated': { count: 1, samples: [{ status: { from: 'draft', to: 'archived' } }] },
    })
    expect((await agent.app.api('GET', '/products?status=draft')).body.data).toHaveLength(1)
  })

  test('daily-report makes a task once, whose program works', async () => {
    const made = (await run('daily-report')).result as { task: string }
    expect(made).toMatchObject({ new: true, next_run_at: expect.stringMatching(/T08:00:00Z$/) })
    expect((await run('daily-report')).result).toMatchObject({ task: made.task, new: false })
    const { api } = agent.app
    const { prompt } = (await api('GET', `/tasks/${made.task}`)).body
    const { last_run } = (await api('POST', '/tasks', { name: 'Now', prompt })).body
    const status = async () => (await api('GET', `/task_runs/${last_run}`)).body.status
    await vi.waitUntil(async () => (await status()) !== 'pending' && (await status()) !== 'running', 30_000)
    expect((await api('GET', `/task_runs/${last_run}`)).body).toMatchObject({
      status: 'completed',
      summary: expect.stringMatching(/^0 orders on \d{4}-\d\d-\d\d\n$/),
    })
  })

  test('reprice raises each price once', async () => {
    expect((await run('reprice')).result).toEqual([{ product: 'Earl Grey', was: 1250, is: 1399 }])
    expect((await run('reprice')).result).toEqual([])
  })

  test('tag-customers tags, however often it runs', async () => {
    expect((await run('tag-customers')).result).toEqual({ company: 1 })
    expect((await run('tag-customers')).result).toEqual({ company: 1 })
  })

  test('import-customers keeps the good lines', async () => {
    expect((await run('import-customers')).result).toMatchObject({
      created: [expect.any(String), expect.any(String), expect.any(String)],
      known: [],
      refused: { 'not-an-address': expect.stringContaining('not a valid e-mail address') },
    })
    expect((await run('import-customers')).result).toMatchObject({ created: [], known: expect.any(Array) })
  })

  test('feature-reviews puts the best first', async () => {
    const { result } = await run('feature-reviews')
    expect(result).toContainEqual({ product: 'Earl Grey', rating: 3.5, reviews: 2, first: 'The best there is' })
  })

  test('bill-customer bills once', async () => {
    const [first, second] = [(await run('bill-customer')).result, (await run('bill-customer')).result]
    expect(first).toMatchObject({ number: '#00000001', pay_at: expect.stringContaining('/pay/inv_'), new: true })
    expect(second).toEqual({ ...(first as object), new: false })
  })

  test('pause-customer, month-revenue and refund-last-order look after what was sold', async () => {
    await sellToMara()
    expect((await run('pause-customer')).result).toMatchObject({ paused: [expect.stringMatching(/^sub_/)] })
    expect((await run('pause-customer')).result).toMatchObject({ paused: [] })
    const revenue = async () => ((await run('month-revenue')).result as { revenue: object[] }).revenue
    const [tea] = await revenue()
    const one = (tea as { amount: number }).amount / 3
    expect(await revenue()).toEqual([
      { product: 'Earl Grey', currency: 'usd', amount: 3 * one },
      { product: 'Tea Club', currency: 'usd', amount: 0 },
    ])
    expect((await run('refund-last-order')).result).toMatchObject({ refunded: 2 * one, status: 'succeeded' })
    expect((await revenue())[0]).toMatchObject({ amount: one })
    expect((await run('refund-last-order')).result).toMatchObject({ refunded: one })
    expect((await run('refund-last-order')).result).toContain('no order that could be refunded')
  })
})
