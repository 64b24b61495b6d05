import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gateEngines } from '../support/app.ts'
import { type Agent, startAgent } from './agent.ts'

/** Programs as documentation and agents write them, word for word. */
describe.each(gateEngines)('published programs on $name', ({ name, available }) => {
  let agent: Agent
  beforeAll(async () => {
    if (available) agent = await startAgent({ engine: name })
  })
  afterAll(() => agent?.close())

  const operations = () => agent.app.app.pipeline.operations
  const search = async (code: string) => (await agent.search(code)).structuredContent.result
  const execute = async (code: string) => (await agent.execute(code)).structuredContent.result

  test.skipIf(!available)('lists all tags of the catalogue', async () => {
    const tags = await search('tools.flat_map { |t| t[:tags] }.uniq.sort')
    expect(tags).toEqual([...new Set(operations().map((operation) => operation.group))].sort())
  })

  test.skipIf(!available)('finds operations by the name of a parameter', async () => {
    const found = await search(
      'tools.select { |t| t[:parameters].any? { |p| p["name"] == "status" } }.map { |t| "#{t[:method]} #{t[:path]}" }',
    )
    const expected = operations().filter((operation) => 'status' in operation.query)
    expect(found).toEqual(expected.map((operation) => `${operation.method} ${operation.path}`))
    expect(found).toContain('GET /products')
  })

  test.skipIf(!available)('counts the operations of each tag', async () => {
    const counted = await search('tools.group_by { |t| t[:tags].first }.transform_values(&:size)')
    const expected = Object.groupBy(operations(), (operation) => operation.group)
    expect(counted).toEqual(Object.fromEntries(Object.entries(expected).map(([tag, all]) => [tag, all!.length])))
  })

  test.skipIf(!available)('creates a product and a price, and reads the names', async () => {
    const price = await execute(`
      create = post("/products", name: "Ruby Handbook", status: "active")
      post("/price_variants", product_id: create["id"], name: "PDF", amount_type: "fixed", amount: 2900, currency: "usd", billing_type: "one_time")`)
    expect(price).toMatchObject({ object: 'price_variant', amount: 2900, currency: 'usd', billing_type: 'one_time' })
    expect(await execute('get("/products", limit: 100)["data"].map { |p| p["name"] }')).toEqual(['Ruby Handbook'])
    const shown = await execute('get("/products/ruby-handbook")["price_variants"].map { |v| v["id"] }')
    expect(shown).toEqual([(price as { id: string }).id])
  })

  test.skipIf(!available)('archives a batch in a loop', async () => {
    const archived = await execute(`
      3.times { |i| post("/products", name: "Old #{i}") }
      old = get("/products", query: "old", limit: 100)["data"]
      old.each { |p| patch("/products/#{p["id"]}", status: "archived") }
      get("/products", status: "archived")["data"].map { |p| p["name"] }.sort`)
    expect(archived).toEqual(['Old 0', 'Old 1', 'Old 2'])
  })

  test.skipIf(!available)('finds a product by name and makes a discount of 100 % for it', async () => {
    const discount = await execute(`
      product = get("/products", limit: 100)["data"].find { |p| p["name"] == "Ruby Handbook" }
      post("/discounts", code: "GIFT100", discount_type: "percent_off", percent_off: 100, duration: "once", applies_to_product_ids: [product["id"]])`)
    const { body } = await agent.app.api('GET', '/products/ruby-handbook')
    expect(discount).toMatchObject({ code: 'GIFT100', percent_off: 100, applies_to_product_ids: [body.id] })
  })
})
