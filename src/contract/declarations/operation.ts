import type { CallerKind } from './caller.ts'
import type { Fields } from './field.ts'
import type { Noun } from './noun.ts'
import type { Parameter, Parameters } from './parameter.ts'
import type { RoleRight } from './role-rights.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type OperationKind = 'list' | 'create' | 'retrieve' | 'update' | 'delete' | 'action' | 'custom'

/** What a rule finds of the request: the row its path names, the path's parameters, the parsed body and query. */
export interface Call<Target, Input> {
  target: Target
  /** By the names in the path's braces. */
  path: Record<string, string>
  input: Input
  query: Record<string, unknown>
}

/** What a rule gives back, before anything is shown. */
export type Result =
  | { kind: 'one'; row: unknown; status?: number }
  | { kind: 'list'; rows: unknown[]; hasMore: boolean }
  | { kind: 'deleted'; id: string }
  /** Answered as it is, for older forms that no noun describes. */
  | { kind: 'plain'; value: object }

/** What a reader of the documentation must know of one operation: the documents and the tools are made from it. */
export interface OperationDeclaration {
  id: string
  method: Method
  path: string
  group: string
  summary: string
  description: string
  /** What it answers. */
  noun: Noun
  kind: OperationKind
  /** Its answer is a page of the noun's rows. */
  answersList: boolean
  /** The path names one row, which is found before the rule is applied. */
  addressed: boolean
  query: Parameters
  /** Fields of the body, or null where the operation takes none. */
  body: Fields | null
  /** `update` takes what is there; `create` fills in defaults and wants required fields. */
  bodyMode: 'create' | 'update'
  /** What pages of the dashboard may sort a list by: fields, with a minus for the highest first. */
  sorts: readonly string[]
  expandable: boolean
  writes: boolean
  /** Its answer is work outside, such as a request to another site, so it has no transaction around it. */
  outside: boolean
  /** `slow`: it costs others so much that it has a lower rate limit of its own besides the general one. */
  rate: 'general' | 'slow'
  /** It is refused with 402 when the account has too few credits. */
  spendsCredits: boolean
  /** It goes on when the account may store no more: it moves money, ends something or makes room. */
  evenWhenFull: boolean
  callers: readonly CallerKind[]
  /** What the role of a caller must include, by the table of rights. */
  needs: RoleRight
  /** The word by which programs call it, where the dashboard alone has it otherwise: `find_anything`. */
  word: string | null
  emits: readonly string[]
  example: Record<string, unknown> | null
  status: 200 | 201
  /** A create that answers 200 with what was there already, where it was. */
  findsExisting: boolean
}

/**
 * Looks at some fields of a body, and throws what they are refused with: a 422 or a missing parameter. Fields that were absent
 * or could not be read are undefined.
 */
export interface BodyCheck<Context = unknown, Given = Record<string, unknown>> {
  /** Names in bodies. Where one of them is invalid by itself, the check is left out. */
  fields: readonly string[]
  check(context: Context, given: Given): unknown
}

/** One operation of the contract, complete: the router and the checks are made from it too. */
export interface Operation<Context = unknown, Outside = unknown> extends OperationDeclaration {
  /** Its transactions wait for each other within an account, since they change the same few records. */
  inTurn: boolean
  /** What its rule refuses, too, by what the body says: made once something else is wrong, so that all is said at once. */
  checks: readonly BodyCheck<Context>[]
  apply(context: Context, call: Call<unknown, Record<string, unknown>>): Promise<Result>
  /**
   * Work outside that must come before the transaction, such as looking up a name; it throws what the operation is refused
   * with. Left out in a program that has written already, so the rule must not depend on it.
   */
  prepare?(context: Context, input: Record<string, unknown>): Promise<void>
  /** Instead of `apply`, where `outside` is true. */
  applyOutside?(context: Outside, call: Call<unknown, Record<string, unknown>>): Promise<Result>
}

/** The names in a path's braces: `id` of `/files/{id}/confirm`. */
export type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never

/** What the compiler knows of one operation, so that whoever asks for it is typed by its declaration. */
export interface OperationTypes {
  method: Method
  path: string
  noun: Noun
  answers: 'one' | 'list' | 'deleted'
  /** Values by the names of its query's parameters. */
  query: object
  body: Fields
}

/** A filter of a list: the parameter as documented, and how it narrows the query. `Given` is what a caller may ask for. */
export interface Filter<Query = unknown, Context = unknown, Given = unknown> {
  /** Types only. */
  readonly given?: Given
  parameter: Parameter
  apply(query: Query, value: unknown, context: Context): Query | Promise<Query>
}
