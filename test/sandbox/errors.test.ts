import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ProgramError, Sandbox } from '../../src/sandbox/api.ts'
import { answering, errorOf, execute, openRoom, resultOf } from './room.ts'

let room: Sandbox
beforeAll(async () => {
  room = await openRoom()
})
afterAll(() => room.close())

const call = answering({ id: 'p1', name: 'Tea', data: [{ id: 'r1' }] })

const failures: [code: string, error: Partial<ProgramError>][] = [
  ['x = 1\nraise "no"', { type: 'ruby_error', message: 'no (RuntimeError)', line: 2, source: 'raise "no"' }],
  ['begin\n  raise "a"\nrescue\n  raise\nend', { line: 2, source: 'raise "a"' }],
  ['begin\n  1 / 0\nrescue => e\n  raise ArgumentError, "b"\nend', { line: 4, message: 'b (ArgumentError)' }],
  ['def f(x)\n  x.foo\nend\n\nf(1)', { line: 2, source: 'x.foo' }],
  ['x = 1\nfoo(', { type: 'syntax_error', line: 2 }],
  ['if true\n  1\n', { type: 'syntax_error', message: "syntax error: unexpected end-of-input, expecting `end'" }],
  ['[1, 2].frist', { hint: 'Did you mean first?' }],
  ['prodcts = 1\nproducts', { hint: 'Did you mean prodcts?' }],
  ['putz "x"', { hint: 'Did you mean puts?' }],
  ['Tiem.now', { hint: 'Did you mean Time?' }],
  ['{ name: 1 }.fetch(:nmae)', { hint: 'Did you mean :name?' }],
  ['get("/products").fetch("nmae")', { hint: 'Did you mean "name"?' }],
  ['r = get("/products")\nr["nmae"].upcase', { line: 2, hint: 'The answer has no key "nmae"; did you mean "name"?' }],
  ['get("/products")[:price] + 1', { hint: 'The answer has no key :price; it has "id", "name", "data".' }],
  ['get("/products").name', { hint: 'Use ["name"] to read this key.' }],
  ['get("/products").frist', { message: "undefined method `frist' for an instance of Answer (NoMethodError)" }],
  ['get', { hint: 'get(path, **params), for example get "/products".' }],
  ['"a" + 1', { hint: 'Convert with to_s, or write "#{…}".' }],
  ['get("/products").each { |row| row["id"] }', { type: 'ruby_error' }],
  [
    'Time.new(2026, 1, 1, 9, 0, 0, "Europe/Berlin")',
    {
      hint: 'Time takes no names of zones: local("2026-11-30 09:00", zone: "America/New_York") gives the moment, in_zone(time, zone: …) its reading.',
    },
  ],
  ['put "/products/1", name: "x"', { type: 'forbidden', hint: 'patch changes the fields that it is given.' }],
  ['\nsleep 1', { type: 'forbidden', line: 2, source: 'sleep 1' }],
  ['File.read("x")', { type: 'forbidden', line: 1 }],
  ['x = 1\nget "/product"', { type: 'unknown_path', line: 2, hint: 'The nearest path is "/products".' }],
  [
    'get "/reports/sales"',
    { type: 'unknown_path', hint: 'In code_search, describe("plain words") finds what there is.' },
  ],
  ['GET("/products")', { hint: 'The calls are get, list, post, patch and delete, for example get("/products").' }],
  ['client.get("/products")', { hint: expect.stringContaining('The calls are get, list,') }],
  ['fetch "/products"', { hint: expect.stringContaining('The calls are get, list,') }],
  ['{}.request', { hint: null }],
  ['tools["/products"]', { hint: expect.stringContaining('tools.find { |tool| tool[:path] == "/products" }') }],
  ['tools.get("/products")', { hint: expect.stringContaining('tools is an array') }],
  ['1.month.ago', { hint: expect.stringContaining('in_zone.to_date.prev_month') }],
  ['get "/weather"', { type: 'unknown_path', hint: 'In code_search, describe("plain words") finds what there is.' }],
  ['get "/v1/product/#{1}/variants"', { type: 'unknown_path', hint: 'The nearest path is "/products/{id}/variants".' }],
  ['get "/customers/cus_1/orders/ord_1/lines"', { type: 'unknown_path', hint: 'There is GET /customers.' }],
  ['get "https://shop.example/v1/custmers?limit=1"', { type: 'unknown_path' }],
  ['id = 1\nget "/products/#{id}/varaints"', { type: 'unknown_path', line: 2 }],
]

it.each(failures)('%s', async (code, error) => {
  expect(await errorOf(room, code, { call })).toMatchObject(error)
})

it('an unknown path is found before the first call', async () => {
  let calls = 0
  const code = 'get "/products"\nif false\n  post "/nowhere"\nend'
  const error = await errorOf(room, code, {
    call: async () => ({ body: ++calls, refused: false }),
  })
  expect([error.type, error.line, calls]).toEqual(['unknown_path', 3, 0])
})

const passing = [
  'get "/products"',
  "get 'products'",
  'get "/v1/products/"',
  'get "https://shop.example/v1/products?limit=3"',
  'get "/products/#{1}"',
  'get "/products#{"?limit=1"}"',
  'get "/#{"products"}"',
  'base = "/x"\nget "#{base}/y"',
  'post "/products/prod_x"',
  'get("/pro" + "ducts")',
  '# get "/nowhere"\n"get \\"/nowhere\\""',
  '{}.delete("/nowhere")',
  'def get(x) = x\nget "/nowhere"',
]

it.each(passing)('%s is not refused', async (code) => {
  expect((await execute(room, code, { call })).ok).toBe(true)
})

it('a search program has no request methods', async () => {
  for (const verb of ['get', 'list', 'post', 'patch', 'delete', 'put']) {
    const error = await errorOf(room, `${verb} "/products"`, { kind: 'search' })
    expect(error).toMatchObject({ type: 'forbidden', line: 1 })
    expect(error.message).toContain('code_search has no request methods')
  }
})

it('what is no program is refused with its reason', async () => {
  const programs = ['', '  \n', '1\0', '"\ud800"', `"${'x'.repeat(300_000)}"`, 5 as never, undefined as never]
  for (const code of programs) expect((await errorOf(room, code)).type).toBe('invalid_program')
})

it('requests carry method, path, params and line', async () => {
  const code =
    '\nget("/products", limit: 2)\n[post("/products", { "a" => :b }, c: nil), patch("/products/1", at: Time.utc(2026)), delete("/products/1")]'
  expect(await resultOf(room, code)).toMatchObject([
    { echo: { method: 'POST', path: '/products', params: { a: 'b', c: null }, line: 3, listing: false } },
    { echo: { method: 'PATCH', path: '/products/1', params: { at: '2026-01-01T00:00:00Z' }, line: 3, listing: false } },
    { echo: { method: 'DELETE', path: '/products/1', params: {}, line: 3, listing: false } },
  ])
})
