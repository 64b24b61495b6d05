import { ApiError, errorDocsUrl, missingResource } from '../contract/errors.ts'
import { newId } from '../contract/ids.ts'
import { parseBody } from '../contract/input.ts'
import type { Operation, Result } from '../contract/operation.ts'
import { parseQuery } from '../contract/query.ts'
import { currentTimestamp } from '../contract/values.ts'
import { ConflictError, type Database, type Scope, TransactionLostError } from '../database/database.ts'
import { Outbox } from '../events/outbox.ts'
import type { Caller, Context } from '../records/context.ts'
import { findRow } from '../records/records.ts'
import type { Resource } from '../records/resource.ts'
import type { Tables } from '../records/tables.ts'
import { type Expansion, NOTHING, parseExpand } from './expand.ts'
import { IdempotentRequest, type StoredAnswer } from './idempotency.ts'
import { Presenter } from './present.ts'
import { type RatePolicy, type Spent, spend, type TakeToken } from './rate-limit.ts'
import type { OperationAnswer, OperationRequest } from './request.ts'
import { type Route, Router } from './route.ts'
import { transact } from './transact.ts'

export interface PipelineParts {
  shop: Resource[]
  database: Database<Tables>
  takeToken: TakeToken
  ratePolicy: RatePolicy
  publicUrl: string
  log: { error(details: object, message: string): void }
}

const ROLES = ['member', 'admin', 'owner']

/** How any operation runs, whatever transport it came by. */
export class Pipeline {
  readonly operations: Operation<Context>[]
  readonly presenter: Presenter
  readonly #parts: PipelineParts
  readonly #router: Router

  constructor(parts: PipelineParts) {
    this.#parts = parts
    this.operations = parts.shop.flatMap((resource) => resource.operations)
    this.#router = new Router(this.operations)
    this.presenter = new Presenter(parts.shop)
  }

  /**
   * Takes an authenticated request through every stage. Every failure is an answer in the contract's shape; only the loss of
   * the caller's own transaction is thrown, for the caller to run all of it again or to give up.
   */
  async run(request: OperationRequest): Promise<OperationAnswer> {
    const answer = blankAnswer(request)
    try {
      await this.#spend(request.caller, answer)
    } catch (error) {
      this.refuse(error, answer)
      return answer
    }
    return this.runUnmetered(request, answer)
  }

  /** As `run`, without spending from the caller's budget. */
  async runUnmetered(request: OperationRequest, answer = blankAnswer(request)): Promise<OperationAnswer> {
    try {
      const route = this.#router.find(request.method, request.path)
      answer.operationId = route.operation.id
      requireRole(route.operation, request.caller)
      const query = parseQuery(request.query, route.operation.query)
      const expansion = route.operation.expandable
        ? parseExpand(request.query, route.operation.noun, this.presenter.findNoun)
        : NOTHING
      const work: Work = { request, route, query: query.values, expansion }
      const { ignored = [], ...performed } = route.operation.writes
        ? await this.#write(work, answer)
        : await this.#read(work)
      Object.assign(answer, performed, { ignored: [...query.ignored, ...ignored] })
    } catch (error) {
      if (error instanceof TransactionLostError && request.scope) throw error
      this.refuse(error, answer)
    }
    return answer
  }

  /** Spends one request of a caller's budget, as a call of an operation does. */
  spend(caller: Caller): Promise<Spent> {
    return spend(this.#parts.takeToken, caller, this.#parts.ratePolicy)
  }

  /** Writes an error into an answer: a refusal as it is, anything else as a 500 that names the request. */
  refuse(error: unknown, answer: Pick<OperationAnswer, 'status' | 'headers' | 'body'>): void {
    const refusal = error instanceof ApiError ? error : this.#unexpected(error, answer.headers['Request-Id']!)
    answer.status = refusal.status
    answer.body = refusal.body(errorDocsUrl(this.#parts.publicUrl))
    Object.assign(answer.headers, refusal.headers)
  }

  async #spend(caller: Caller, answer: OperationAnswer): Promise<void> {
    const spent = await this.spend(caller)
    Object.assign(answer.headers, spent.headers)
    if (!spent.allowed)
      throw new ApiError('rate_limit_exceeded', `Too many requests. Try again in ${spent.headers['Retry-After']} s.`)
  }

  async #read(work: Work): Promise<Performed> {
    return this.#perform(work, (work.request.scope ?? this.#parts.database).read, new Outbox([]))
  }

  async #write(work: Work, answer: OperationAnswer): Promise<Performed> {
    const scope = work.request.scope ?? this.#parts.database
    const { idempotencyKey: key, caller } = work.request
    if (key === undefined)
      return transact(scope, { account: caller.accountId }, (unit) =>
        this.#perform(work, unit.db, new Outbox(work.route.operation.emits)),
      )
    const idempotent = new IdempotentRequest(work.request, key)
    const replayed = await idempotent.claim(scope, new Date())
    if (replayed) answer.headers['Idempotent-Replayed'] = 'true'
    return replayed ?? (await this.#writeOnce(work, scope, idempotent))
  }

  /** The effect and its stored answer are one transaction; a refusal is stored too, without its effect. */
  async #writeOnce(work: Work, scope: Scope<Tables>, idempotent: IdempotentRequest): Promise<Performed> {
    try {
      return await transact(scope, { account: work.request.caller.accountId }, async (unit) => {
        const perform = () => this.#perform(work, unit.db, new Outbox(work.route.operation.emits))
        const stored = await unit.savepoint(perform).catch((error: unknown) => {
          if (error instanceof ApiError)
            return { status: error.status, body: error.body(errorDocsUrl(this.#parts.publicUrl)) }
          throw error
        })
        await idempotent.store(unit.db, stored)
        return stored
      })
    } catch (error) {
      await idempotent.release(scope)
      throw error
    }
  }

  /** The rule itself: find what the path names, parse the body, run, show, and write the events. */
  async #perform({ request, route, query, expansion }: Work, db: Context['db'], outbox: Outbox): Promise<Performed> {
    const { operation, address } = route
    const context = this.#context(request.caller, db, outbox)
    const target = operation.addressed ? await findRow(context, operation.noun, address!) : null
    if (target === undefined) throw missingResource(operation.noun.name)
    const input =
      operation.body &&
      parseBody(request.body, { fields: operation.body, mode: operation.bodyMode, wrapper: operation.noun.name })
    const result = await operation.run(context, { target, input: input?.values ?? {}, query })
    const body = await this.#show(context, operation, result, expansion)
    const reusable = result.kind === 'one' && Object.keys(expansion).length === 0
    await outbox.write(context, this.presenter, reusable ? { row: result.row, shown: body as never } : undefined)
    return {
      status: (result.kind === 'one' && result.status) || operation.status,
      body,
      ...(input && { ignored: input.ignored }),
    }
  }

  async #show(
    context: Context,
    { noun, path }: Operation<Context>,
    result: Result,
    expansion: Expansion,
  ): Promise<Record<string, unknown>> {
    if (result.kind === 'deleted') return { id: result.id, object: noun.name, deleted: true }
    if (result.kind === 'one') return this.presenter.presentOne(context, noun, result.row as { id: string }, expansion)
    const data = await this.presenter.present(context, noun, result.rows as { id: string }[], expansion)
    return { object: 'list', data, has_more: result.hasMore, url: `/v1${path}` }
  }

  #context(caller: Caller, db: Context['db'], outbox: Outbox): Context {
    return {
      accountId: caller.accountId,
      caller,
      db,
      now: currentTimestamp(),
      publicUrl: this.#parts.publicUrl,
      emit: outbox.emit,
    }
  }

  #unexpected(error: unknown, requestId: string): ApiError {
    if (error instanceof ConflictError) {
      return new ApiError('overloaded', 'Too many requests change the same things right now.', {
        headers: { 'Retry-After': '1' },
      })
    }
    this.#parts.log.error({ err: error, requestId }, 'An operation failed unexpectedly')
    return new ApiError(
      'internal_error',
      `Something went wrong on our side. Please try again; if it stays, report the request ${requestId}.`,
    )
  }
}

/** What an operation came to; `ignored` are names of the body that no field has. */
type Performed = StoredAnswer & { ignored?: string[] }

interface Work {
  request: OperationRequest
  route: Route
  query: Record<string, unknown>
  expansion: Expansion
}

function blankAnswer({ requestId = newRequestId() }: OperationRequest): OperationAnswer {
  return { status: 200, headers: { 'Request-Id': requestId }, body: {}, operationId: null, ignored: [] }
}

export function newRequestId(): string {
  return newId('req')
}

function requireRole({ role }: Operation<Context>, caller: Caller): void {
  if (role === null || ROLES.indexOf(caller.role) >= ROLES.indexOf(role)) return
  throw new ApiError(
    'permission_denied',
    `This needs the role ${role} or a higher one; the token’s user is ${caller.role}.`,
  )
}
