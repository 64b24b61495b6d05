import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, Sandbox } from '../../src/sandbox/api.ts'
import { invalid, values } from './programs/values.ts'
import { answering, errorOf, execute, openRoom, resultOf } from './room.ts'

let room: Sandbox
beforeAll(async () => {
  room = await openRoom()
})
afterAll(() => room.close())

it.each(values)('%s', async (code, value) => {
  expect(await resultOf(room, code)).toEqual(value)
})

it.each(invalid)('%s cannot be JSON', async (code, message) => {
  const error = await errorOf(room, code)
  expect(error.type).toBe('invalid_result')
  expect(error.message).toContain(message)
})

it('what is lost on the way is a warning', async () => {
  const outcome = await execute(room, '{ a: [Float::NAN, -1.0 / 0], big: 2**64, bytes: "\\xff".b }')
  expect(outcome).toMatchObject({ ok: true, value: { a: [null, null], big: '18446744073709551616', bytes: '\ufffd' } })
  expect(outcome.warnings).toEqual([
    'result["a"][0] was NaN and is given as null',
    'result["a"][1] was -Infinity and is given as null',
    'result["big"] is an integer beyond 2^53 and is given as a string',
    'result["bytes"] is not valid UTF-8; its bad bytes were replaced',
  ])
})

describe('answers', () => {
  const body = { id: 'p1', price: { amount: 5 }, rows: [{ id: 'r1' }] }
  const call = answering(body)

  it('answer to symbols and to strings, however deep', async () => {
    const code = `r = get("/products")
      [r[:id], r["id"], r[:price]["amount"], r.dig(:rows, 0, :id), r.fetch(:id), r.key?(:id), r.values_at(:id, "id"),
       r.fetch(:none, 1), r.slice(:id), r.select { |k, _| k == "id" }[:id], (r => { id:, price: { amount: } }; [id, amount])]`
    expect(await resultOf(room, code, { call })).toEqual([
      'p1',
      'p1',
      5,
      'r1',
      'p1',
      true,
      ['p1', 'p1'],
      1,
      { id: 'p1' },
      'p1',
      ['p1', 5],
    ])
  })

  it('go back out as they came in', async () => {
    expect(await resultOf(room, 'get("/products")', { call })).toEqual(body)
  })

  it('may be any JSON', async () => {
    for (const value of [null, 1, 'text', [1, { a: 2 }], true] satisfies Json[]) {
      expect(await resultOf(room, 'get("/products")', { call: answering(value) })).toEqual(value)
    }
  })
})

it('tools are hashes with symbol keys and string keys inside, which answer to symbols', async () => {
  const code =
    't = tools[1]\n[t[:method], t["path"], t[:request_body]["type"], t[:parameters][0]["name"], t[:parameters][0][:name], tools.group_by { |x| x[:tags].first }.transform_values(&:size)]'
  for (const kind of ['search', 'execute'] as const) {
    expect(await resultOf(room, code, { kind })).toEqual([
      'POST',
      '/v1/products',
      'object',
      'limit',
      'limit',
      { Products: 3, Variants: 1, Customers: 1 },
    ])
  }
})

it('what is printed is the output', async () => {
  const code =
    'puts "a", [1, [2]]\np :b\nprint 1, 2\nputs\npp({ c: 1 })\nprintf("%03d\\n", 7)\n$stdout.puts "d"\nwarn "e"\n$stderr << "f\\n"\nnil'
  const outcome = await execute(room, code)
  expect(outcome.output).toBe('a\n1\n2\n:b\n12\n{:c=>1}\n007\nd\ne\nf\n')
})

it('output over the cap is cut and said to be', async () => {
  const outcome = await execute(room, '5000.times { puts "x" * 99 }')
  expect(Buffer.byteLength(outcome.output)).toBe(64 * 1024)
  expect(outcome.warnings).toEqual(['The output was cut after 64 KB.'])
})
