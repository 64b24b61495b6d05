import type { Fields } from '../contract/declarations/field.ts'
import type { InputOf } from '../contract/declarations/noun.ts'
import type { OperationTypes } from '../contract/declarations/operation.ts'
import type { ExpandableOf, ShownOf } from '../contract/declarations/shown.ts'
import type { AnyResource, Nouns } from './nouns.ts'

type TypesOfResource<R> = R extends { readonly known?: infer T } ? (T extends OperationTypes ? T : never) : never

/** All operations, including those of the dashboard, by method and path as in the catalogue. */
export type Operations = { [T in TypesOfResource<AnyResource> as `${T['method']} ${T['path']}`]: T }

export type OperationName = keyof Operations

export type ExpandableBy<Name extends OperationName> = ExpandableOf<Operations[Name]['noun']>

/** The query parameters of an operation, except `expand`. */
export type QueryOf<Name extends OperationName> = Operations[Name]['query']

export type BodyFields<Name extends OperationName> = Operations[Name]['body']

/** Allows any string for fields with choices, because forms send text as it was typed. The operation refuses values without a choice. */
type Sendable<Body> = {
  [Name in keyof Body]?: Body[Name] extends infer Value ? (Value extends string ? string : Value) | null : never
}

/** The body of a request. All fields are optional, because the operation reports missing ones. */
export type BodyOf<Name extends OperationName> =
  BodyFields<Name> extends infer Body extends Fields ? Sendable<InputOf<Body>> : never

export interface List<Row> {
  object: 'list'
  data: Row[]
  has_more: boolean
  url: string
}

/** One row of an operation's response. */
export type RowOf<Name extends OperationName, Expanded extends string = never> = ShownOf<
  Nouns,
  Operations[Name]['noun'],
  Expanded
>

/** The successful response of an operation. */
export type AnswerOf<Name extends OperationName, Expanded extends string = never> = {
  one: RowOf<Name, Expanded>
  list: List<RowOf<Name, Expanded>>
  deleted: { id: string; object: string; deleted: true }
}[Operations[Name]['answers']]
