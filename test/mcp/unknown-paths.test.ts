import { afterAll, beforeAll, expect, it } from 'vitest'
import { UNRELATED } from '../support/unrelated-paths.ts'
import { type Agent, startAgent } from './agent.ts'

let agent: Agent
beforeAll(async () => {
  agent = await startAgent()
})
afterAll(() => agent.close())

it.each(UNRELATED)('%s suggests no other path, neither before the program runs nor to its call', async (path) => {
  const written = (await agent.execute(`get(${JSON.stringify(path)})`)).structuredContent.error
  expect(written).toMatchObject({ type: 'unknown_path', hint: expect.not.stringMatching('nearest path') })
  const made = (await agent.execute(`path = ${JSON.stringify(path)}\nget(path)["error"]["message"]`)).structuredContent
  expect(made.result).toBe(`No such path: ${path}.`)
})

it.each([
  ['/prodcts', '/products'],
  ['/order_item/oi_1', '/order_items/{id}'],
  ['/subscriptions/sub_1/cancle', '/subscriptions/{id}/cancel'],
])('%s suggests %s', async (path, right) => {
  const { error } = (await agent.execute(`get(${JSON.stringify(path)})`)).structuredContent
  expect(error).toMatchObject({ type: 'unknown_path', hint: `The nearest path is "${right}".` })
})
