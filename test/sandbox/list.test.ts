import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CallAnswer, Json, ProgramCall, Sandbox } from '../../src/sandbox/api.ts'
import { answering, errorOf, execute, openRoom, resultOf } from './room.ts'

const ROWS = 250
const rows = Array.from({ length: ROWS }, (_, index) => ({ id: `c${index}`, number: index, even: index % 2 === 0 }))

let room: Sandbox
let asked: ProgramCall[] = []
beforeAll(async () => {
  room = await openRoom()
})
afterAll(() => room.close())
beforeEach(() => {
  asked = []
})

/** 250 rows, as the API pages through them. */
const call = async (request: ProgramCall): Promise<CallAnswer> => {
  asked.push(request)
  const { limit, starting_after: cursor } = request.params as { limit: number; starting_after?: string }
  const start = cursor === undefined ? 0 : rows.findIndex((row) => row.id === cursor) + 1
  const data = rows.slice(start, start + limit)
  return { body: { object: 'list', data, has_more: start + limit < ROWS }, refused: false }
}

const uses: [code: string, value: Json, pages: number][] = [
  ['list("/customers").count', ROWS, 3],
  ['list("/customers").size', ROWS, 3],
  ['list("/customers").length', ROWS, 3],
  ['list("/customers").count { |row| row["even"] }', 125, 3],
  ['n = 0\nlist("/customers").each { n += 1 }\nn', ROWS, 3],
  ['n = 0\nlist("/customers") { |row| n += row["number"] }\nn', 31125, 3],
  ['list("/customers").each { }.class.to_s.end_with?("List")', true, 3],
  ['list("/customers").map { |row| row[:number] }.last', 249, 3],
  ['list("/customers").select { |row| row["number"] > 240 }.size', 9, 3],
  ['list("/customers").find { |row| row["number"] == 42 }["id"]', 'c42', 1],
  ['list("/customers").find { |row| row["number"] == 142 }["id"]', 'c142', 2],
  ['list("/customers").first["id"]', 'c0', 1],
  ['list("/customers").first(5).map { |row| row["id"] }', ['c0', 'c1', 'c2', 'c3', 'c4'], 1],
  ['list("/customers").first(150).size', 150, 2],
  ['list("/customers").take_while { |row| row["number"] < 7 }.size', 7, 1],
  ['list("/customers").to_a.size', ROWS, 3],
  ['[*list("/customers")].size', ROWS, 3],
  ['list("/customers").lazy.select { |row| row["even"] }.map { |row| row["number"] }.first(3)', [0, 2, 4], 1],
  ['list("/customers").lazy.reject { |row| row["number"] < 100 }.first["id"]', 'c100', 2],
  ['n = 0\nlist("/customers").each { |row| n += 1; row.clear }\nn', ROWS, 3],
  ['list("/customers").each_slice(100).map(&:size)', [100, 100, 50], 3],
  ['sizes = []\nlist("/customers").each_slice(100) { |slice| sizes << slice.size }\nsizes', [100, 100, 50], 3],
  ['list("/customers").each_slice(10).first.size', 10, 1],
  ['list("/customers").each_cons(2).count', 249, 3],
  ['list("/customers").zip([1, 2]).first.last', 1, 3],
  ['list("/customers").partition { |row| row["even"] }.map(&:size)', [125, 125], 3],
  ['list("/customers").reduce(0) { |sum, row| sum + row["number"] }', 31125, 3],
  ['list("/customers").filter_map { |row| row["id"] if row["even"] }.size', 125, 3],
  ['list("/customers").flat_map { |row| [row["id"], 1] }.size', 500, 3],
  ['[1, 2].flat_map { list("/customers") }.size', 2 * ROWS, 6],
  ['list("/customers").uniq { |row| row["even"] }.size', 2, 3],
  ['list("/customers").map { |row| row["even"] }.tally', { true: 125, false: 125 }, 3],
  ['list("/customers").minmax_by { |row| row["number"] }.map { |row| row["id"] }', ['c0', 'c249'], 3],
  ['list("/customers").each_with_index.map { |row, index| row["number"] - index }.uniq', [0], 3],
  ['list("/customers").each.with_index(1).first.last', 1, 1],
  ['list("/customers").each_with_object([]) { |row, all| all << row["id"] }.size', ROWS, 3],
  ['list("/customers").sum { |row| row["number"] }', 31125, 3],
  ['list("/customers").group_by { |row| row["even"] }.transform_values(&:size)', { true: 125, false: 125 }, 3],
  ['list("/customers").max_by { |row| row["number"] }["id"]', 'c249', 3],
  ['list("/customers").sort_by { |row| -row["number"] }.first["id"]', 'c249', 3],
  ['list("/customers").to_h { |row| [row["id"], row["number"]] }["c200"]', 200, 3],
  ['list("/customers").empty?', false, 1],
  ['list("/customers").any?', true, 1],
  ['list("/customers").include?(1)', false, 3],
  ['list("/customers").last["id"]', 'c249', 3],
  ['list("/customers").last(2).map { |row| row["id"] }', ['c248', 'c249'], 3],
  ['list("/customers").reverse.first["id"]', 'c249', 3],
  ['list("/customers")[0]["id"]', 'c0', 1],
  ['list("/customers")[120]["id"]', 'c120', 2],
  ['list("/customers")[999]', null, 3],
  ['list("/customers")[-1]["id"]', 'c249', 3],
  ['list("/customers")[1..2].map { |row| row["id"] }', ['c1', 'c2'], 3],
  ['rows = list("/customers")\n[rows.next["id"], rows.next["id"], rows.peek["id"]]', ['c0', 'c1', 'c2'], 1],
  ['list("/customers").each { |row| break row["id"] }', 'c0', 1],
  ['list("/customers").each { |row| return row["id"] if row["number"] == 100 }', 'c100', 2],
  ['rows = list("/customers")\nrows.first["id"] + rows.first["id"]', 'c0c0', 2],
  ['rows = list("/customers")\nrows.count + rows.to_a.size + rows.sum { 1 }', 3 * ROWS, 3],
  ['rows = list("/customers")\nrows.first\nrows.count + rows.count', 2 * ROWS, 4],
  ['list("/customers").inspect', 'list("/customers")', 0],
  ['JSON.parse(JSON.generate(list("/customers"))).size', ROWS, 3],
  ['list = list("/customers")\nlist.first["id"]', 'c0', 1],
]

describe('list', () => {
  it.each(uses)('%s', async (code, value, pages) => {
    expect(await resultOf(room, code, { call })).toEqual(value)
    expect(asked).toHaveLength(pages)
  })

  it('shows the same rows to whoever looks twice, whatever happened between', async () => {
    let written = false
    const changing = (request: ProgramCall): Promise<CallAnswer> => {
      if (request.method === 'POST') written = true
      const data = [{ id: 'c0', number: written ? -1 : 1 }]
      return Promise.resolve({
        body: request.method === 'GET' ? { object: 'list', data, has_more: false } : data[0]!,
        refused: false,
      })
    }
    const code =
      'rows = list("/customers")\nrows.count\npost("/customers", number: -1)\n[rows.first["number"], list("/customers").first["number"]]'
    expect(await resultOf(room, code, { call: changing })).toEqual([1, -1])
  })

  it('asks again where there are more rows than are kept', async () => {
    const many = (request: ProgramCall): Promise<CallAnswer> => {
      asked.push(request)
      const { starting_after: cursor } = request.params as { starting_after?: string }
      const start = cursor === undefined ? 0 : Number(cursor) + 1
      const data = Array.from({ length: 100 }, (_, index) => ({ id: String(start + index) }))
      return Promise.resolve({ body: { object: 'list', data, has_more: start < 1000 }, refused: false })
    }
    expect(
      await resultOf(room, 'rows = list("/customers")\n[rows.to_a.size, rows.to_a.size, rows.size]', { call: many }),
    ).toEqual([1100, 1100, 1100])
    expect(asked).toHaveLength(22)
  })

  it('is an array where it is the value of the program', async () => {
    expect(await resultOf(room, 'list("/customers")', { call })).toEqual(rows)
    expect(await resultOf(room, '{ all: list("/customers").lazy.map { |row| row["number"] } }', { call })).toEqual({
      all: rows.map((row) => row.number),
    })
  })

  it('asks with its filters for pages of 100, and says so', async () => {
    await execute(room, '\nlist("/customers", query: "tea", expand: ["orders"]).first(101)', { call })
    await execute(room, 'list("/v1/customers", { "status" => :draft }).first', { call })
    const common = { method: 'GET', path: '/customers', line: 2, listing: true }
    const filters = { query: 'tea', expand: ['orders'] }
    expect(asked).toMatchObject([
      { ...common, params: { limit: 100, ...filters } },
      { ...common, params: { limit: 100, ...filters, starting_after: 'c99' } },
      { ...common, path: '/v1/customers', line: 1, params: { limit: 100, status: 'draft' } },
    ])
    asked = []
    await execute(room, 'get("/customers", limit: 1)', { call })
    expect(asked[0]!.listing).toBe(false)
  })

  it('goes on after the name of rows that have no id', async () => {
    const pages: Json[] = [
      { data: [{ name: 'order.paid' }], has_more: true },
      { data: [{ name: 'order.voided' }], has_more: false },
    ]
    const seen: ProgramCall[] = []
    const named = async (request: ProgramCall) => ({ body: pages[seen.push(request) - 1]!, refused: false })
    expect(await resultOf(room, 'list("/customers").count', { call: named })).toBe(2)
    expect(seen[1]!.params).toMatchObject({ starting_after: 'order.paid' })
  })

  it('may be empty', async () => {
    const none = answering({ data: [], has_more: false })
    const code = 'rows = list("/customers")\n[rows.empty?, rows.size, rows.first, rows.last, rows.to_a, rows[0]]'
    expect(await resultOf(room, code, { call: none })).toEqual([true, 0, null, null, [], null])
  })
})

const mistakes: [code: string, error: object][] = [
  [
    'list("/customers", limit: 5)',
    { type: 'ruby_error', message: expect.stringMatching(/no limit; .first\(10\) reads ten/) },
  ],
  ['list("/customers", "limit" => 5)', { message: expect.stringContaining('(ArgumentError)') }],
  ['list("/customers", { starting_after: "c1" })', { message: expect.stringContaining('no starting_after') }],
  ['list("/customers?limit=5")', { message: expect.stringContaining('no limit') }],
  ['list', { type: 'ruby_error', hint: 'list(path, **filters), for example list "/products".' }],
  ['list 5', { message: 'list needs a path such as "/products", not Integer (ArgumentError)' }],
  ['list "/customers", 5', { message: 'list takes a hash after its path, not Integer (ArgumentError)' }],
  ['x = 1\nlist("/custommers").first', { type: 'unknown_path', line: 2, hint: 'The nearest path is "/customers".' }],
  ["list '/custommers'", { type: 'unknown_path' }],
  ['lisst("/customers")', { hint: 'Did you mean list?' }],
  ['\nlist("/customers").data', { line: 2, hint: expect.stringContaining('list gives the rows themselves') }],
  ['list("/customers")["data"]', { message: expect.stringContaining('list gives the rows themselves') }],
  ['list("/customers").shift', { hint: 'list(…).to_a.shift works on all rows at once.' }],
  ['list("/customers").frist', { hint: 'Did you mean first?' }],
  ['list("/customers").first.number', { hint: 'Use ["number"] to read this key.' }],
]

it.each(mistakes)('the mistake %s', async (code, error) => {
  expect(await errorOf(room, code, { call })).toMatchObject(error)
})

it('a path that is no list is an error that names get', async () => {
  const error = await errorOf(room, 'list("/products/1").first', { call: answering({ id: 'p1' }) })
  expect(error.message).toBe(
    'list reads lists, but the answer to GET /products/1 has no "data"; use get("/products/1") (ArgumentError)',
  )
  expect(await errorOf(room, 'list("/products/1").to_a', { call: answering(null) })).toMatchObject({ line: 1 })
})

it('a page that has more and names no row to go on after is an error, not a short list', async () => {
  const endless = answering({ data: [], has_more: true })
  expect(await errorOf(room, 'list("/customers").count', { call: endless })).toMatchObject({ type: 'ruby_error' })
})

describe('a refused page', () => {
  const refused: CallAnswer = { body: { error: { message: 'Too many requests.' } }, refused: true, status: 429 }
  const afterOne = async (request: ProgramCall) => (asked.length > 0 ? refused : call(request))
  const message = 'GET /customers on line 1 was refused: Too many requests. (429)'

  it('raises where the list is used', async () => {
    const code = 'rows = list("/customers")\nrows.map { |row| row["id"] }'
    expect(await errorOf(room, code, { call: afterOne })).toMatchObject({ type: 'refused', line: 2, message })
    asked = []
    const rescued =
      'seen = []\nbegin\n  list("/customers").each { |row| seen << row }\nrescue RefusedError\nend\nseen.size'
    const outcome = await execute(room, rescued, { call: afterOne })
    expect(outcome).toMatchObject({ ok: true, value: 100, overlooked: [] })
  })

  it('raises too when the list is the value of the program', async () => {
    const call = async () => refused
    expect(await errorOf(room, 'list("/customers")', { call })).toMatchObject({ type: 'refused', line: 1, message })
  })
})
