import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Recipe, Recipes } from '../../src/contract/documents/descriptions/recipes.ts'
import { gateEngines } from '../support/app.ts'
import { type Agent, startAgent } from './agent.ts'

const { all } = new Recipes()
const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_`))
const text = expect.any(String)
const number = expect.any(Number)
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)

/** Something of the result of each recipe in the demo shop, in the order of the guide, where each leaves its changes to the next. */
const RESULTS: Record<string, unknown> = {
  'Launch a product with a price and a code': { page: text, buy: text, code: 'INK10', until: time },
  'Raise a price for new buyers only': { was: number, now: 3900 },
}

describe('the recipes', () => {
  it('are at least thirty, with at most eight lines and other words for the job', () => {
    expect(all.length).toBeGreaterThanOrEqual(30)
    for (const { title, program, also } of all)
      expect([title, program.split('\n').length <= 8, also.length > 1]).toEqual([title, true, true])
  })
})

describe.each(gateEngines.slice(0, 1))('on the demo shop, on $name', ({ name: engine, available }) => {
  let agent: Agent
  beforeAll(async () => {
    if (available) agent = await startAgent({ engine, settings: { DEMO_DATA: 'shop' } })
  })
  afterAll(() => agent?.close())

  it.skipIf(!available).each(all)('$title', async ({ title, program }: Recipe) => {
    const { isError, structuredContent } = await agent.execute(program)
    console.log(title, JSON.stringify({ isError, ...structuredContent }).slice(0, 700))
    expect(structuredContent).not.toHaveProperty('error')
  })
})
