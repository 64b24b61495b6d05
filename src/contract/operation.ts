import type { Field, Fields } from './field.ts'
import type { Noun } from './noun.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type OperationKind = 'list' | 'create' | 'retrieve' | 'update' | 'delete' | 'action'
export type Role = 'owner' | 'admin' | 'member'

/** What a rule finds of the request: the row its path names, the parsed body and query. */
export interface Call<Target, Input> {
  target: Target
  input: Input
  query: Record<string, unknown>
}

/** What a rule gives back, before anything is shown. */
export type Result =
  | { kind: 'one'; row: unknown; status?: number }
  | { kind: 'list'; rows: unknown[]; hasMore: boolean }
  | { kind: 'deleted'; id: string }

/** One operation of the contract, complete: the router, the checks, the documents and the tools are made from it. */
export interface Operation<Context = unknown> {
  id: string
  method: Method
  path: string
  tag: string
  summary: string
  description: string
  noun: Noun
  kind: OperationKind
  /** The path names one row, which is found before the rule runs. */
  addressed: boolean
  query: Fields
  /** Fields of the body, or null where the operation takes none. */
  body: Fields | null
  /** `update` takes what is there; `create` fills in defaults and wants required fields. */
  bodyMode: 'create' | 'update'
  expandable: boolean
  writes: boolean
  role: Role | null
  emits: readonly string[]
  example: Record<string, unknown> | null
  status: 200 | 201
  /** A create that answers 200 with what was there already, where it was. */
  findsExisting: boolean
  run(context: Context, call: Call<unknown, Record<string, unknown>>): Promise<Result>
}

/** A filter of a list: the parameter as documented, and how it narrows the query. */
export interface Filter<Query = unknown, Context = unknown> {
  parameter: Field
  apply(query: Query, value: unknown, context: Context): Query | Promise<Query>
}
