import type { Aggregate, Group } from '../values/aggregate.ts'
import type { CallerKind } from './caller.ts'
import type { Fields } from './field.ts'
import type { Noun } from './noun.ts'
import type { Parameter, Parameters } from './parameter.ts'
import type { RoleRight } from './role-rights.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type OperationKind = 'list' | 'create' | 'retrieve' | 'update' | 'delete' | 'action' | 'custom'

/** The events that operations usually emit for the resource they answer. */
export const USUAL_EVENTS: Partial<Record<OperationKind, string>> = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
  action: 'updated',
}

/** The parts of a request that an operation's code receives; `target` is the row that the path identifies. */
interface Call<Target, Input> {
  target: Target
  path: Record<string, string>
  input: Input
  query: Record<string, unknown>
}

/** The result of an operation's code, before it becomes a response. */
export type Result =
  | { kind: 'one'; row: unknown; status?: number }
  | { kind: 'list'; rows: unknown[]; hasMore: boolean }
  | { kind: 'deleted'; id: string }
  /** A value that becomes the response unchanged, for older response forms that no noun describes. */
  | { kind: 'plain'; value: object }

/** The facts about an operation from which the documentation and the tools are generated. */
export interface OperationDeclaration {
  id: string
  method: Method
  path: string
  group: string
  summary: string
  description: string
  noun: Noun
  kind: OperationKind
  answersList: boolean
  /** Whether the path identifies one row, which is loaded before the operation's code runs. */
  addressed: boolean
  query: Parameters
  body: Fields | null
  /** `update` reads only the present fields; `create` also applies defaults and checks required fields. */
  bodyMode: 'create' | 'update'
  /** Sort orders of the dashboard's lists: field names, with a minus for descending order. */
  sorts: readonly string[]
  expandable: boolean
  writes: boolean
  /** Whether the operation does external I/O and therefore runs outside of a transaction. */
  outside: boolean
  /** The rate limit. `slow` operations are expensive for other callers, so they also count against a lower limit. */
  rate: 'general' | 'slow'
  /** Whether the operation responds with 402 when the account has too few credits. */
  spendsCredits: boolean
  /** Whether the operation is allowed when the account's storage is full, because it moves money, ends something or frees space. */
  evenWhenFull: boolean
  callers: readonly CallerKind[]
  needs: RoleRight
  /** The Ruby method, such as `find_anything`, for an operation that only the dashboard can call over HTTP; otherwise null. */
  rubyHelper: string | null
  emits: readonly string[]
  example: Record<string, unknown> | null
  status: 200 | 201
  /** Whether the operation is a create that may return an existing resource with 200. */
  findsExisting: boolean
}

/** A check of some fields of a body, which throws a 422 or a `parameter_missing`. Absent and invalid fields are undefined. */
export interface BodyCheck<Context = unknown, Given = Record<string, unknown>> {
  /** The fields by their names in bodies. An invalid field skips the check. */
  fields: readonly string[]
  check(context: Context, given: Given): unknown
}

export interface Operation<Context = unknown, Outside = unknown> extends OperationDeclaration {
  /** Whether its transactions run one after the other within an account, because they change the same few rows. */
  inTurn: boolean
  /** Checks that need only the body. They run after all other checks, so that one response reports all errors. */
  checks: readonly BodyCheck<Context>[]
  apply(context: Context, call: Call<unknown, Record<string, unknown>>): Promise<Result>
  /** Computes a figure over the rows of all pages of the list. */
  aggregate?(context: Context, query: Record<string, unknown>, asked: Aggregate): Promise<Group[]>
  /** Does external I/O before the transaction. A Ruby program that has already written skips it, so the operation must not depend on it. */
  prepare?(context: Context, input: Record<string, unknown>): Promise<void>
  applyOutside?(context: Outside, call: Call<unknown, Record<string, unknown>>): Promise<Result>
}

/** The parameter names of a path: `id` of `/files/{id}/confirm`. */
export type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never

export interface OperationTypes {
  method: Method
  path: string
  noun: Noun
  answers: 'one' | 'list' | 'deleted'
  query: object
  body: Fields
}

/** A documented list filter and how it narrows the query. `Given` is the type that callers pass. */
export interface Filter<Query = unknown, Context = unknown, Given = unknown> {
  /** Exists only as a type, not at run time. */
  readonly given?: Given
  parameter: Parameter
  /** Set if a page's ids are found before its rows are read, because an index of the filtered column is much smaller than the rows. */
  idsFirst?: true
  apply(query: Query, value: unknown, context: Context): Query | Promise<Query>
}
