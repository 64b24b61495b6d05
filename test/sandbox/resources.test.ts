import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Json, Sandbox } from '../../src/sandbox/api.ts'
import { errorOf, openRoom, resources, resultOf } from './room.ts'

let room: Sandbox
beforeAll(async () => {
  room = await openRoom()
})
afterAll(() => room.close())

const uses: [code: string, value: Json][] = [
  ['resources', resources],
  ['resources.keys', ['product', 'customer']],
  ['resources["product"]', resources.product],
  ['resources[:customer]', resources.customer],
  ['resources[:product][:fields]["name"][:type]', 'string'],
  ['resources["product"].dig(:fields, :price, :type)', 'integer'],
  ['resources.select { |_, r| r["fields"].key?(:email) }.keys', ['customer']],
  ['resources.map { |name, resource| [name, resource["fields"].size] }.to_h', { product: 2, customer: 1 }],
  ['resources["custommer"]', null],
  ['resources.key?("custommer")', false],
]

it.each(uses)('%s is the same in both kinds of programs', async (code, value) => {
  for (const kind of ['search', 'execute'] as const) expect(await resultOf(room, code, { kind })).toEqual(value)
})

const mistakes: [code: string, hint: string][] = [
  ['resources["custommer"]["fields"]', 'resources has no key "custommer"; did you mean "customer"?'],
  ['c = resources[:prodct]\nc[:fields]', 'resources has no key :prodct; did you mean "product"?'],
  ['resources["zzz"]["fields"]', 'resources has no key "zzz"; it has "product", "customer".'],
  ['resources["product"]["feilds"]["name"]', 'The resource has no key "feilds"; did you mean "fields"?'],
  ['resources.fetch("custommer")', 'Did you mean "customer"?'],
  ['resource["product"]', 'Did you mean resources?'],
]

it.each(mistakes)('the mistake %s', async (code, hint) => {
  for (const kind of ['search', 'execute'] as const) expect((await errorOf(room, code, { kind })).hint).toBe(hint)
})

it('what one program changes of them is whole for the next', async () => {
  const alone = await openRoom({ workers: 1 })
  await resultOf(alone, 'resources["product"].clear\nresources.clear')
  expect(await resultOf(alone, 'resources')).toEqual(resources)
  await alone.close()
})
