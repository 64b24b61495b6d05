import type { AccountClocks } from '../clock/moments.ts'
import type { Caller } from '../contract/declarations/caller.ts'
import { ApiError, errorDocsUrl, internalError } from '../contract/declarations/errors.ts'
import { oneOf } from '../contract/declarations/kinds.ts'
import type { Noun } from '../contract/declarations/noun.ts'
import type { Operation } from '../contract/declarations/operation.ts'
import { parseQuery } from '../contract/requests/query.ts'
import { newId } from '../contract/values/ids.ts'
import { type Database, StorageError, TransactionLostError } from '../database/database.ts'
import type { Context } from '../records/context.ts'
import type { Resource } from '../records/resource.ts'
import { requireRoom } from '../records/room.ts'
import type { Services } from '../records/services.ts'
import type { Tables } from '../resources/tables.ts'
import { Applier, type ParsedRequest, type RuleResult } from './apply.ts'
import { Budget } from './budget.ts'
import { Contexts } from './contexts.ts'
import { databaseRefusal } from './database-refusal.ts'
import { parseExpand } from './expand.ts'
import type { JobBoard } from './job-board.ts'
import { readersOf, requirePermission } from './permit.ts'
import { Presenter } from './present.ts'
import type { RatePolicy, TakePermit } from './rate-limit.ts'
import type { OperationAnswer, OperationRequest } from './request.ts'
import { Router } from './route.ts'
import { NO_POST_COMMIT_WORK } from './side-effects.ts'
import { type CallTogether, together } from './together.ts'
import { Visits } from './visits.ts'
import { WriteStage } from './write.ts'

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
  readonly contexts: Contexts
  readonly budget: Budget
  readonly visits: Visits
  readonly #parts: PipelineParts
  readonly #router: Router
  readonly #dashboardRouter: Router
  readonly #helperRouter: Router
  readonly #applier: Applier
  readonly #writes: WriteStage

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
    this.#helperRouter = new Router(this.dashboardOperations.filter(({ rubyHelper }) => rubyHelper !== null))
    this.presenter = new Presenter(resources)
    const jobs = resources.flatMap((resource) => resource.jobs)
    this.contexts = new Contexts({
      presenter: this.presenter,
      clocks,
      publicUrl,
      services,
      jobs,
      feeFor: (id) => resources.find(({ noun, fee }) => fee && noun.isId(id))?.fee,
      mayRead: readersOf(this.dashboardOperations),
      wake: (left) => parts.jobs.wake(left),
    })
    this.#applier = new Applier(this.contexts, this.presenter)
    this.#writes = new WriteStage(this.#applier, {
      database: parts.database,
      jobs: parts.jobs,
      vault: services.vault,
      bodyOf: (refusal) => this.#bodyOf(refusal),
    })
    this.visits = new Visits(this.contexts, parts)
  }

  /**
   * Runs an authenticated request through all stages. Every failure becomes an error response, except the loss of the caller's own
   * transaction, which is thrown so that the caller can retry the whole transaction or give up.
   */
  async run(request: OperationRequest): Promise<OperationAnswer> {
    const answer = blankAnswer(request.requestId)
    try {
      await (request.program?.budget ?? this.budget).take(request.caller, answer)
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
      requirePermission(operation, request.caller, request.program?.proposed ?? false)
      if (operation.rate === 'slow')
        await this.budget.takeSlow(operation.id, request.caller, answer, request.program?.budget !== undefined)
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

  #routerFor({ dashboard, program }: OperationRequest): Router {
    return (program?.helper && this.#helperRouter) || (dashboard && this.#dashboardRouter) || this.#router
  }

  #apply(work: ParsedRequest, answer: OperationAnswer): Promise<RuleResult> {
    const { operation } = work.route
    if (operation.outside) return this.#writes.outside(work, answer)
    if (!operation.writes) return this.#applier.apply(work, (work.request.scope ?? this.#parts.database).read)
    return this.#writes.write(work, answer)
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

export function blankAnswer(requestId = newRequestId()): OperationAnswer {
  const headers = { 'Request-Id': requestId }
  const unknown = { operationId: null, operation: null, needs: null, outside: false }
  return { status: 200, headers, body: {}, ...unknown, ignored: [], changes: [], left: NO_POST_COMMIT_WORK }
}

export function newRequestId(): string {
  return newId('req')
}
