import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Field } from '../../src/contract/declarations/field.ts'
import { inputName } from '../../src/contract/declarations/noun.ts'
import type { Operation } from '../../src/contract/declarations/operation.ts'
import type { Context } from '../../src/records/context.ts'
import { DEEP } from '../support/depth.ts'
import { Shop } from '../support/shop.ts'
import { bodyOf, type Ids, pathOf, stock } from '../support/stock.ts'
import { type Cost, costOf, longestHoldMs, MOST } from './meter.ts'

type AnyOperation = Operation<Context>

const shop = new Shop()
let ids: Ids
let most: number
beforeAll(async () => {
  await shop.open('sqlite', {})
  ids = await stock(shop)
  most = longestHoldMs()
})
afterAll(() => shop.close())

/** Tries of a request, of which the cheapest counts: a request that is costly is so each time, and the engine compiles and collects now and then. */
const TRIES = 6

/** Of a request of a megabyte that is as costly as can be thought of, whether it is refused or not. */
async function send(operation: AnyOperation, path: string, raw?: string): Promise<string[]> {
  let costs: string[] = []
  for (let tries = 0; tries < TRIES; tries++) {
    costs = await attempt(operation, path, raw)
    if (costs.length === 0) break
  }
  return costs
}

async function attempt(operation: AnyOperation, path: string, raw?: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${shop.running.token}`, 'content-type': 'application/json' }
  const url = `${shop.running.url}/v1${path}`
  const cost = await costOf(shop, async () => {
    const init = { method: operation.method, headers, ...(raw !== undefined && { body: raw }) }
    const response = await shop.running.app.fetch(new Request(url, init))
    return { status: response.status, bytes: (await response.text()).length }
  })
  return excesses(cost, cost.result)
}

function excesses(cost: Cost, { status, bytes }: { status: number; bytes: number }): string[] {
  const answerBytes = status >= 400 ? MOST.errorBytes : MOST.answerBytes
  return [
    ...(status >= 500 ? [`answered ${status}`] : []),
    ...(cost.heldMs > most ? [`held the event loop ${cost.heldMs.toFixed(0)} ms`] : []),
    ...(cost.allocatedBytes > MOST.allocatedBytes ? [`allocated ${cost.allocatedBytes} bytes`] : []),
    ...(cost.storedBytes > MOST.storedBytes ? [`stored ${cost.storedBytes} bytes`] : []),
    ...(bytes > answerBytes ? [`answered ${bytes} bytes with ${status}`] : []),
  ]
}

const MEGABYTE = 990_000
const many = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, at) => make(at))
const keys = (count: number) => Object.fromEntries(many(count, (index) => [`k${index}`, 'v']))
const deep = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)

/** Values that cost a reader the most, of any type: a field may be sent one of another type than its own. */
const COSTLY: [name: string, value: unknown][] = [
  ['a long text', 'x'.repeat(MEGABYTE)],
  ['a long text of wide characters', '漢'.repeat(MEGABYTE / 3)],
  ['the longest that fits, of wide characters', '漢'.repeat(200_000)],
  ['blanks', `${' '.repeat(MEGABYTE)}x`],
  ['tags', '<i>'.repeat(66_000)],
  ['nested tags, as many as are allowed', `${'<b><p>'.repeat(2_500)}`],
  ['lone angle brackets', '<'.repeat(200_000)],
  ['entities', '&amp;'.repeat(40_000)],
  ['an attribute without end', `<a href="${'&#x6a;'.repeat(33_000)}`],
  ['many attributes', `<a ${many(25_000, (index) => `a${index}=1`).join(' ')}>`],
  ['hyphens', 'a-'.repeat(MEGABYTE / 2)],
  ['combining marks', 'e\u0301'.repeat(MEGABYTE / 3)],
  ['an address', `${'a.'.repeat(MEGABYTE / 4)}a@${'b.'.repeat(MEGABYTE / 8)}example`],
  ['digits', '9'.repeat(MEGABYTE)],
  ['a thousand keys', keys(1_000)],
  ['9,000 keys', keys(9_000)],
  ['90,000 keys', keys(90_000)],
  ['a hundred texts', many(100, (index) => `${index}${'x'.repeat(9_000)}`)],
  ['9,000 texts', many(9_000, (index) => `${index}`)],
  ['9,000 wrong entries', many(9_000, () => null)],
  ['9,000 objects', many(3_000, () => ({ a: { b: 1 } }))],
  ['300,000 lists', many(300_000, () => [])],
  ['300,000 lists in an object', { a: many(300_000, () => []) }],
  ['49 levels', deep(48)],
  ['100,000 levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
]

/** The same as JSON, which takes long to write. */
const COSTLY_JSON = COSTLY.map(([what, value]) => [what, JSON.stringify(value)] as const)

/** A body in which one field is what a text of JSON says. */
function bodyWith(body: object | undefined, name: string, json: string): string {
  const rest = Object.entries(body ?? {}).filter(([other]) => other !== name)
  return `{${[...rest.map(([other, value]) => `${JSON.stringify(other)}:${JSON.stringify(value)}`), `"${name}":${json}`].join(',')}}`
}

describe('No request costs the others much', () => {
  const withBody = () => shop.operations.filter((operation) => operation.body)

  it('whatever a field holds', async () => {
    const found: unknown[] = []
    const tried = new Set<Field>()
    for (const operation of withBody()) {
      for (const [name, field] of Object.entries(operation.body!) as [string, Field][]) {
        // A field that creates and updates share is tried in both in the deep suite.
        if (tried.has(field) && !DEEP) continue
        tried.add(field)
        for (const [what, json] of COSTLY_JSON) {
          const body = bodyWith(bodyOf(shop, operation, ids), inputName(name, field), json)
          const costs = await send(operation, pathOf(operation, ids), body)
          if (costs.length > 0) found.push([operation.id, name, what, ...costs])
        }
      }
    }
    expect(found).toEqual([])
  }, 600_000)

  it('whatever a body holds instead of fields', async () => {
    const bodies: [string, string][] = [
      ['9,000 unknown fields', JSON.stringify(keys(9_000))],
      ['90,000 unknown fields', JSON.stringify(keys(90_000))],
      ['misspelt fields', JSON.stringify(Object.fromEntries(many(9_000, (index) => [`nam${index}`, 1])))],
      ['a long name of a field', JSON.stringify({ ['x'.repeat(MEGABYTE)]: 1 })],
      ['a list', JSON.stringify(many(9_000, () => ({})))],
      ['no JSON', 'x'.repeat(MEGABYTE)],
      ['brackets', '['.repeat(MEGABYTE)],
      ['quotation marks', '"'.repeat(MEGABYTE)],
      ['a text without end', `{"a":"${'\\\\'.repeat(MEGABYTE / 4)}`],
    ]
    const found: unknown[] = []
    for (const operation of withBody()) {
      for (const [what, raw] of bodies) {
        const costs = await send(operation, pathOf(operation, ids), raw)
        if (costs.length > 0) found.push([operation.id, what, ...costs])
      }
    }
    expect(found).toEqual([])
  }, 600_000)

  it('whatever its query holds', async () => {
    const long = 'x'.repeat(15_000)
    const queries: [string, (name: string) => string][] = [
      ['a long value', (name) => `${name}=${long}`],
      ['5,000 values', (name) => many(2_500, () => `${name}=a`).join('&')],
      ['5,000 keys', (name) => many(1_200, (index) => `${name}[k${index}]=a`).join('&')],
      ['a long key', (name) => `${name}[${long}]=a`],
      ['nested keys', (name) => `${name}${'[a]'.repeat(5_000)}=a`],
      ['a list in one text', (name) => `${name}=${'a,'.repeat(7_000)}`],
      ['a percent-encoded text', (name) => `${name}=${'%E6%BC%A2'.repeat(1_600)}`],
      ['names within names', (name) => `${name}=${'a.'.repeat(7_000)}`],
    ]
    const found: unknown[] = []
    for (const operation of shop.operations) {
      for (const name of [...Object.keys(operation.query), 'expand', 'unknown']) {
        for (const [what, query] of queries) {
          const costs = await send(operation, `${pathOf(operation, ids)}?${query(name)}`)
          if (costs.length > 0) found.push([operation.id, name, what, ...costs])
        }
      }
    }
    expect(found).toEqual([])
  }, 600_000)

  it('whatever its path names', async () => {
    const names = [
      'x'.repeat(15_000),
      '%25'.repeat(5_000),
      'a-'.repeat(7_500),
      `${'products/'.repeat(1_600)}x`,
      '/'.repeat(9_000),
    ]
    const found: unknown[] = []
    for (const operation of shop.operations) {
      for (const name of names) {
        const path = operation.path.includes('{')
          ? operation.path.replace(/\{\w+\}/, name)
          : `${operation.path}/${name}`
        const costs = await send(operation, path)
        if (costs.length > 0) found.push([operation.id, name.slice(0, 20), ...costs])
      }
    }
    expect(found).toEqual([])
  }, 600_000)
})
