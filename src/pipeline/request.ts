import type { Caller } from '../contract/declarations/caller.ts'
import type { RoleRight } from '../contract/declarations/role-rights.ts'
import type { Scope } from '../database/database.ts'
import type { Change } from '../events/change.ts'
import type { Tables } from '../resources/tables.ts'
import type { PostCommitWork } from './side-effects.ts'

/** A request for an operation, over any transport. */
export interface OperationRequest {
  method: string
  /** Without the version prefix: `/products/prod_…`. */
  path: string
  /** Values are strings over HTTP and plain JSON values from a program. */
  query: Record<string, unknown>
  /** The parsed body; `undefined` if there was none. */
  body: unknown
  idempotencyKey?: string | undefined
  /** The transport's request id; a new id is made if absent. */
  requestId?: string
  caller: Caller
  /** The request comes from a dashboard page, which can also call dashboard operations. */
  dashboard?: boolean
  /** The request comes from a Ruby helper of the prelude, which can only call operations that are declared for such helpers. */
  word?: boolean
  /** The change is always rolled back: it is a dry run, or the plan of a token that may only propose. */
  proposed?: boolean
  /** The request belongs to a batch of a background program, which may be rolled back and retried. */
  batch?: boolean
  /** The budget of the program that makes the call; without it, the call spends one request from its caller's budget. */
  budget?: CallBudget | undefined
  /** The database (the default) or a program's open transaction. */
  scope?: OperationScope
}

export interface OperationAnswer {
  status: number
  /** `RateLimit`, `RateLimit-Policy`, `Retry-After`, `Allow`, `Idempotent-Replayed`, `Request-Id`. */
  headers: Record<string, string>
  /** The resource, list or confirmation, or `{ error: … }`. */
  body: Record<string, unknown>
  /** The id of the operation, or null if no operation has this path and method. */
  operationId: string | null
  /** The method and path in the catalogue, `PATCH /products/{id_or_slug}`; null if there is none. */
  operation: string | null
  /** The role right that the operation requires; null if there is none. */
  needs: RoleRight | null
  /** Whether it had external effects, which a rollback does not undo. */
  outside: boolean
  /** Undeclared parameters, which were ignored as the contract says. */
  ignored: string[]
  /** The changes, derived from the events that were written. */
  changes: Change[]
  /** The work to start after the commit. */
  left: PostCommitWork
}

/** Spends for one call, or throws `rate_limit_exceeded` if the budget is empty. */
export interface CallBudget {
  take(): Promise<void>
}

/** The scope of a call; `holdsWrites` means that it has uncommitted writes, so external effects are refused. */
export interface OperationScope extends Scope<Tables> {
  readonly holdsWrites?: boolean
  /** Whether all of its changes are committed or rolled back together. */
  readonly together?: boolean
}

export type { Caller }
