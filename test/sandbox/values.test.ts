import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, Sandbox } from '../../src/sandbox/api.ts'
import { answering, errorOf, execute, openRoom, resultOf } from './room.ts'

let room: Sandbox
beforeAll(async () => {
  room = await openRoom()
})
afterAll(() => room.close())

const values: [code: string, value: Json][] = [
  ['nil', null],
  ['[true, false, 1, 1.5, "ä", :sym]', [true, false, 1, 1.5, 'ä', 'sym']],
  ['{ a: 1, "b" => 2, 3 => 4, nil => 5, c: { d: nil } }', { a: 1, b: 2, '3': 4, '': 5, c: { d: null } }],
  ['(1..4)', [1, 2, 3, 4]],
  ['("a".."c")', ['a', 'b', 'c']],
  [
    '[1, 2].each_with_index',
    [
      [1, 0],
      [2, 1],
    ],
  ],
  ['(1..Float::INFINITY).lazy.map { |x| x * 2 }.first(2)', [2, 4]],
  ['(1..Float::INFINITY).lazy.select(&:even?).take(2)', [2, 4]],
  ['Set.new([1, 2, 2]) | Set[3]', [1, 2, 3]],
  ['Time.utc(2026, 1, 2, 3, 4, 5)', '2026-01-02T03:04:05Z'],
  ['Time.utc(2026, 1, 2, 3, 4, 5.25)', '2026-01-02T03:04:05.250Z'],
  ['Date.new(2026, 1, 2)', '2026-01-02'],
  ['Time.parse("2026-01-02T00:00:00Z").year', 2026],
  ['S = Struct.new(:a, :b)\nS.new(1, [2])', { a: 1, b: [2] }],
  ['D = Data.define(:x)\nD.new(x: 1)', { x: 1 }],
  ['[Rational(1, 2), Rational(4, 2), Complex(1, 2)]', [0.5, 2, '1+2i']],
  ['class Mine; def to_s = "mine"; end\nMine.new', 'mine'],
  ['class Pair; def to_h = { left: 1 }; end\nPair.new', { left: 1 }],
  ['[String, /a/, 1..2]', ['String', '(?-mix:a)', [1, 2]]],
  ['x = [1]\n[x, x]', [[1], [1]]],
  ['return 5\n6', 5],
  ['[1, 2].each { |x| return x if x == 2 }', 2],
  ['x = 5 # the end', 5],
  ['# frozen_string_literal: true\n"a"', 'a'],
  ['JSON.parse(JSON.generate({ "a" => [1] }))', { a: [1] }],
  ['require "json"\nrequire "set"\n1', 1],
]

it.each(values)('%s', async (code, value) => {
  expect(await resultOf(room, code)).toEqual(value)
})

const invalid: [code: string, message: string][] = [
  ['a = {}\na[:b] = [a]\na', 'result["b"][0] contains itself'],
  ['a = []\n200.times { a = [a] }\na', 'is nested deeper than 100 levels'],
  ['(1..)', 'result is an endless range'],
  ['{ list: [1].cycle }', 'result["list"] has more than 100000 items or no end'],
  ['[Object.new]', 'result[0] is an object of the class Object'],
  ['[proc { 1 }]', 'result[0] is an object of the class Proc'],
  ['BasicObject.new', 'result is an object of the class BasicObject'],
  ['"x" * 5_000_000', 'The result is larger than 4 MB.'],
]

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
