import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/sandbox/api.ts'
import { blamed } from './programs/hints.ts'
import { answering, errorOf, openRoom, resultOf } from './room.ts'

let room: Sandbox
beforeAll(async () => {
  room = await openRoom()
})
afterAll(() => room.close())

const call = answering({ id: 'p1', name: 'Tea', note: null, data: [{ id: 'r1', price: 5 }] })
const hintOf = async (code: string) => (await errorOf(room, code, { call })).hint

describe('a nil error blames a missing key', () => {
  it.each(blamed)('%s', async (code, hint) => {
    expect(await hintOf(code)).toBe(hint)
  })
})

describe('a nil error names what found nothing', () => {
  it.each([
    ['r = get("/products")\nlast = r["data"].drop(1).last\nlast["id"]', 'r["data"].drop(1).last'],
    [
      'rows = list("/products").select { |row| row["price"] > 5 }\nrow = rows.max_by { |one| one["price"] }\nrow["id"]',
      'rows.max_by',
    ],
    ['list("/products", name: "Tea").find { |row| row["id"] == "r2" }["id"]', 'list("/products", name: "Tea").find'],
  ])('%s', async (code, taken) => {
    expect(await hintOf(code)).toBe(`${taken} is nil where nothing is there or fits.`)
  })
})

describe('a nil error blames no key that its nil did not come from', () => {
  it.each([
    'nil.foo',
    'r = get("/products")\nr["other"]\nnil.foo',
    'r = get("/products")\nr["note"].upcase',
    'r = get("/products")\nr["other"]\nr["note"].upcase',
    'r = get("/products")\nold = r["other"]\ntext = r["note"]\ntext.upcase',
    'r = get("/products")\nother = r["other"]\n[1].find { false }.upcase',
    'r = get("/products")\nputs r["other"]; text = nil\ntext.upcase',
    'r = get("/products")\ntext = nil\nputs r["other"], text.upcase',
    'r = get("/products")\nr["other"]\n1 + nil',
    'r = get("/products")\nr["other"]\ndef shout(text) = text.upcase\nshout(nil)',
  ])('%s', async (code) => {
    expect(await hintOf(code)).toBeNull()
  })
})

it('an answer that is a list names its rows, list, or the key that was meant', async () => {
  expect(await hintOf('get("/products").data')).toBe('Use ["data"] to read this key.')
  expect(await hintOf('get("/products").each { |row| row["id"] }')).toContain('list(path) gives all of them')
  expect(await hintOf('get("/products").first["id"]')).toContain('rows under "data"')
})

describe('what warm-up programs leave behind', () => {
  it('does not reach the hints of the first program', async () => {
    const fresh = await openRoom({ workers: 1 })
    try {
      expect((await errorOf(fresh, 'x = nil\nx.upcase; "nothing"')).hint).toBeNull()
    } finally {
      await fresh.close()
    }
  })

  it('has one place to be in, which is emptied before the snapshot and for every program', async () => {
    const open = await openRoom({ workers: 1, strip: false })
    const state = `modules = [Sandbox, *Sandbox.constants.map { |name| Sandbox.const_get(name) }.grep(Module)]
      held = modules.flat_map { |mod| (mod.instance_variables + mod.class_variables).map { |name| "#{mod}.#{name}" } }
      unfrozen = modules.flat_map { |mod| mod.constants(false).map { |name| "#{mod}::#{name}" if !mod.const_get(name).frozen? && Enumerable === mod.const_get(name) } }
      [held.sort, unfrozen.compact, Sandbox::Run.current.missed, Sandbox::Run.current.refused_calls]`
    try {
      const clean = [
        ['Sandbox::Run.@current', 'Sandbox::Runner.@room'],
        ['Sandbox::TOOLS', 'Sandbox::RESOURCES'],
        {},
        [],
      ]
      expect(await resultOf(open, state)).toEqual(clean)
    } finally {
      await open.close()
    }
  })
})
