import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Sandbox } from '../../src/sandbox/api.ts'
import { failures } from './programs/errors.ts'
import { answering, errorOf, execute, openRoom, resultOf } from './room.ts'

let room: Sandbox
beforeAll(async () => {
  room = await openRoom()
})
afterAll(() => room.close())

const call = answering({ id: 'p1', name: 'Tea', data: [{ id: 'r1' }] })

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
