import fc from 'fast-check'
import type { Operation } from '../../src/contract/declarations/operation.ts'
import { bodySchema } from '../../src/contract/documents/schemas.ts'
import type { Context } from '../../src/records/context.ts'
import type { Shop } from '../support/shop.ts'
import { bodyOf, type Ids, pathOf } from '../support/stock.ts'
import { anyText, hostileName, hostileText, hostileValue } from './hostile.ts'
import { assembled, type Query } from './requests.ts'
import type { GeneratedRequest } from './send.ts'

type AnyOperation = Operation<Context>

/** Requests with something wrong: in a field, in the body as a whole, in its type, in the query, or in the path. */
export function malformedRequests(shop: Shop, operation: AnyOperation, ids: Ids): fc.Arbitrary<GeneratedRequest> {
  const { method } = operation
  const path = pathOf(operation, ids)
  const usual = () => bodyOf(shop, operation, ids)
  const takesBody = method !== 'GET' && method !== 'DELETE'
  const wrong: fc.Arbitrary<GeneratedRequest>[] = [
    wrongQueries(operation).map((query) => assembled(method, path, query, usual())),
  ]
  if (operation.path.includes('{'))
    wrong.push(wrongPaths(operation.path).map((wrongPath) => assembled(method, wrongPath, [], usual())))
  if (takesBody)
    wrong.push(
      wrongBodies.map((body) => ({ method, path, body })),
      wrongTypes(method, path, usual),
    )
  if (operation.body)
    wrong.push(
      ...[1, 2, 3].map(() =>
        wrongFields(operation).map((given) => assembled(method, path, [], { ...usual(), ...given })),
      ),
    )
  return fc.oneof(...wrong)
}

/** Some fields with values that they cannot have, or should survive. */
function wrongFields(operation: AnyOperation): fc.Arbitrary<Record<string, unknown>> {
  const names = Object.keys((bodySchema(operation)!.properties ?? {}) as object)
  const name =
    names.length === 0 ? hostileName : fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...names) }, hostileName)
  const entries = fc.array(fc.tuple(name, hostileValue), { minLength: 1, maxLength: 3 })
  // `Object.fromEntries` gives `__proto__` as a key of its own, as JSON does.
  return entries.map((given) => Object.fromEntries(given))
}

const BROKEN = [
  '',
  ' ',
  '{',
  '{"a":',
  '{"a":1,}',
  "{'a':1}",
  '{"a":1}{"b":2}',
  '[]',
  'null',
  'true',
  '5',
  '"text"',
  '{"a":NaN}',
  '{"a":1e999}',
  '{"\\ud800":1}',
  '\ufeff{}',
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  `{"name":"${'a'.repeat(1_000_001)}"}`,
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"name":"a","name":5}',
]

const wrongBodies: fc.Arbitrary<string | Uint8Array<ArrayBuffer>> = fc.oneof(
  fc.constantFrom(...BROKEN),
  fc.json(),
  anyText,
  fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => new Uint8Array(bytes)),
)

const CONTENT_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/xml',
  'application/json, text/html',
  'nonsense',
  '*/*',
]

function wrongTypes(method: string, path: string, body: () => unknown): fc.Arbitrary<GeneratedRequest> {
  const headers = fc.oneof(
    fc.constantFrom(...CONTENT_TYPES).map((type): Record<string, string> => ({ 'Content-Type': type })),
    fc.constantFrom('gzip', 'br', 'nonsense').map((coding): Record<string, string> => ({ 'Content-Encoding': coding })),
  )
  return headers.map((given) => ({ ...assembled(method, path, [], body() ?? {}), headers: given }))
}

const SUFFIXES = ['', '[]', '[gte]', '[lt]', '[nonsense]', '[a][b]', '[0]', '[__proto__]', '[', ']']

function wrongQueries({ query }: AnyOperation): fc.Arbitrary<Query> {
  const name = fc.oneof(fc.constantFrom('limit', 'starting_after', 'expand', ...Object.keys(query)), hostileName)
  const short = fc.oneof(
    hostileText,
    fc.constantFrom('0', '101', '-1', '1.5', 'customer.tags.x.y', '2026-13-01', 'null'),
  )
  const one = fc.tuple(name, fc.constantFrom(...SUFFIXES), short)
  return fc
    .array(one, { minLength: 1, maxLength: 4 })
    .map((parts) => parts.map(([first, suffix, value]) => [`${first}${suffix}`, value.slice(0, 3_000).toWellFormed()]))
}

/** Ids that are none, of another kind, of nobody, or no text at all. */
function wrongPaths(template: string): fc.Arbitrary<string> {
  const encoded = hostileText.map((text) => encodeURIComponent(text.slice(0, 3_000).toWellFormed()))
  const raw = fc.constantFrom(
    '%',
    '%ff',
    '%C0%AF',
    '%E0%A4',
    '%2e%2e',
    '%2F',
    '%00',
    '%0d%0a',
    '*',
    ';',
    'null',
    'acct_1',
  )
  const unknown = fc.constantFrom('prod', 'cus', 'ord', 'fmtn').map((prefix) => `${prefix}_01k9z6v8q2f3x7c5m1n4b0r8tz`)
  return fc.oneof(encoded, raw, unknown).map((id) => template.replace(/\{\w+\}/, () => id))
}
