import type { CallerKind } from './caller.ts'
import type { Fields } from './field.ts'
import type { Noun } from './noun.ts'
import type { Parameter, Parameters } from './parameter.ts'
import type { RoleRight } from './role-rights.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type OperationKind = 'list' | 'create' | 'retrieve' | 'update' | 'delete' | 'action' | 'custom'

/** The parts of a request that a rule receives; `target` is the row that the path names. */
interface Call<Target, Input> {
  target: Target
  /** Path parameters by name. */
  path: Record<string, string>
  input: Input
  query: Record<string, unknown>
}

/** The result of a rule, before it is presented. */
export type Result =
  | { kind: 'one'; row: unknown; status?: number }
  | { kind: 'list'; rows: unknown[]; hasMore: boolean }
  | { kind: 'deleted'; id: string }
  /** Returned unchanged, for older response forms that no noun describes. */
  | { kind: 'plain'; value: object }

/** The facts about an operation from which the documentation and the tools are generated. */
export interface OperationDeclaration {
  id: string
  method: Method
  path: string
  group: string
  summary: string
  description: string
  /** The noun of the response. */
  noun: Noun
  kind: OperationKind
  /** Responds with a page of rows. */
  answersList: boolean
  /** The path names one row, which is loaded before the rule runs. */
  addressed: boolean
  query: Parameters
  /** Fields of the body, or null if the operation has no body. */
  body: Fields | null
  /** `update` reads only the present fields; `create` also applies defaults and requires required fields. */
  bodyMode: 'create' | 'update'
  /** Sort orders that dashboard lists offer: field names, prefixed with a minus for descending. */
  sorts: readonly string[]
  expandable: boolean
  writes: boolean
  /** Does external I/O, such as a request to another site, so it runs outside of a transaction. */
  outside: boolean
  /** `slow` operations are expensive for others and also count against a lower rate limit. */
  rate: 'general' | 'slow'
  /** Responds with 402 when the account has too few credits. */
  spendsCredits: boolean
  /** Allowed when the account's storage is full, because it moves money, ends something or frees space. */
  evenWhenFull: boolean
  callers: readonly CallerKind[]
  /** The right that the caller's roles must include. */
  needs: RoleRight
  /** The Ruby method for an operation that only the dashboard has over HTTP: `find_anything`. */
  word: string | null
  emits: readonly string[]
  example: Record<string, unknown> | null
  status: 200 | 201
  /** A create that returns an existing resource with 200. */
  findsExisting: boolean
}

/** Checks some fields of a body and throws a 422 or a missing parameter. Absent and invalid fields are undefined. */
export interface BodyCheck<Context = unknown, Given = Record<string, unknown>> {
  /** Names in bodies. The check is skipped if one of these fields is invalid by itself. */
  fields: readonly string[]
  check(context: Context, given: Given): unknown
}

/** A complete operation, with the code that runs it. */
export interface Operation<Context = unknown, Outside = unknown> extends OperationDeclaration {
  /** Serialises its transactions within an account, because they change the same few rows. */
  inTurn: boolean
  /** Checks of the rule that need only the body. They run after other faults, so that one response reports all of them. */
  checks: readonly BodyCheck<Context>[]
  apply(context: Context, call: Call<unknown, Record<string, unknown>>): Promise<Result>
  /**
   * External I/O before the transaction, such as a DNS lookup; may throw. Skipped in a program that has already written, so the
   * rule must not depend on it.
   */
  prepare?(context: Context, input: Record<string, unknown>): Promise<void>
  /** Replaces `apply` if `outside` is true. */
  applyOutside?(context: Outside, call: Call<unknown, Record<string, unknown>>): Promise<Result>
}

/** The parameter names of a path: `id` of `/files/{id}/confirm`. */
export type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never

/** The types of an operation, from which typed calls to it are derived. */
export interface OperationTypes {
  method: Method
  path: string
  noun: Noun
  answers: 'one' | 'list' | 'deleted'
  /** Query parameters by name. */
  query: object
  body: Fields
}

/** A documented list filter and how it narrows the query. `Given` is the type that callers pass. */
export interface Filter<Query = unknown, Context = unknown, Given = unknown> {
  /** Type-level only. */
  readonly given?: Given
  parameter: Parameter
  apply(query: Query, value: unknown, context: Context): Query | Promise<Query>
}
