import type { AccountClocks } from '../clock/moments.ts'
import type { Caller } from '../contract/declarations/caller.ts'
import { ApiError, errorDocsUrl, internalError } from '../contract/declarations/errors.ts'
import { oneOf } from '../contract/declarations/kinds.ts'
import type { Noun } from '../contract/declarations/noun.ts'
import type { Operation } from '../contract/declarations/operation.ts'
import { parseQuery } from '../contract/requests/query.ts'
import { newId } from '../contract/values/ids.ts'
import {
  type Database,
  type Scope,
  StorageError,
  TransactionLostError,
  type TransactionOptions,
} from '../database/database.ts'
import type { Context } from '../records/context.ts'
import type { Resource } from '../records/resource.ts'
import { requireRoom } from '../records/room.ts'
import type { Services } from '../records/services.ts'
import type { Tables } from '../resources/tables.ts'
import { Applier, type ParsedRequest, type RuleResult } from './apply.ts'
import { Budget } from './budget.ts'
import { databaseRefusal } from './database-refusal.ts'
import { parseExpand } from './expand.ts'
import { AbandonedClaims, IdempotentRequest } from './idempotency.ts'
import { AWAIT_MS, type JobBoard } from './job-board.ts'
import { readersOf, requirePermission } from './permit.ts'
import { Presenter } from './present.ts'
import type { RatePolicy, TakePermit } from './rate-limit.ts'
import type { OperationAnswer, OperationRequest } from './request.ts'
import { Router } from './route.ts'
import { hasPostCommitWork, NO_POST_COMMIT_WORK } from './side-effects.ts'
import { type CallTogether, together } from './together.ts'
import { transact } from './transact.ts'
import { Visits } from './visits.ts'

export interface PipelineParts {
  shop: readonly Resource[]
  dashboard: readonly Resource[]
  database: Database<Tables>
  takePermit: TakePermit
  ratePolicy: RatePolicy
  /** The rate limit per minute, which is also the burst, of each operation that is declared slow. */
  slowPerMinute: number
  jobs: JobBoard
  services: Services
  clocks: AccountClocks
  publicUrl: string
  log: { error(details: object, message: string): void }
}

export class Pipeline {
  readonly nouns: Noun[]
  readonly operations: Operation<Context>[]
  /** All operations that dashboard pages can use: those of the catalogue, with sortable lists, and those only for the dashboard. */
  readonly dashboardOperations: Operation<Context>[]
  readonly presenter: Presenter
  readonly applier: Applier
  readonly budget: Budget
  readonly visits: Visits
  readonly #parts: PipelineParts
  readonly #router: Router
  readonly #dashboardRouter: Router
  readonly #wordRouter: Router
  readonly #abandoned = new AbandonedClaims()

  constructor(parts: PipelineParts) {
    this.#parts = parts
    this.budget = new Budget(parts.takePermit, parts.ratePolicy, parts.slowPerMinute)
    const { shop, dashboard, clocks, publicUrl, services } = parts
    const resources = [...shop, ...dashboard]
    this.nouns = shop.map((resource) => resource.noun)
    this.operations = shop.flatMap((resource) => resource.operations)
    this.dashboardOperations = [
      ...this.operations.map(sortable),
      ...resources.flatMap(({ dashboard }) => dashboard.map(sortable)),
    ]
    this.#router = new Router([...this.operations, ...shop.flatMap((resource) => resource.aliases)])
    this.#dashboardRouter = new Router(this.dashboardOperations)
    this.#wordRouter = new Router(this.dashboardOperations.filter(({ rubyHelper }) => rubyHelper !== null))
    this.presenter = new Presenter(resources)
    const jobs = resources.flatMap((resource) => resource.jobs)
    this.applier = new Applier({
      presenter: this.presenter,
      clocks,
      publicUrl,
      services,
      jobs,
      feeFor: (id) => resources.find(({ noun, fee }) => fee && noun.isId(id))?.fee,
      mayRead: readersOf(this.dashboardOperations),
      wake: (left) => parts.jobs.wake(left),
    })
    this.visits = new Visits(this.applier, parts)
  }

  /**
   * Runs an authenticated request through all stages. Every failure becomes an error response, except the loss of the caller's own
   * transaction, which is thrown so that the caller can retry the whole transaction or give up.
   */
  async run(request: OperationRequest): Promise<OperationAnswer> {
    const answer = blankAnswer(request.requestId)
    try {
      await (request.budget ? request.budget.take() : this.budget.take(request.caller, answer))
    } catch (error) {
      this.refuse(error, answer)
      return answer
    }
    return this.runUnmetered(request, answer)
  }

  together<Result>(caller: Caller, work: (ask: CallTogether) => Promise<Result>): Promise<Result> {
    return together(this.#parts, caller, work, (request) => this.runUnmetered(request))
  }

  /** Like `run`, but skips the caller's general rate limit. The separate limit of slow operations still applies. */
  async runUnmetered(request: OperationRequest, answer = blankAnswer(request.requestId)): Promise<OperationAnswer> {
    try {
      const route = this.#routerFor(request).find(request.method, request.path)
      const { operation } = route
      answer.operationId = operation.id
      answer.operation = `${operation.method} ${operation.path}`
      answer.needs = operation.needs
      answer.outside = operation.outside
      requirePermission(operation, request.caller, request.proposed ?? false)
      if (operation.rate === 'slow')
        await this.budget.takeSlow(operation.id, request.caller, answer, request.budget !== undefined)
      const query = parseQuery(request.query, operation)
      const expansion = parseExpand(query.expand, operation, this.presenter.findNoun)
      if ((operation.writes || operation.outside) && !operation.evenWhenFull)
        await requireRoom(this.#parts.services.storage, request.caller.accountId)
      const work: ParsedRequest = { request, route, query: query.values, expansion }
      Object.assign(answer, await this.#apply(work, answer))
    } catch (error) {
      if (error instanceof TransactionLostError && request.scope) throw error
      this.refuse(error, answer)
    }
    return answer
  }

  /** Writes an error into a response. An ApiError is shown as it is, any other error as a 500 with the request id. */
  refuse(error: unknown, answer: Pick<OperationAnswer, 'status' | 'headers' | 'body'>): void {
    const refusal = error instanceof ApiError ? error : this.#unexpected(error, answer.headers['Request-Id']!)
    answer.status = refusal.status
    answer.body = this.#bodyOf(refusal)
    Object.assign(answer.headers, refusal.headers)
  }

  #routerFor({ dashboard, word }: OperationRequest): Router {
    return (word && this.#wordRouter) || (dashboard && this.#dashboardRouter) || this.#router
  }

  #apply(work: ParsedRequest, answer: OperationAnswer): Promise<RuleResult> {
    const { operation } = work.route
    if (operation.outside) return this.#outside(work, answer)
    if (!operation.writes) return this.applier.apply(work, (work.request.scope ?? this.#parts.database).read)
    return this.#write(work, answer)
  }

  /** Runs an operation with external effects. It has no transaction around it, and its writes are committed separately. */
  async #outside(work: ParsedRequest, answer: OperationAnswer): Promise<RuleResult> {
    requireMayReachOutside(work.request)
    const key = work.request.idempotencyKey
    const { database } = this.#parts
    if (key === undefined) return this.applier.applyOutside(work, database)
    const idempotent = this.#idempotent(work.request, key)
    return this.#unlessReplayed(idempotent, database, answer, async () => {
      const applied = await this.applier.applyOutside(work, database).catch((error) => this.#refused(error))
      await database.transaction(({ db }) => idempotent.store(db, applied))
      return applied
    })
  }

  #idempotent(request: OperationRequest, key: string): IdempotentRequest {
    return new IdempotentRequest(request, key, { abandoned: this.#abandoned, vault: this.#parts.services.vault })
  }

  async #write(work: ParsedRequest, answer: OperationAnswer): Promise<RuleResult> {
    const scope = work.request.scope ?? this.#parts.database
    const key = work.request.idempotencyKey
    if (key === undefined) {
      const read = await this.applier.read(work, scope.read)
      const applied = await transact(scope, optionsOf(work), (unit) => this.applier.apply(read, unit.db))
      return this.#afterCommit(work, applied)
    }
    const idempotent = this.#idempotent(work.request, key)
    return this.#unlessReplayed(idempotent, scope, answer, () => this.#writeOnce(work, scope, idempotent))
  }

  /** Returns the stored response of the first request with the key, if there is one. Otherwise runs `work`, which stores its response. */
  async #unlessReplayed(
    idempotent: IdempotentRequest,
    scope: Scope<Tables>,
    answer: OperationAnswer,
    work: () => Promise<RuleResult>,
  ): Promise<RuleResult> {
    const replayed = await idempotent.claim(scope, new Date())
    if (replayed) {
      answer.headers['Idempotent-Replayed'] = 'true'
      return { ...NO_EFFECT, ...replayed }
    }
    return work().catch(async (error: unknown) => {
      await idempotent.release(scope)
      throw error
    })
  }

  async #writeOnce(work: ParsedRequest, scope: Scope<Tables>, idempotent: IdempotentRequest): Promise<RuleResult> {
    const written = await this.#applyAndStore(work, scope, idempotent)
    const settled = await this.#afterCommit(work, written)
    // If the disk is full, a replay shows the response as it was when the transaction was committed.
    if (settled !== written)
      await scope.transaction(({ db }) => idempotent.store(db, settled)).catch(ignoreStorageError)
    return settled
  }

  /** Commits the changes and the response in one transaction. The response of a refused request is stored, too, without changes. */
  async #applyAndStore(work: ParsedRequest, scope: Scope<Tables>, idempotent: IdempotentRequest): Promise<RuleResult> {
    const read = await this.applier.read(work, scope.read).catch(refusalOnly)
    return transact(scope, optionsOf(work), async (unit) => {
      const applied = await unit
        .savepoint(async () => this.applier.apply(orThrow(read), unit.db))
        .catch((error: unknown) => this.#refused(error))
      await idempotent.store(unit.db, applied)
      return applied
    })
  }

  /** Turns a refusal into a result without changes. A 5xx is thrown instead, because it is not stored. */
  #refused(error: unknown): RuleResult {
    const refusal = refusalOnly(error)
    if (refusal.status >= 500) throw refusal
    return { ...NO_EFFECT, status: refusal.status, body: this.#bodyOf(refusal) }
  }

  /** Starts the jobs of a commit and waits for those whose results the response shows. After a timeout, they are shown as pending. */
  async #afterCommit(work: ParsedRequest, applied: RuleResult): Promise<RuleResult> {
    const { jobs, database } = this.#parts
    // The jobs of a program start when the program commits, so the responses to its calls show them as pending.
    if (work.request.scope || !hasPostCommitWork(applied.left)) return applied
    jobs.wake(applied.left)
    if (applied.awaited.length === 0) return applied
    await jobs.wait(applied.awaited, AWAIT_MS)
    const body = await this.applier.reread(work, database.read, String(applied.body.id))
    return body ? { ...applied, body } : applied
  }

  #bodyOf(refusal: ApiError): Record<string, unknown> {
    return refusal.body(errorDocsUrl(this.#parts.publicUrl))
  }

  #unexpected(error: unknown, requestId: string): ApiError {
    const refusal = databaseRefusal(error)
    if (refusal === null || error instanceof StorageError)
      this.#parts.log.error({ err: error, requestId }, 'An operation failed unexpectedly')
    return refusal ?? internalError(requestId)
  }
}

function sortable(operation: Operation<Context>): Operation<Context> {
  const [first, ...others] = operation.sorts
  if (first === undefined) return operation
  return { ...operation, query: { ...operation.query, sort: oneOf([first, ...others], 'What it is sorted by') } }
}

/**
 * Refuses external effects in a transaction that might be rolled back, because they cannot be undone: in a dry run, after a program has
 * written, and in a batch, which may be rolled back and retried long after it ran.
 */
function requireMayReachOutside({
  scope,
  proposed,
  batch,
}: Pick<OperationRequest, 'scope' | 'proposed' | 'batch'>): void {
  if (batch) {
    throw new ApiError(
      'invalid_state',
      'This operation has external effects, and a batch can be undone and repeated. Call it in a program without `# background: true`.',
    )
  }
  if (proposed) {
    throw new ApiError(
      'invalid_state',
      'This operation has external effects, which a dry run cannot undo. Call it in an earlier program and use its result in this one.',
    )
  }
  if (scope?.holdsWrites) {
    throw new ApiError(
      'invalid_state',
      "This operation has external effects and cannot be undone. Call it before the program's first write, or use `# atomic: false`.",
    )
  }
}

function optionsOf({ request, route }: ParsedRequest): TransactionOptions {
  return { account: request.caller.accountId, inTurn: route.operation.inTurn }
}

function ignoreStorageError(error: unknown): void {
  if (!(error instanceof StorageError)) throw error
}

function refusalOnly(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  throw error
}

function orThrow<Value>(found: Value | ApiError): Value {
  if (found instanceof ApiError) throw found
  return found
}

const NO_EFFECT: Pick<RuleResult, 'ignored' | 'changes' | 'awaited' | 'left'> = {
  ignored: [],
  changes: [],
  awaited: [],
  left: NO_POST_COMMIT_WORK,
}

export function blankAnswer(requestId = newRequestId()): OperationAnswer {
  const headers = { 'Request-Id': requestId }
  const unknown = { operationId: null, operation: null, needs: null, outside: false }
  return { status: 200, headers, body: {}, ...unknown, ignored: [], changes: [], left: NO_POST_COMMIT_WORK }
}

export function newRequestId(): string {
  return newId('req')
}
