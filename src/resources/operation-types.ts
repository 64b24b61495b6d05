import type { Fields } from '../contract/declarations/field.ts'
import type { InputOf } from '../contract/declarations/noun.ts'
import type { OperationTypes } from '../contract/declarations/operation.ts'
import type { ExpandableOf, ShownOf } from '../contract/declarations/shown.ts'
import type { AnyResource, Nouns } from './nouns.ts'

type Known<R> = R extends { readonly known?: infer T } ? (T extends OperationTypes ? T : never) : never

/** Every operation, those of the dashboard alone as well, by method and path as the catalogue has them. */
export type Operations = { [T in Known<AnyResource> as `${T['method']} ${T['path']}`]: T }

export type OperationName = keyof Operations

export type ExpandableBy<Name extends OperationName> = ExpandableOf<Operations[Name]['noun']>

/** What an operation may be narrowed by, besides `expand`. */
export type QueryOf<Name extends OperationName> = Operations[Name]['query']

export type BodyFields<Name extends OperationName> = Operations[Name]['body']

/** Forms send words as they were typed: the operation refuses one that is not of its list. */
type Sendable<Body> = {
  [Name in keyof Body]?: Body[Name] extends infer Value ? (Value extends string ? string : Value) | null : never
}

/** What an operation may be sent: what is missing, it refuses. */
export type BodyOf<Name extends OperationName> =
  BodyFields<Name> extends infer Body extends Fields ? Sendable<InputOf<Body>> : never

export interface List<Row> {
  object: 'list'
  data: Row[]
  has_more: boolean
  url: string
}

/** One row of what an operation answers. */
export type RowOf<Name extends OperationName, Expanded extends string = never> = ShownOf<
  Nouns,
  Operations[Name]['noun'],
  Expanded
>

/** What an operation answers when it does not refuse. */
export type AnswerOf<Name extends OperationName, Expanded extends string = never> = {
  one: RowOf<Name, Expanded>
  list: List<RowOf<Name, Expanded>>
  deleted: { id: string; object: string; deleted: true }
}[Operations[Name]['answers']]
