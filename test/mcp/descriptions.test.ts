import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TOOL_LIST } from '../../src/mcp/endpoint/tool-list.ts'
import { type Agent, startAgent } from './agent.ts'

let agent: Agent
beforeAll(async () => {
  agent = await startAgent()
})
afterAll(() => agent.close())

const resultOf = async (code: string) => (await agent.execute(code)).structuredContent.result

describe('every identifier that the descriptions name exists in its sandbox:', () => {
  const [search, execute] = TOOL_LIST.map(({ description }) => description!)

  test('the keys of an operation', async () => {
    const keys = [...search!.matchAll(/ :(\w+)/g)].map((match) => match[1]!)
    const found = await agent.search('tools.map { |tool| tool.keys.map(&:to_s) }.uniq')
    expect(found.structuredContent.result).toEqual([keys])
  })

  test('the examples of a search', async () => {
    const examples = [...search!.matchAll(/describe\(.*?\)/g), ...search!.matchAll(/resources\[.*?\]/g)].map(
      ([one]) => one,
    )
    expect(examples).toHaveLength(3)
    for (const example of ['describe', ...examples]) {
      const { structuredContent } = await agent.search(
        `found = ${example}\n[found.size > 3, found.to_s.match?(/minor units|Recipe: /)]`,
      )
      expect([example, structuredContent.result]).toEqual([example, [true, true]])
    }
  })

  test('the methods that call', async () => {
    const named = /API.*?: ([\w, ]+)\(path/.exec(execute!)![1]!.split(', ')
    const calls = [...named, ...[...execute!.matchAll(/(\w+)\(/g)].map((match) => match[1]!)]
    expect([...new Set(calls)].sort()).toEqual(['delete', 'describe', 'get', 'list', 'patch', 'post'])
    expect(await resultOf('describe("programs").include?("each_batch")')).toBe(true)
    expect(await resultOf(`%i[${calls.join(' ')}].all? { |name| respond_to?(name, true) }`)).toBe(true)
  })

  test('the parameters in the path of a write', async () => {
    const example = /e\.g\. (post\(.*?\))/.exec(execute!)![1]!
    const program = `# dry_run: true\nemail = "named@example.com"\ntags = ["VIP"]\n${example.replace('email:', 'email:, tags:')}["tags"]`
    expect(await resultOf(program)).toEqual([expect.objectContaining({ object: 'tag', name: 'VIP' })])
  })

  test('the answer to a refused call', async () => {
    expect(await resultOf('post("/customers", email: "no address")["error"]["code"]')).toBe('validation_failed')
    const { structuredContent } = await agent.execute('post("/customers", email: "no address")["id"]')
    expect(structuredContent).toMatchObject({ error: { type: 'refused' } })
  })

  test('the first lines that plan and commit', async () => {
    const [dryRun, apply] = [...execute!.matchAll(/`(# \w+: \w+)/g)].map((match) => match[1]!)
    expect([dryRun, apply]).toEqual(['# dry_run: true', '# apply: plan_'])
    const planned = await agent.execute(`${dryRun}\npost("/tags", name: "planned")["name"]`)
    const plan = planned.structuredContent.plan as string
    expect(plan.startsWith('plan_')).toBe(true)
    expect((await agent.execute(`# apply: ${plan}`)).structuredContent.result).toBe('planned')
  })
})
