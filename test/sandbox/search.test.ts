import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Json, Sandbox } from '../../src/sandbox/api.ts'
import { openRoom, resultOf, tools } from './room.ts'

let room: Sandbox
beforeAll(async () => {
  room = await openRoom()
})
afterAll(() => room.close())

const named = '.map { |tool| [tool[:method], tool[:path]].join(" ") }'
const found = (search: string) => resultOf(room, `${search}${named}`, { kind: 'search' })

const searches: [search: string, calls: Json][] = [
  ['tools.search("variant", 1)', ['GET /v1/products/{id}/variants']],
  ['tools.search("variants", 1)', ['GET /v1/products/{id}/variants']],
  ['tools.search("creating products", 1)', ['POST /v1/products']],
  ['tools.search("find the shoppers", 1)', ['GET /v1/customers']],
  ['tools.search("SHOPPER!", 1)', ['GET /v1/customers']],
  ['tools.search("look up goods", 1)', ['GET /v1/products/{id}']],
  ['tools.search(:customers, 1)', ['GET /v1/customers']],
  ['tools.search("product", 2)', ['GET /v1/products', 'POST /v1/products']],
  ['tools.search("zeppelin")', []],
  ['tools.search("")', []],
  ['tools.search(nil)', []],
  ['tools.search("\\u0000\\u202e %")', []],
]

it.each(searches)('%s', async (search, calls) => {
  expect(await found(search)).toEqual(calls)
})

it('gives whole operations, five at most', async () => {
  expect(await resultOf(room, 'tools.search("customers", 1)')).toEqual([tools.at(-1)])
  expect(await resultOf(room, 'tools.search("list product variant customer create")')).toHaveLength(5)
  expect(await resultOf(room, 'tools.search("products").first[:path]')).toBe('/v1/products')
})

it('is the same in both kinds of programs', async () => {
  for (const kind of ['search', 'execute'] as const)
    expect(await resultOf(room, 'tools.search("customer", 1).size', { kind })).toBe(1)
})

it('leaves `tools` an array', async () => {
  expect(
    await resultOf(room, '[tools.class.name, tools.size, tools.select { |tool| tool[:method] == "POST" }.size]'),
  ).toEqual(['Array', 5, 1])
})
