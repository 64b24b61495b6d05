import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TOOL_LIST } from '../../src/mcp/endpoint/tool-list.ts'
import { type Agent, startAgent } from './agent.ts'

let agent: Agent
beforeAll(async () => {
  agent = await startAgent()
})
afterAll(() => agent.close())

const result = async (code: string) => {
  const answer = await agent.execute(code)
  expect(answer.structuredContent.error).toBeUndefined()
  return answer.structuredContent.result
}
const failure = async (code: unknown) => {
  const answer = await agent.execute(code)
  expect(answer.isError).toBe(true)
  return answer.structuredContent
}

describe('what a program ends with', () => {
  test('is the result, and nothing else stands beside it', async () => {
    const answer = await agent.execute('{ ids: (1..3), at: nil, "b" => :two }')
    expect(answer).toEqual({
      content: [{ type: 'text', text: '{"result":{"ids":[1,2,3],"at":null,"b":"two"}}' }],
      structuredContent: { result: { ids: [1, 2, 3], at: null, b: 'two' } },
    })
  })

  test('is the same with a Markdown fence, after an early return, and with other arguments', async () => {
    expect(await result('```ruby\nreturn 1\n```')).toBe(1)
    const params = { name: 'code_execute', arguments: { code: '2', language: 'ruby' } }
    const response = await agent.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    expect(await response.json()).toMatchObject({ result: { structuredContent: { result: 2 } } })
  })

  test('comes with what was printed', async () => {
    expect((await agent.execute('puts "a"; p 1; 3')).structuredContent).toEqual({ result: 3, output: 'a\n1\n' })
  })

  test('is shortened by its structure when it is long, and says so', async () => {
    const { structuredContent } = await agent.execute('(1..20_000).map { |n| { n: n } }')
    expect(structuredContent.truncated).toBe(true)
    expect(structuredContent.warnings).toEqual([expect.stringContaining('longer than 100 KB')])
    expect((structuredContent.result as unknown[]).slice(0, 2)).toEqual([{ n: 1 }, { n: 2 }])
  })
})

describe('paths', () => {
  test.each(['/account', 'account', '/v1/account', 'v1/account/', '/account?expand='])(
    '%s is the account',
    async (path) => {
      expect(await result(`get("${path}")["object"]`)).toBe('account')
    },
  )

  test('may be whole addresses of this server', async () => {
    expect(await result(`get("${agent.app.url}/v1/account")["object"]`)).toBe('account')
  })

  test('of another server are refused calls that name this one', async () => {
    expect(await result('get("https://example.com/v1/account")["error"]["message"]')).toContain('another server')
  })

  test.each([
    '/products/..',
    '/products/../account',
    '/products/a%0d%0aHost:%20x',
    '/products/__proto__',
    '/products/%',
    '/%00',
  ])('%s is harmless', async (path) => {
    expect(await result(`get(${JSON.stringify(path)} + "")["error"]["type"]`)).toBe('invalid_request_error')
  })
})

describe('warnings', () => {
  test('name a list that was not read to its end', async () => {
    await agent.execute('5.times { |n| post("/tags", name: "page #{n}") }')
    const { structuredContent } = await agent.execute('get("/tags", limit: 2)["data"].size')
    expect(structuredContent).toEqual({
      result: 2,
      warnings: [expect.stringContaining('GET /tags has more than the 2 items')],
    })
    const paged = `
      page = get("/tags", limit: 2)
      page = get("/tags", limit: 2, starting_after: page["data"].last["id"]) while page["has_more"]
    `
    expect((await agent.execute(paged)).structuredContent.warnings).toBeUndefined()
  })

  test('name the parameter that was meant', async () => {
    const body = await agent.execute('post("/tags", name: "warned", colour: "#ffffff")["object"]')
    expect(body.structuredContent.warnings).toEqual([expect.stringContaining('did you mean `color`?')])
    const refused = await agent.execute('post("/tags", nam: "warned")["error"]["param"]')
    expect(refused.structuredContent).toEqual({
      result: 'name',
      warnings: [expect.stringContaining('did you mean `name`?')],
    })
  })
})

describe('filters', () => {
  test('are hashes and lists, in symbols or strings, and moments may be times', async () => {
    await agent.execute('post("/products", name: "Filtered", metadata: { campaign: "spring" })')
    const find = (filters: string) => result(`get("/products", ${filters})["data"].map { |p| p["name"] }`)
    expect(await find('status: [:active, "draft"], metadata: { campaign: "spring" }')).toEqual(['Filtered'])
    expect(await find('created_at: { gte: Time.now - 3600, lt: "9999-01-01" }, query: "filtered"')).toEqual([
      'Filtered',
    ])
    expect(await find('"created_at[gt]" => "2999-01-01"')).toEqual([])
    expect(await find('reviews_count: 0..3, expand: ["reviews"], query: "filtered"')).toEqual(['Filtered'])
    expect(await result('list("/products?status=archived", status: "draft").map { |p| p["name"] }')).toEqual(['Filtered'])
  })

  test('that do not exist are refusals that name what was meant', async () => {
    expect(await result('get("/products", stats: "draft")["error"]')).toMatchObject({
      code: 'parameter_unknown',
      param: 'stats',
      message: 'GET /products has no query parameter stats. Did you mean status?',
    })
    expect(await result('post("/tags?name=x", {})["error"]["message"]')).toContain('belongs in the body of POST /tags')
    const { structuredContent } = await agent.execute('post("/tags", name: "expanded", expand: "x")["object"]')
    expect(structuredContent.warnings).toEqual([expect.stringContaining('POST /tags has no parameter `expand`')])
  })
})

describe('a program that fails', () => {
  test('is told where, why, what it had called, and that nothing was kept', async () => {
    const told = await failure('post("/tags", name: "lost")\nputs "hi"\nnil.upcase')
    expect(told).toMatchObject({
      error: { type: 'ruby_error', line: 3, source: 'nil.upcase' },
      committed: 'none',
      calls: [{ method: 'POST', path: '/tags', status: 201, id: expect.stringMatching(/^tag_/) }],
      output: 'hi\n',
    })
    expect(await agent.tags()).not.toContain('lost')
  })

  test('after a refused call hears of the refusal', async () => {
    const told = await failure('post("/tags", color: "#ffffff")["name"].upcase')
    expect(told.error!.hint).toMatch(/refused|error/)
  })

  test('goes on after a refused call unless it chooses otherwise', async () => {
    expect(await result('[post("/tags", {})["error"]["code"], get("/account")["object"]]')).toEqual([
      'parameter_missing',
      'account',
    ])
  })

  test.each([[undefined], [null], [5], [['get("/me")']], [''], ['```ruby\n```']])(
    'with code %j is told in one sentence',
    async (code) => {
      expect(await failure(code)).toMatchObject({
        error: { type: 'invalid_program', message: expect.stringContaining('`code`') },
      })
    },
  )

  test('by its syntax or a path that is not there calls nothing', async () => {
    expect(await failure('post("/tags", name: "never")\ndef x(')).toMatchObject({
      error: { type: 'syntax_error' },
      calls: [],
    })
    expect(await failure('post("/tags", name: "never")\nget("/product")')).toMatchObject({
      error: { type: 'unknown_path' },
      calls: [],
    })
    expect(await agent.tags()).not.toContain('never')
  })

  test('by calling put is told of patch', async () => {
    expect(JSON.stringify(await failure('put("/account", name: "x")'))).toContain('patch')
  })
})

test('every identifier that the descriptions name exists in its sandbox', async () => {
  const [search, execute] = TOOL_LIST
  const keys = [...search!.description!.matchAll(/ :(\w+)/g)].map((match) => match[1]!)
  expect(keys).toEqual(['method', 'path', 'summary', 'description', 'tags', 'parameters', 'request_body'])
  const found = await agent.search('tools.map { |tool| tool.keys.map(&:to_s) }.uniq')
  expect(found.structuredContent.result).toEqual([keys])
  const searched = await agent.search(search!.description!.split('E.g. ')[1])
  expect((searched.structuredContent.result as unknown[]).length).toBeGreaterThan(0)
  const example = /e\.g\. (get\(.*?\]) ?\./.exec(execute!.description!)![1]!
  expect(await result(example)).toEqual([])
  expect(await result('[:get, :post, :patch, :delete].map { |name| respond_to?(name, true) }')).toEqual([
    true,
    true,
    true,
    true,
  ])
})
