import fc from 'fast-check'
import type { Operation } from '../../src/contract/declarations/operation.ts'
import type { Parameter } from '../../src/contract/declarations/parameter.ts'
import { expandableNames } from '../../src/contract/documents/describe.ts'
import { bodySchema, valueSchema } from '../../src/contract/documents/schemas.ts'
import type { JsonSchema } from '../../src/contract/values/json.ts'
import type { Context } from '../../src/records/context.ts'
import type { Shop } from '../support/shop.ts'
import { bodyOf, pathOf } from '../support/stock.ts'
import type { GeneratedRequest } from './send.ts'
import { type Surroundings, valuesFor } from './values.ts'

type AnyOperation = Operation<Context>
export type Query = [name: string, value: string][]

/** Requests that keep to what an operation declares. Its rules may still refuse them. */
export function validRequests(shop: Shop, operation: AnyOperation, around: Surroundings) {
  const path = pathOf(operation, around.ids)
  return fc
    .record({ query: validQuery(shop, operation, around), body: validBody(shop, operation, around) })
    .map(({ query, body }): GeneratedRequest => assembled(operation.method, path, query, body))
}

export function assembled(method: string, path: string, query: Query, body: unknown): GeneratedRequest {
  const asked = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
  return {
    method,
    path: asked ? `${path}?${asked}` : path,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
}

/** The documented body with some fields replaced, or all required and some other fields made anew. */
function validBody(shop: Shop, operation: AnyOperation, around: Surroundings): fc.Arbitrary<unknown> {
  const schema = bodySchema(operation)
  if (!schema) return fc.constant(undefined)
  const properties = Object.entries(schema.properties as Record<string, JsonSchema>)
  const each = Object.fromEntries(properties.map(([name, value]) => [name, valuesFor(value, name, around)]))
  const names = properties.map(([name]) => name)
  const required = (schema.required ?? []) as string[]
  const some = names.length === 0 ? fc.constant([]) : fc.subarray(names, { maxLength: Math.min(3, names.length) })
  const replaced = some
    .chain((chosen) => fc.record(Object.fromEntries(chosen.map((name) => [name, each[name]!]))))
    .map((given) => ({ ...bodyOf(shop, operation, around.ids), ...given }))
  return fc.oneof(
    { weight: 2, arbitrary: replaced },
    { weight: 1, arbitrary: fc.record(each, { requiredKeys: required }) },
  )
}

function validQuery(shop: Shop, operation: AnyOperation, around: Surroundings): fc.Arbitrary<Query> {
  const parameters = Object.entries(operation.query).filter(([name]) => name !== 'starting_after')
  const { findNoun } = shop.running.app.pipeline.presenter
  const expandable = operation.expandable ? expandableNames(operation.noun, findNoun) : []
  const expand = fc.subarray(expandable).map((names): Query => (names.length > 0 ? [['expand', names.join(',')]] : []))
  const chosen = fc
    .subarray(parameters, { maxLength: Math.min(3, parameters.length) })
    .chain((some) => fc.tuple(...some.map(([name, parameter]) => parameterOf(name, parameter, around))))
  const required = parameters.filter(([, { spec }]) => spec.required)
  const always = fc.tuple(...required.map(([name, parameter]) => parameterOf(name, parameter, around)))
  return fc.tuple(expand, chosen, always).map(([first, some, wanted]) => {
    const given = new Map([...some.flat(), ...wanted.flat()])
    return [...first, ...given]
  })
}

/** A parameter as a query writes it: `status[]=a`, `created_at[gte]=…`, `metadata[key]=value`. */
function parameterOf(name: string, { spec, form = 'one' }: Parameter, around: Surroundings): fc.Arbitrary<Query> {
  const value = valuesFor(valueSchema({ spec }), name, around).map(String)
  const written = (suffix: string) => value.map((one): Query => [[`${name}${suffix}`, one]])
  if (form === 'entries') return fc.constant([[`${name}[campaign]`, 'spring']])
  if (form === 'several') return fc.oneof(written(''), written('[]'))
  if (form === 'one') return written('')
  return fc.constantFrom('gt', 'gte', 'lt', 'lte').chain((bound) => written(`[${bound}]`))
}
