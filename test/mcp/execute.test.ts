import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

  test('is as long as its bytes, not its characters', async () => {
    const { structuredContent } = await agent.execute('"漢" * 60_000')
    expect(structuredContent.truncated).toBe(true)
    expect(Buffer.byteLength(JSON.stringify(structuredContent.result))).toBeLessThanOrEqual(100_000)
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

describe('lists', () => {
  test('are read page by page to their end', async () => {
    await agent.execute('120.times { |n| post("/customers", email: "listed-#{n}@example.com") }')
    const code = 'found = list("/customers", query: "listed-"); [found.count, found.map { |c| c["id"] }.uniq.size]'
    expect(await result(code)).toEqual([120, 120])
    const pages = 'list("/customers").first(101)\npost("/tags", name: "")["error"]\nraise "stop"'
    expect((await failure(pages)).error!.message).toContain('stop')
    await agent.app.app.mcp.close()
    const runs = agent.app.app.database.read.selectFrom('program_runs').select('calls_count')
    expect(await runs.orderBy('id', 'desc').limit(1).execute()).toEqual([{ calls_count: 3 }])
  })

  test('end the program where a page is refused', async () => {
    expect(await failure('list("/customers", email: "nobody").to_a')).toMatchObject({
      error: { type: 'refused', line: 1, message: expect.stringContaining('parameter_invalid') },
    })
  })
})

describe('a refused call', () => {
  test('ends the program that asks its answer for more than its error', async () => {
    const told = await failure('tag = post("/tags", color: "#ffffff")\n\n"#{tag["id"]}!"')
    expect(told).toMatchObject({
      error: {
        type: 'refused',
        message: expect.stringMatching(/^POST \/tags on line 1 was refused: .* \(400 parameter_missing\)$/),
        line: 3,
        source: '"#{tag["id"]}!"',
        hint: expect.stringContaining('"name"'),
      },
      committed: 'none',
    })
  })

  test('to another server is in the list of calls like any other', async () => {
    const address = 'https://example.com/v1/account'
    const told = await failure(`get("/account")["id"]\nget("${address}")["id"]`)
    expect(told.error).toMatchObject({ type: 'refused', line: 2 })
    const samples = [{ path: address, error: expect.stringContaining('another server') }]
    expect(told.calls).toEqual([{ operation: `GET ${address}`, status: 400, count: 1, samples }])
  })
})

describe('warnings', () => {
  test('name a list that was not read to its end', async () => {
    await agent.execute('25.times { |n| post("/tags", name: "page #{n}") }')
    const { structuredContent } = await agent.execute('get("/tags")["data"].size')
    expect(structuredContent).toEqual({
      result: 20,
      warnings: [expect.stringMatching(/^GET \/tags has more than the 20 items .* list\("\/tags"\) reads every page/)],
    })
  })

  test('are not given for a list that was read to its end, with `list`, or with a small limit on purpose', async () => {
    const paged = `
      page = get("/tags", limit: 20)
      page = get("/tags", limit: 20, starting_after: page["data"].last["id"]) while page["has_more"]
    `
    for (const code of [paged, 'list("/tags").first(3)', 'list("/tags").to_a', 'get("/tags", limit: 1)']) {
      expect((await agent.execute(code)).structuredContent.warnings).toBeUndefined()
    }
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
    expect(await result('list("/products?status=archived", status: "draft").map { |p| p["name"] }')).toEqual([
      'Filtered',
    ])
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

describe('what is nearly right', () => {
  const warned = async (code: string) => (await agent.execute(code)).structuredContent.warnings

  test.each([
    ['get("/account")["nmae"]', 'The answer of type account has no key "nmae", so it was nil; did you mean "name"?'],
    ['get("/tags", limit: 1)["rows"]', 'The answer of type list has no key "rows", so it was nil.'],
    ['tools.first[:pth]', 'An operation of tools has no key "pth", so it was nil; did you mean "path"?'],
    ['resources["customers"]', 'resources has no key "customers", so it was nil; did you mean "customer"?'],
    ['# onse: a-key\n1', '`# onse: a-key` has no effect; did you mean `# once:`?'],
  ])('%s warns', async (code, warning) => {
    expect(await warned(code.replace('\\n', '\n'))).toEqual([warning])
  })

  test.each(['get("/account")["error"]', 'get("/account").dig("error", "code")', '# Note: a plain comment\n1'])(
    '%s does not',
    async (code) => {
      expect(await warned(code.replace('\\n', '\n'))).toBeUndefined()
    },
  )

  test('ranges of Ruby are bounds of a filter', async () => {
    await agent.execute(
      '[100, 200, 300].each { |n| post("/discounts", code: "R#{n}", discount_type: "amount_off", amount_off: n, currency: "usd")["id"] }',
    )
    const codes = async (range: string) => result(`list("/discounts", amount_off: ${range}).map { |d| d["code"] }.sort`)
    expect(await codes('100..200')).toEqual(['R100', 'R200'])
    expect(await codes('100...200')).toEqual(['R100'])
    expect(await codes('(200..)')).toEqual(['R200', 'R300'])
  })

  test('list of one object says to use get, and counts what it read', async () => {
    const { error } = await failure('list("/account").count')
    expect(error!.message).toContain('"/account" is one object and not a list; use get("/account")')
    const code = 'found = list("/discounts", query: "R").each { |d| delete("/discounts/#{d["id"]}")["id"] }\nfound.size'
    expect(await result(code)).toBe(3)
  })
})

describe('a program that fails', () => {
  test('is told where, why, what it had called, and that nothing was kept', async () => {
    const told = await failure('post("/tags", name: "lost")\nputs "hi"\nnil.upcase')
    expect(told).toMatchObject({
      error: { type: 'ruby_error', line: 3, source: 'nil.upcase' },
      committed: 'none',
      calls: [{ operation: 'POST /tags', status: 201, count: 1, samples: [{ id: expect.stringMatching(/^tag_/) }] }],
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
