import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Shop } from '../support/shop.ts'
import { costOf, longestHoldMs, MOST } from './meter.ts'

const shop = new Shop()
let most: number
beforeAll(async () => {
  await shop.open('sqlite', {})
  most = longestHoldMs()
})
afterAll(() => shop.close())

/** Makes the guest write whatever the program likes in place of its messages. */
const forging = (message: string) => `
text = ${message}
JSON.define_singleton_method(:generate) { |*, **| text }`

const call = (fields: string) => `'{"method":"GET","path":"/tags","params":{},"line":1,"listing":false}'.sub(${fields})`

/** Programs that send, print or return as much as they can, or what the prelude would never write. */
const PROGRAMS: [name: string, code: string][] = [
  ['calls a long method', `${forging(call('"GET", "x" * 900_000'))}\n60.times { get("/tags") rescue nil }`],
  ['calls a method that is a list', `${forging(call(`'"GET"', '["GET"]'`))}\nget("/tags") rescue nil`],
  ['calls a path that is a number', `${forging(call(`'"/tags"', "5"`))}\nget("/tags") rescue nil`],
  [
    'names a line that is a text',
    `${forging(call(`'"line":1', '"line":"' + "x" * 900_000 + '"'`))}\nget("/tags")["data"]`,
  ],
  [
    'sends parameters that are a list',
    `${forging(call(`'{}', '[' + "[]," * 300_000 + '[]]'`))}\nget("/tags") rescue nil`,
  ],
  ['sends what is no JSON', `${forging('"{" * 900_000')}\n10.times { get("/tags") rescue nil }`],
  ['sends 100,000 levels', `${forging(call(`'{}', '{"a":' + "[" * 100_000 + "]" * 100_000 + '}'`))}\nget("/tags")`],
  ['gets long paths', '10.times { |i| get("/#{i}" + "x" * 900_000) }'],
  ['gets long paths that are not quite known', '50.times { |i| get("/products/#{i}" + "x" * 15_000 + "/none") }'],
  ['gets with 250 long names', '250.times { |i| get("/tags", "x#{i}" + "y" * 900_000 => 1) }'],
  ['posts 80,000 fields', 'post("/tags", (1..80_000).to_h { |i| ["k#{i}", 1] })["error"]'],
  ['posts 9,000 misspelt fields', '20.times { post("/products", (1..9_000).to_h { |i| ["nam#{i}", 1] })["error"] }'],
  ['posts to a long path', '10.times { post("/tags" + "x" * 900_000)["error"] }'],
  ['reads 100 lists to their first pages', '100.times { |i| get("/tags", query: "#{i}" + "x" * 190) }'],
  [
    'returns 200,000 levels',
    `post("/tags", name: "deep")\n${forging(`'{"ok":true,"value":' + "[" * 200_000 + "]" * 200_000 + '}'`)}\n1`,
  ],
  ['returns no JSON', `post("/tags", name: "none")\n${forging('"{" * 900_000')}\n1`],
  ['returns a list of lists', `${forging(`'{"ok":true,"value":[' + "[]," * 1_000_000 + '[]]}'`)}\n1`],
  ['returns 300,000 numbers', '(1..300_000).each_slice(50_000).map(&:to_a)'],
  ['returns 50,000 keys', '(1..50_000).to_h { |i| ["key #{i}", i] }'],
  ['returns control characters', '"\\u0001" * 3_000_000'],
  ['returns quotation marks', '["\\"" * 1_000_000, "\\\\" * 900_000]'],
  ['reports a million ordinals', `${forging(`'{"ok":true,"value":1,"overlooked":[' + "1," * 1_000_000 + '1]}'`)}\n1`],
  ['reports long warnings', `${forging(`'{"ok":true,"value":1,"warnings":["' + "x" * 3_000_000 + '"]}'`)}\n1`],
  ['reports many warnings', `${forging(`'{"ok":true,"value":1,"warnings":[' + '"x",' * 500_000 + '"x"]}'`)}\n1`],
  [
    'reports a long error',
    `${forging(`'{"ok":false,"error":{"type":"ruby_error","message":"' + "x" * 3_000_000 + '"}}'`)}\n1`,
  ],
  ['raises a long message', 'raise "x" * 10_000_000'],
  ['prints control characters', 'puts "\\u0001" * 1_000_000'],
  ['prints a line at a time', '200_000.times { puts "x" }'],
  ['is nearly as long as it may be', `# ${'x'.repeat(250_000)}\n1`],
  ['has a long line that fails', `raise "no" #${'x'.repeat(250_000)}`],
  ['is too long', 'x'.repeat(900_000)],
  ['is many lines', '\n'.repeat(250_000)],
  ['has a comment of blanks', `# once: a${' '.repeat(200_000)}b\n1`],
  [
    'changes as much as a plan holds',
    '# dry_run: true\nnotes = (1..50).to_h { |i| ["note #{i}", "x" * 490] }\n30.times { |i| post("/products", name: "Noted #{i}", metadata: notes)["id"] }',
  ],
  [
    'plans long texts',
    '# dry_run: true\n30.times { |i| post("/products", name: "Long #{i}", body_html: "x" * 199_000)["id"] }',
  ],
]

describe('No program costs the others much', () => {
  it.each(PROGRAMS)(
    'one that %s',
    async (_, code) => {
      const run = async (tool: string) => {
        const params = { name: tool, arguments: { code } }
        const headers = { authorization: `Bearer ${shop.running.token}`, 'content-type': 'application/json' }
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
        const request = new Request(`${shop.running.url}/mcp`, { method: 'POST', headers, body })
        const cost = await costOf(shop, async () => (await shop.running.app.fetch(request)).text())
        const answer = JSON.parse(cost.result)
        expect(answer.result.content[0].text.length).toBeGreaterThan(10)
        expect(answer.result.structuredContent.error?.type).not.toBe('commit_failed')
        expect(cost.result.length).toBeLessThan(MOST.answerBytes)
        return cost
      }
      for (const tool of ['code_execute', 'code_search']) {
        const first = await run(tool)
        // The first one of its kind makes the engine compile, which others do not pay for.
        const cost = first.heldMs < most ? first : await run(tool)
        expect(cost.heldMs).toBeLessThan(most)
        expect(cost.storedBytes).toBeLessThan(MOST.storedBytes)
      }
    },
    60_000,
  )

  it('and what a result cannot be undoes what was written', async () => {
    expect((await shop.listed('/tags', 'name')).filter((name) => ['deep', 'none'].includes(String(name)))).toEqual([])
  })
})
