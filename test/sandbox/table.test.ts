import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/sandbox/api.ts'
import { errorOf, openRoom, resultOf } from './room.ts'

let room: Sandbox
beforeAll(async () => {
  room = await openRoom()
})
afterAll(() => room.close())

const ROWS =
  'rows = [{ "id" => 1, "name" => "Tea", "customer" => { "email" => "a@b.c" } }, { "id" => 2, "name" => nil }]'

describe('table', () => {
  it.each([
    ['table(rows, "id", "name")', 'id|name\n1|Tea\n2|'],
    ['table(rows, :name, :id)', 'name|id\nTea|1\n|2'],
    ['table(rows, %w[id])', 'id\n1\n2'],
    ['table(rows, "customer.email")', 'customer.email\na@b.c\n'],
    ['table(rows)', 'id|name|customer\n1|Tea|{"email":"a@b.c"}\n2||'],
    ['table([])', ''],
    ['table(rows.each, "id")', 'id\n1\n2'],
    ['table([{ id: 1, at: Time.at(0).utc, list: [1, 2] }])', 'id|at|list\n1|1970-01-01T00:00:00Z|[1,2]'],
    ['table([{ a: "x|y" , b: "1\\n2" }])', 'a|b\nx\\|y|1\\n2'],
  ])('%s', async (code, text) => {
    for (const kind of ['search', 'execute'] as const)
      expect(await resultOf(room, `${ROWS}\n${code}`, { kind })).toBe(text)
  })

  it('takes a list, and the answer that is a page of one', async () => {
    const body = { object: 'list', data: [{ id: 'p1' }, { id: 'p2' }], has_more: false }
    const call = async () => ({ body, refused: false })
    expect(await resultOf(room, 'table(list("/products"), "id")', { call })).toBe('id\np1\np2')
    expect(await resultOf(room, 'table(get("/products"), "id")', { call })).toBe('id\np1\np2')
  })

  it.each([
    ['table(3)', 'table takes rows: an array of hashes, or a list, not Integer'],
    ['table([1])', 'row 0 is Integer'],
    ['table(BasicObject.new)', 'not BasicObject'],
    ['table([(1..201).to_h { |i| [i, i] }])', 'table takes at most 200 columns, not 201; name those to show'],
    ['r = []\nr << { "a" => r }\ntable(r)', 'contains itself'],
  ])('%s is refused', async (code, message) => {
    expect((await errorOf(room, code)).message).toContain(message)
  })
})
