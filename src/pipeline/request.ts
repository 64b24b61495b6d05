import type { Caller } from '../contract/declarations/caller.ts'
import type { RoleRight } from '../contract/declarations/role-rights.ts'
import type { Scope } from '../database/database.ts'
import type { Change } from '../events/change.ts'
import type { Tables } from '../resources/tables.ts'
import type { Left } from './foresee.ts'

/** One request for one operation, whatever transport it came by. */
export interface OperationRequest {
  method: string
  /** Without the version prefix: `/products/prod_…`. */
  path: string
  /** Values are strings over HTTP and plain JSON values from a program. */
  query: Record<string, unknown>
  /** The parsed body; `undefined` when there was none. */
  body: unknown
  idempotencyKey?: string | undefined
  /** The transport's id of the request; a new one when absent. */
  requestId?: string
  caller: Caller
  /** It comes from a page of the dashboard, which finds the operations of the dashboard as well. */
  dashboard?: boolean
  /** A word of a program's prelude asks, which finds the operations that are declared with a word, and no others. */
  word?: boolean
  /** The change is undone in any case: a dry run, or the plan of a proposing token. */
  proposed?: boolean
  /** It belongs to a batch of a background program, which may be undone and done again. */
  batch?: boolean
  /** What a call of a program spends from; otherwise it spends one request of its caller's budget. */
  budget?: CallBudget | undefined
  /** Where to read and write: the database (the default), or a program's open transaction. */
  scope?: OperationScope
}

export interface OperationAnswer {
  status: number
  /** `RateLimit`, `RateLimit-Policy`, `Retry-After`, `Allow`, `Idempotent-Replayed`, `Request-Id`. */
  headers: Record<string, string>
  /** The resource, list or confirmation, or `{ error: … }`. */
  body: Record<string, unknown>
  /** The id of the operation that answered, or null when the path or method has none. */
  operationId: string | null
  /** Its method and path as the catalogue has them, `PATCH /products/{id_or_slug}`; null when there is none. */
  operation: string | null
  /** The right that this takes of a role; null when there is none. */
  needs: RoleRight | null
  /** It reached outside, which no rollback undoes. */
  outside: boolean
  /** Parameters that no declaration names, which were ignored as the contract says. */
  ignored: string[]
  /** What changed, by the events that were written. */
  changes: Change[]
  /** What it left for those who work after the commit, who should hear of it. */
  left: Left
}

/** Spends for one call, and throws `rate_limit_exceeded` when nothing is left. */
export interface CallBudget {
  take(): Promise<void>
}

/** A program's transaction says whether it has written what a rollback would undo: then it may not reach outside. */
export interface OperationScope extends Scope<Tables> {
  readonly holdsWrites?: boolean
  /** All of it is kept or undone together. */
  readonly together?: boolean
}

export type { Caller }
