import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Aggregate, readAggregate } from '../../src/contract/values/aggregate.ts'
import type { CallAnswer, Json, ProgramCall, Sandbox } from '../../src/sandbox/api.ts'
import { errorOf, openRoom, resultOf } from './room.ts'

let room: Sandbox
let asked: (Aggregate | undefined)[] = []
beforeAll(async () => {
  room = await openRoom()
})
afterAll(() => room.close())
beforeEach(() => {
  asked = []
})

const rows = [
  { id: 'a', status: 'paid', amount: 3, test: true },
  { id: 'b', status: 'open', amount: 4, test: false },
  { id: 'c', status: 'paid', amount: null, test: false },
]
const FIGURES: Record<Aggregate['figure'], Json> = { count: 3, sum: '9007199254740995', minimum: null, maximum: 4 }

/** Three rows, as the API shows them, and figures by which the answers of the database can be told from them. */
const call = async ({ aggregate }: ProgramCall): Promise<CallAnswer> => {
  asked.push(aggregate)
  if (!aggregate) return { body: { object: 'list', data: rows, has_more: false }, refused: false }
  const keys = aggregate.by.length === 0 ? [[]] : [null, 'paid'].map((key) => aggregate.by.map(() => key))
  return {
    body: { object: 'aggregate', groups: keys.map((by) => [by, FIGURES[aggregate.figure]]) },
    refused: false,
  }
}

const uses: [code: string, value: Json, calls: number][] = [
  ['list("/customers").sum("amount")', '9007199254740995', 1],
  ['list("/customers").sum(:amount) - 2**53', 3, 1],
  ['list("/customers").minimum("amount")', null, 1],
  ['list("/customers").maximum("amount")', 4, 1],
  ['list("/customers").group_by("status").count', { '': 3, paid: 3 }, 1],
  ['list("/customers").group_by("status").count.keys', [null, 'paid'], 1],
  [
    'list("/customers").group_by(:status, :test).maximum("amount").to_a',
    [
      [[null, null], 4],
      [['paid', 'paid'], 4],
    ],
    1,
  ],
  ['list("/customers").group_by("status").sum("amount")["paid"] - 2**53', 3, 1],
  ['rows = list("/customers")\n9.times.map { rows.size + rows.count }.sum', 54, 1],
  ['rows = list("/customers")\nrows.each { rows.count }\nrows.map { rows.size }', [3, 3, 3], 2],
  ['rows = list("/customers")\n9.times.sum { rows.sum("amount") * 0 + rows.group_by("status").count.size }', 18, 2],
  ['rows = list("/customers").group_by("status")\nrows.count.clear\nrows.count.size', 2, 1],
  ['list("/customers").sum { |row| row["amount"].to_i }', 7, 1],
  ['list("/customers").sum("") { |row| row["id"] }', 'abc', 1],
  ['list("/customers").group_by { |row| row["status"] }.transform_values(&:size)', { paid: 2, open: 1 }, 1],
  ['list("/customers").group_by("status").transform_values(&:size)', { paid: 2, open: 1 }, 1],
  ['list("/customers").group_by("status")["open"].map { |row| row["id"] }', ['b'], 1],
  [
    'list("/customers").group_by("status", "test").keys',
    [
      ['paid', true],
      ['open', false],
      ['paid', false],
    ],
    1,
  ],
  [
    'list("/customers").group_by("status").map { |status, rows| [status, rows.size] }',
    [
      ['paid', 2],
      ['open', 1],
    ],
    1,
  ],
  ['list("/customers").group_by("status").count { |_, rows| rows.size > 1 }', 1, 1],
  ['list("/customers").group_by("status").to_h == list("/customers").group_by { |row| row["status"] }', true, 2],
  ['list("/customers").group_by("amount")', { 3: [rows[0]!], 4: [rows[1]!], '': [rows[2]!] }, 1],
]

describe('The figures of a list', () => {
  it.each(uses)('%s', async (code, value, calls) => {
    expect(await resultOf(room, code, { call })).toEqual(value)
    expect(asked).toHaveLength(calls)
  })

  it('are of the rows where these are computed, or say how the rows are read', async () => {
    const computed = async (): Promise<CallAnswer> => ({
      body: { object: 'list', data: rows, has_more: false },
      refused: false,
    })
    expect((await errorOf(room, 'list("/customers").sum("amount")', { call: computed })).message).toMatch(/a block/)
    expect(await resultOf(room, 'list("/customers").count', { call: computed })).toBe(3)
  })

  it.each([
    ['list("/customers").group_by("a", "b", "c", "d").count', /at most 3 fields/],
    ['list("/customers").maximum(3)', /named by a text such as "amount", not Integer/],
    ['list("/customers").group_by(["status"]).count', /named by a text such as "amount", not Array/],
    ['list("/customers").group_by("colour").keys', /colour/],
  ])('%s is refused', async (code, message) => {
    expect((await errorOf(room, code, { call })).message).toMatch(message)
  })

  it('are asked for by nothing else than a figure, its field and three names', () => {
    const fit = { figure: 'sum', field: 'amount', by: ['status'] }
    expect(readAggregate(fit)).toEqual(fit)
    for (const change of [
      { figure: 'avg' },
      { figure: 'count' },
      { field: null },
      { field: 'a'.repeat(101) },
      { by: 'status' },
      { by: ['a', 'b', 'c', 'd'] },
      { by: [{}] },
    ])
      expect(readAggregate({ ...fit, ...change })).toBeUndefined()
    for (const other of [true, null, undefined, 'sum', []]) expect(readAggregate(other)).toBeUndefined()
  })
})
