import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Agent, startAgent } from './agent.ts'

let agent: Agent
beforeAll(async () => {
  agent = await startAgent()
})
afterAll(() => agent.close())

describe('Several calls of describe in one program', () => {
  it.each(['search', 'execute'] as const)('are all answered, and say nothing twice (code_%s)', async (tool) => {
    const { structuredContent } = await agent[tool]('describe("order")\ndescribe "time"\ndescribe("refund", "order")')
    const { result, output } = structuredContent as { result: string; output: string }
    expect(output).toMatch(/^Key: [\s\S]*^## order \([\s\S]*^Time: /m)
    expect(result).toMatch(/^## refund \([\s\S]*^Described before in this program: order in short$/m)
    const lines = `${output}\n${result}`.split('\n').filter((line) => line.length > 40)
    expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([])
  })

  it('are answered once where two are in one line, and where the last one is the result', async () => {
    const { structuredContent } = await agent.search('describe("tag"); describe("review")')
    expect(structuredContent.output).toMatch(/^## tag /m)
    expect(structuredContent.output).not.toMatch(/^## review /m)
    expect(structuredContent.result).toMatch(/^## review /m)
  })

  it('print nothing where the program uses the text', async () => {
    const program = 'text = describe("tag")\n[text.lines.size > 3, describe("review").lines.size > 3]'
    expect((await agent.search(program)).structuredContent).toEqual({ result: [true, true] })
  })

  it('start anew with each program', async () => {
    const texts = [await agent.search('describe("tag")'), await agent.search('describe("tag")')]
    expect(texts[1]!.structuredContent).toEqual(texts[0]!.structuredContent)
  })
})

type Changes = Record<string, { count: number; samples: Record<string, unknown>[] }>
const planned = async (code: string) => (await agent.execute(`# dry_run: true\n${code}`)).structuredContent

describe('The changes of a dry run', () => {
  it('leave out the values that the result has, and say so', async () => {
    const { result, changes } = await planned('post("/tags", name: "Paper", color: "#1f6feb").slice("id", "name")')
    const { id } = result as { id: string }
    expect((changes as Changes)['tag.created']).toEqual({
      count: 1,
      samples: [{ id, color: '#1f6feb', customers_count: 0, more: 'in result' }],
    })
  })

  it('show a new value that the result lacks, whatever its form', async () => {
    const { changes } = await planned(
      'post("/customers", email: "pair@example.com", metadata: { ink: "blue" }).slice("id")',
    )
    expect((changes as Changes)['customer.created']!.samples[0]).toMatchObject({ metadata: { ink: 'blue' } })
  })

  it('leave out a change that the result has with its old and its new value', async () => {
    await agent.execute('post("/tags", name: "Ink", color: "#111111")')
    const program = (result: string) => `tag = list("/tags").find { |one| one["name"] == "Ink" }
      now = patch("/tags/#{tag["id"]}", color: "#222222")
      ${result}`
    const sampleOf = async (result: string) => {
      const { changes } = await planned(program(result))
      return (changes as Changes)['tag.updated']!.samples[0]
    }
    const whole = { id: expect.any(String), name: 'Ink', color: { from: '#111111', to: '#222222' } }
    const short = { id: whole.id, name: 'Ink', more: 'in result' }
    expect(await sampleOf('now')).toEqual(whole)
    expect(await sampleOf('{ was: tag["color"], now: now["color"] }')).toEqual(whole)
    expect(await sampleOf('[{ id: tag["id"], was: tag["color"], now: now["color"] }]')).toEqual(short)
    expect(await sampleOf('{ id: tag["id"], "color" => [tag["color"], now["color"]] }')).toEqual(short)
    expect(await sampleOf('{ id: tag["id"], color: { from: tag["color"], to: now["color"] } }')).toEqual(short)
    expect(await sampleOf('{ id: tag["id"], was: now["color"], now: tag["color"] }')).toEqual(whole)
  })
})
