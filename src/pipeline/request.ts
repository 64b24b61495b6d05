import type { Caller } from '../contract/declarations/caller.ts'
import type { RoleRight } from '../contract/declarations/role-rights.ts'
import type { Aggregate } from '../contract/values/aggregate.ts'
import type { Scope } from '../database/database.ts'
import type { Change } from '../events/change.ts'
import type { Tables } from '../resources/tables.ts'
import type { PostCommitWork } from './side-effects.ts'

export interface OperationRequest {
  method: string
  /** The path without the version prefix, for example `/products/prod_…`. */
  path: string
  /** The query parameters: strings over HTTP, plain JSON values from a program. */
  query: Record<string, unknown>
  body: unknown
  idempotencyKey?: string | undefined
  /** The id of the request. If absent, a new one is generated. */
  requestId?: string
  caller: Caller
  /** Whether the request comes from a dashboard page. Only such requests can use dashboard operations. */
  dashboard?: boolean
  /** Present if a Ruby program sends the request. */
  program?: ProgramPart
  /** The transaction to read and write in; without it, the request has its own. */
  scope?: OperationScope
}

/** The part of a request that only Ruby programs send. */
export interface ProgramPart {
  /** Whether a helper of the Ruby prelude sends the request. Such requests can use only operations that are declared for helpers. */
  helper?: boolean | undefined
  /** The aggregate, such as a sum, that the program requests instead of a list's rows. Lists of computed rows ignore it. */
  aggregate?: Aggregate | undefined
  /** Whether the change is always rolled back, because it is part of a dry run or of a propose-only token's plan. */
  proposed: boolean
  /** Whether the request belongs to a batch of a background program, which may be rolled back and retried. */
  batch: boolean
  /** The rate limit of the program; without it, the request counts against its caller's rate limit. */
  budget?: CallBudget | undefined
}

export interface OperationAnswer {
  status: number
  /** The headers `RateLimit`, `RateLimit-Policy`, `Retry-After`, `Allow`, `Idempotent-Replayed` and `Request-Id`, as applicable. */
  headers: Record<string, string>
  /** A resource, a list, a confirmation, or `{ error: … }`. */
  body: Record<string, unknown>
  /** The id of the operation, or null if no operation has this path and method. */
  operationId: string | null
  /** The method and the path template, for example `PATCH /products/{id_or_slug}`; null if no operation has this path and method. */
  operation: string | null
  /** The right that the operation requires of the user's role; null if it requires none. */
  needs: RoleRight | null
  /** Whether the operation had external effects, which a rollback does not undo. */
  outside: boolean
  /** Undeclared parameters of the request, which are ignored. */
  ignored: string[]
  changes: Change[]
  left: PostCommitWork
}

/** The rate limit that a program's calls count against. `take` counts one call, or throws `rate_limit_exceeded`. */
export interface CallBudget {
  take(): Promise<void>
}

/** The database or transaction of a call. While `holdsWrites` is true, it has uncommitted writes, so external effects are refused. */
export interface OperationScope extends Scope<Tables> {
  readonly holdsWrites?: boolean
  /** Whether all calls of the scope are committed or rolled back together. */
  readonly together?: boolean
}

export type { Caller }
