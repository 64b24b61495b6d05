import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CallAnswer, Json, ProgramCall, Sandbox } from '../../src/sandbox/api.ts'
import { guestOutcome } from '../../src/sandbox/outcome.ts'
import { errorOf, execute, openRoom, resultOf } from './room.ts'

let room: Sandbox
beforeAll(async () => {
  room = await openRoom()
})
afterAll(() => room.close())

const error = {
  type: 'validation_error',
  code: 'validation_failed',
  message: "Name can't be blank",
  errors: { name: ["can't be blank"] },
}
const call = async (): Promise<CallAnswer> => ({ body: { error }, refused: true, status: 422 })

/** Refuses the calls whose path says so, and answers the others. */
const mixed = async ({ path }: ProgramCall): Promise<CallAnswer> =>
  path.endsWith('/refused') ? call() : { body: { id: 'p1' }, refused: false }

const overlookedBy = async (code: string) => (await execute(room, code, { call })).overlooked

describe('asking the answer to a refused call for what it does not have', () => {
  const calls: [code: string, sentence: string][] = [
    ['get("/products")', 'GET /products'],
    ['post("/products", name: "")', 'POST /products'],
    ['patch("/products/1", name: "")', 'PATCH /products/1'],
    ['delete("/products/1")', 'DELETE /products/1'],
  ]
  it.each(calls)('fails for %s', async (code, sentence) => {
    expect(await errorOf(room, `x = 1\nmade = ${code}\n\nmade["id"]`, { call })).toEqual({
      type: 'refused',
      message: `${sentence} on line 2 was refused: Name can't be blank (422 validation_failed)`,
      line: 4,
      source: 'made["id"]',
      hint: 'The error is about "name". If you expect a refusal, read ["error"] first.',
    })
  })

  const questions = [
    'made["id"]',
    'made[:id]',
    'made[nil]',
    'made.fetch("id")',
    'made.fetch("id", "default")',
    'made.fetch("id") { "default" }',
    'made.dig("id")',
    'made.dig(:data, 0, "id")',
    'made.values_at("error", "id")',
    'made.fetch_values("id")',
    'made.slice("id", "name")',
    'made.except("error")',
    'made.id',
    'made.name',
    'made.data',
    'made.error',
    'made.look',
    'made.get("/products")',
    'made.blank?',
    'made["name"] = "Tea"',
    'made.store("name", "Tea")',
    'made.delete("error")',
    'made.clear',
    'made.merge({ "name" => "Tea" })',
    'made.update({ "name" => "Tea" })',
    'made.first',
    'made.last',
    'made.size',
    'made.count',
    'made.empty?',
    'made.sum { 1 }',
    'made.compact',
    'made.each_slice(2) { }',
    'made.to_set',
    'made.to_proc',
    'made.compare_by_identity',
    '[made].map(&:id)',
    '{ made: made }.dig(:made, "id")',
    'post("/products", made)',
    'post("/products", made, name: "Tea")',
    'post("/products", product: made)',
    'patch("/products/1", rows: [{ of: made }])',
  ]
  it.each(questions)('fails with %s', async (question) => {
    const outcome = await execute(room, `made = post("/products")\n${question}\n"gone on"`, { call })
    expect(outcome).toMatchObject({ ok: false, error: { type: 'refused', line: 2 }, overlooked: [] })
  })

  it.each(questions)('can be rescued, and counts as looking: %s', async (question) => {
    const code = `made = post("/products")
begin
  ${question}
rescue => error
  [error.class, error.message, error.error["code"], error.line]
end`
    const outcome = await execute(room, code, { call })
    expect(outcome).toMatchObject({
      value: ['RefusedError', expect.stringContaining("refused: Name can't be blank"), 'validation_failed', 1],
      overlooked: [],
    })
  })

  it('can be rescued by its name', async () => {
    expect(await resultOf(room, 'begin\n  get("/products").id\nrescue RefusedError\n  1\nend', { call })).toBe(1)
  })

  it('names the call of the answer that was asked, not the last one', async () => {
    const code = 'one = post("/products/refused")\ntwo = post("/products")\nputs two["id"]\none["id"]'
    expect(await errorOf(room, code, { call: mixed })).toMatchObject({
      message: expect.stringMatching(/^POST \/products\/refused on line 1 was refused: /),
      line: 4,
    })
  })

  it('works without a status and without an error object', async () => {
    const bodies: [body: Json, reason: string][] = [
      [{ error: { message: 'No.' } }, 'No.'],
      [{ error: 'No.' }, 'No.'],
      ['No.', 'No.'],
      [null, ''],
      [['a'], '["a"]'],
    ]
    for (const [body, reason] of bodies) {
      const { message } = await errorOf(room, 'get("/products")["id"]', { call: async () => ({ body, refused: true }) })
      expect(message).toBe(`GET /products on line 1 was refused: ${reason}`)
    }
  })
})

describe('looking at a refusal', () => {
  const looks: [look: string, value: Json][] = [
    ['made["error"]["code"]', 'validation_failed'],
    ['made[:error][:message]', error.message],
    ['made["error"] ? 1 : 2', 1],
    ['made.key?("error")', true],
    ['made.key?(:error)', true],
    ['made.has_key?("id")', false],
    ['made.include?("error")', true],
    ['made.member?("error")', true],
    ['made.dig("error", "code")', 'validation_failed'],
    ['made.dig(:error)', error],
    ['made.fetch("error")', error],
    ['made.fetch(:error, nil)', error],
    ['made.values_at("error")', [error]],
    ['made.fetch_values(:error)', [error]],
    ['made.slice("error")', { error }],
    ['(made in { error: { code: } }) && code', 'validation_failed'],
    ['made => { error: { message: } }\nmessage', error.message],
    ['case made\nin { id: } then id\nin { error: } then error[:code]\nend', 'validation_failed'],
    ['case made\nin { error: { code: "validation_failed" } } then 1\nend', 1],
    ['made.to_s', expect.stringContaining('validation_failed')],
    ['made.inspect', expect.stringContaining('validation_failed')],
    ['"#{made}"', expect.stringContaining('validation_failed')],
    ['JSON.generate(made)', JSON.stringify({ error })],
    ['JSON.generate([made])', JSON.stringify([{ error }])],
    ['JSON.pretty_generate(made).lines.size', expect.any(Number)],
    ['made.to_json', JSON.stringify({ error })],
    ['made.each { |key, value| return [key, value["code"]] }', ['error', 'validation_failed']],
    ['made.each_pair.to_a', [['error', error]]],
    ['made.map { |key, _| key }', ['error']],
    ['made.select { |key, _| key == "error" }', { error }],
    ['made.any? { |key, _| key == "error" }', true],
    ['made.find { |key, _| key == "error" }&.first', 'error'],
    ['made.keys', ['error']],
    ['made.values', [error]],
    ['made.to_a', [['error', error]]],
    ['made.to_h', { error }],
    ['made.transform_values { |value| value["code"] }', { error: 'validation_failed' }],
  ]
  it.each(looks)('%s', async (look, value) => {
    const outcome = await execute(room, `made = post("/products")\n${look}`, { call })
    expect(outcome).toMatchObject({ ok: true, value, overlooked: [] })
  })

  it.each(['puts made', 'p made', 'print made', 'pp made', 'puts [made]', 'p [made]', 'warn made', '$stdout << made'])(
    '%s prints it',
    async (print) => {
      const outcome = await execute(room, `made = post("/products")\n${print}\n1`, { call })
      expect(outcome).toMatchObject({
        ok: true,
        overlooked: [],
        output: expect.stringContaining('validation_failed'),
      })
    },
  )

  it('that is done on a copy counts for the answer itself', async () => {
    expect(await overlookedBy('post("/products").dup["error"]\n1')).toEqual([])
    expect(await overlookedBy('post("/products").freeze["error"]\n1')).toEqual([])
  })
})

describe('a refusal is overlooked', () => {
  const neutral = [
    'post("/products")',
    'post("/products")\n1',
    'made = post("/products")\n{ made: made }',
    '[post("/products")]',
    'made = post("/products")\nmade.nil?',
    'made = post("/products")\nmade.class.to_s',
    'made = post("/products")\nmade.is_a?(Hash)',
    'made = post("/products")\nmade.respond_to?(:id)',
    'made = post("/products")\n[made == 1, made != nil, made.equal?(made)]',
    'made = post("/products")\nmade ? 1 : 2',
    'made = post("/products")\nmade.object_id.to_s',
    'made = post("/products")\nmade.then { 1 }',
    'made = post("/products")\n[made].flatten.compact.size',
    'first, second = post("/products")\nsecond',
    'case post("/products")\nwhen Array then 1\nwhen Hash then 2\nend',
    'post("/products")\nraise "no"',
  ]
  it.each(neutral)('by %s', async (code) => {
    expect(await overlookedBy(code)).toEqual([0])
  })

  it('though it is the value of the program, which the caller sees as REST answers it', async () => {
    expect(await execute(room, 'post("/products")', { call })).toMatchObject({ value: { error }, overlooked: [0] })
  })

  it('and its ordinal counts all calls of the program', async () => {
    const code = `get("/products/1")
      post("/products/refused")
      puts post("/products/refused")
      get("/products/1")["id"]
      delete("/products/refused")
      1`
    expect((await execute(room, code, { call: mixed })).overlooked).toEqual([1, 4])
  })

  it('in one program only: the next starts anew', async () => {
    const alone = await openRoom({ workers: 1 })
    await execute(alone, 'post("/products")', { call })
    expect((await execute(alone, '1')).overlooked).toEqual([])
    await alone.close()
  })

  it('by none of the calls that were answered', async () => {
    expect((await execute(room, 'get("/products")\n1')).overlooked).toEqual([])
  })
})

describe('what a program says of its refusals', () => {
  const reported = (overlooked: unknown, ok = true) =>
    guestOutcome(JSON.stringify({ ok, value: 1, error: { type: 'ruby_error' }, overlooked }), 'x', new Set([1, 3]))
      .overlooked

  it('is believed of calls that were refused only', () => {
    expect(reported([3, 1, 1, 0, 2, -1, 1.5, 99, '3', null, {}, [3]])).toEqual([1, 3])
    expect(reported(Array.from({ length: 100_000 }, (_, ordinal) => ordinal))).toEqual([1, 3])
    expect(reported([3], false)).toEqual([3])
  })

  it.each([[undefined], [null], ['1'], [1], [{ 0: 1, length: 1 }]])('may be missing or nonsense: %j', (overlooked) => {
    expect(reported(overlooked)).toEqual([])
  })

  it('cannot break the room', async () => {
    const cheats = [
      'class Array; def reject = raise("no"); end\npost("/products")\n1',
      'class Hash; def replace(*) = raise("no"); def has_key?(*) = false; end\npost("/products")["id"]',
      'class << JSON; def generate(*, **) = %q({"ok":true,"value":1,"overlooked":{"0":1}}); end\n1',
      'class RefusedError; def message = raise("no"); end\npost("/products")["id"]',
      'raise RefusedError',
      'raise RefusedError.new(1, 2)',
    ]
    for (const code of cheats) {
      expect((await execute(room, code, { call })).overlooked).toEqual(expect.any(Array))
      expect(await resultOf(room, '1 + 1')).toBe(2)
    }
  })
})
