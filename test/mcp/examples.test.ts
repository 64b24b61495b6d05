import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

describe('the examples', () => {
  test('are all run here', () => {
    const source = readFileSync(new URL(import.meta.url), 'utf8')
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
})
