import type { AccountClocks } from '../clock/moments.ts'
import type { Caller } from '../contract/declarations/caller.ts'
import type { Consequence } from '../contract/declarations/consequence.ts'
import { invalidParameter, missingResource } from '../contract/declarations/errors.ts'
import { eventType, type Noun } from '../contract/declarations/noun.ts'
import type { OperationDeclaration, Result } from '../contract/declarations/operation.ts'
import { EventTypes } from '../contract/documents/event-types.ts'
import type { ParsedInput } from '../contract/requests/input.ts'
import { inOnePiece } from '../contract/values/values.ts'
import type { Database, Scope, TransactionOptions } from '../database/database.ts'
import { cachingKysely, rowCacheOf } from '../database/row-cache.ts'
import type { JobRow } from '../database/system-tables.ts'
import type { Change } from '../events/change.ts'
import { Outbox } from '../events/outbox.ts'
import type { Context, OutsideContext } from '../records/context.ts'
import { cancelJob, insertJob } from '../records/enqueue.ts'
import type { JobType } from '../records/job.ts'
import { writeLog } from '../records/log.ts'
import { findRow } from '../records/records.ts'
import type { Services } from '../records/services.ts'
import type { Tables } from '../resources/tables.ts'
import type { Expansion } from './expand.ts'
import { readInput, withOtherFaults } from './faults.ts'
import { isLogged, lineOf, logPart } from './log.ts'
import type { Presenter } from './present.ts'
import type { OperationRequest } from './request.ts'
import type { Route } from './route.ts'
import { foresee, hasPostCommitWork, NO_POST_COMMIT_WORK, type PostCommitWork } from './side-effects.ts'
import { transact } from './transact.ts'

export interface ParsedRequest {
  request: OperationRequest
  route: Route
  query: Record<string, unknown>
  expansion: Expansion
  input?: ParsedInput
}

/** The result of an operation's code and the work to start after its commit. */
export interface RuleResult {
  status: number
  body: Record<string, unknown>
  /** Names in the request body that match no declared field. */
  ignored: string[]
  changes: Change[]
  /** The ids of jobs that the response waits for, because it shows their results. */
  awaited: string[]
  left: PostCommitWork
}

/** A transaction's context and the side effects that have been queued in it so far. */
interface OpenContext {
  context: Context
  outbox: Outbox
  awaited: string[]
  jobs: string[]
  /** The lanes (job queues) of the jobs that are due now. */
  lanes: Set<JobRow['lane']>
}

type PartOptions = Pick<TransactionOptions, 'inTurn'> & {
  operation?: string
  /** Receives the post-commit work if the scope commits later. By default, the work is started at once. */
  left?: (left: PostCommitWork) => void
}

interface ApplierParts {
  presenter: Presenter
  clocks: AccountClocks
  publicUrl: string
  services: Services
  jobs: JobType<unknown>[]
  feeFor: Context['feeFor']
  mayRead(caller: Caller, noun: Noun): boolean
  wake(left: PostCommitWork): void
}

/** Applies operations: finds the addressed row, parses the body, runs the operation's code, presents its result and writes the events. */
export class Applier {
  readonly #parts: ApplierParts
  readonly #presenter: Presenter
  readonly #jobs: Map<string, JobType<unknown>>
  readonly #eventTypes: EventTypes

  constructor(parts: ApplierParts) {
    this.#parts = parts
    this.#presenter = parts.presenter
    this.#jobs = new Map(parts.jobs.map((job) => [job.name, job]))
    this.#eventTypes = new EventTypes(parts.presenter.nouns(), parts.presenter.findNoun)
  }

  /** Reads the body before a transaction holds any lock. A missing row is a 404 even if the body is invalid. `db` is only read from. */
  async read(work: ParsedRequest, db: Context['db']): Promise<ParsedRequest> {
    const { operation, address } = work.route
    const { context } = await this.#open(work.request.caller, withQueryCache(db), [])
    try {
      const input = await readInput(work.route.operation, work.request.body, context)
      // `prepare` may do I/O, so it is skipped while the writer lock is held.
      if (!work.request.scope?.holdsWrites)
        await operation.prepare?.(context, input.values).catch(async (error) => {
          throw await withOtherFaults({ operation, context }, input.values, error)
        })
      return { ...work, input }
    } catch (error) {
      if (operation.addressed && !(await findRow(context, operation.noun, address!)))
        throw missingResource(operation.noun.name)
      throw error
    }
  }

  async apply(work: ParsedRequest, db: Context['db']): Promise<RuleResult> {
    const { request, route, query } = work
    const { operation, parameters, address } = route
    const opened = await this.#open(request.caller, db, operation.emits)
    const { context, outbox, awaited } = opened
    if (operation.emits.length > 0) outbox.readAhead(context)
    const target = operation.addressed ? await this.#target(context, operation, address!) : null
    if (target === undefined) throw missingResource(operation.noun.name)
    if (target && operation.emits.includes(eventType(operation.noun, 'updated')))
      await outbox.remember(context, operation.noun, [target])
    const { values, ignored } = work.input ?? (await readInput(work.route.operation, work.request.body, context))
    const call = { target, path: parameters, input: values, query }
    const applied = figuresOf(work, context) ?? operation.apply(context, call)
    const result = await applied.catch(async (error) => {
      throw await withOtherFaults({ operation, context }, values, error)
    })
    const body = await this.#show(context, work.route, result, work.expansion)
    const changes = await outbox.write(context, reusableRow(work, result, body))
    if (isLogged(work)) await writeLog(db, request.caller, lineOf(work, { body, changes, fields: Object.keys(values) }))
    return {
      ...statusAndBody(operation, result, body),
      ignored,
      changes,
      awaited,
      left: postCommitWorkOf(opened),
    }
  }

  /** Runs an operation that does external I/O, without a transaction around it. */
  async applyOutside(work: ParsedRequest, database: Database<Tables>): Promise<RuleResult> {
    const { request, route, query } = work
    const { operation, parameters } = route
    const { context } = await this.#open(request.caller, database.read, [])
    const outside: OutsideContext = {
      ...context,
      transaction: (part) =>
        this.part(database, request.caller, operation.emits, part, {
          inTurn: operation.inTurn,
          operation: operation.id,
        }),
    }
    const { values, ignored } = await readInput(work.route.operation, work.request.body, context)
    const result = await operation.applyOutside!(outside, { target: null, path: parameters, input: values, query })
    const body = await this.#show(context, work.route, result, work.expansion)
    return { ...statusAndBody(operation, result, body), ignored, changes: [], awaited: [], left: NO_POST_COMMIT_WORK }
  }

  /** Runs `work` in a transaction of `scope`, for a part of an external operation, a job or a page, and writes its events. */
  async part<Value>(
    scope: Scope<Tables>,
    caller: Caller,
    emits: readonly string[],
    work: (context: Context) => Promise<Value>,
    options: PartOptions = {},
  ): Promise<Value> {
    return (await this.partWithJobs(scope, caller, emits, work, options)).value
  }

  /** Like `part`, but also returns the ids of the jobs whose results the caller wants to show. */
  async partWithJobs<Value>(
    scope: Scope<Tables>,
    caller: Caller,
    emits: readonly string[],
    work: (context: Context) => Promise<Value>,
    { inTurn, operation, left: heard = this.#parts.wake }: PartOptions = {},
  ): Promise<{ value: Value; awaited: string[] }> {
    const { left, ...done } = await transact(scope, { account: caller.accountId, inTurn }, async ({ db }) => {
      const opened = await this.#open(caller, db, emits)
      const { context, outbox, awaited } = opened
      const value = await work(context)
      const changes = await outbox.write(context)
      await logPart(db, caller, operation, changes)
      return { value, awaited, left: postCommitWorkOf(opened) }
    })
    if (hasPostCommitWork(left)) heard(left)
    return done
  }

  /** Returns the external side effects, such as emails, that an open transaction will have after its commit. */
  foresee(scope: Scope<Tables>, caller: Caller, left: PostCommitWork): Promise<Consequence[]> {
    return this.look(scope, caller, (context) => foresee(context, this.#jobs, left))
  }

  /** Reads data for a page, outside of any transaction. */
  async look<Value>(
    { read }: Scope<Tables>,
    caller: Caller,
    work: (context: Context) => Promise<Value>,
  ): Promise<Value> {
    const { context } = await this.#open(caller, withQueryCache(read), [])
    return work(context)
  }

  async reread({ request, route, expansion }: ParsedRequest, db: Context['db'], id: string) {
    const { context } = await this.#open(request.caller, db, [])
    const row = await findRow(context, route.operation.noun, id)
    return row && this.#presenter.presentOne(context, route.operation.noun, row, expansion)
  }

  /** Finds the addressed row. In a program, also starts the queries that are needed to show it. */
  #target(context: Context, { noun, method }: OperationDeclaration, address: string) {
    const ahead = method !== 'DELETE' && noun.isId(address) && rowCacheOf(context.db)?.ofProgram
    if (ahead) this.#presenter.readAhead(context, noun, address)
    return findRow(context, noun, address)
  }

  async #show(
    context: Context,
    { operation: { noun, path }, parameters }: ParsedRequest['route'],
    result: Result,
    expansion: Expansion,
  ): Promise<Record<string, unknown>> {
    if (result.kind === 'deleted') return { id: result.id, object: noun.name, deleted: true }
    if (result.kind === 'plain') return result.value as Record<string, unknown>
    if (result.kind === 'one') return this.#presenter.presentOne(context, noun, result.row as { id: string }, expansion)
    const data = await this.#presenter.present(context, noun, result.rows as { id: string }[], expansion)
    return { object: 'list', data, has_more: result.hasMore, url: inOnePiece('/v1', filledPath(path, parameters)) }
  }

  async #open(caller: Caller, db: Context['db'], emits: readonly string[]): Promise<OpenContext> {
    const { clocks, publicUrl, services, feeFor } = this.#parts
    const { now, realNow, test } = await clocks.momentsOf(db, caller.accountId)
    const outbox = new Outbox(emits, this.#presenter)
    const awaited: string[] = []
    const jobs: string[] = []
    const lanes = new Set<JobRow['lane']>()
    const context: Context = {
      accountId: caller.accountId,
      caller,
      db,
      now,
      realNow,
      test,
      publicUrl,
      services,
      eventTypes: this.#eventTypes,
      findNoun: this.#presenter.findNoun,
      feeFor,
      mayRead: (noun) => this.#parts.mayRead(caller, noun),
      remember: (noun, rows) => outbox.remember(context, noun, rows),
      emit: outbox.emit,
      enqueue: async (job, payload, options = {}) => {
        const lane = this.#jobs.get(job.name)?.lane ?? 'outside'
        const id = await insertJob(context, { name: job.name, lane }, payload, options)
        jobs.push(id)
        if (options.runAt === undefined || options.runAt <= now || options.runAt <= realNow) lanes.add(lane)
        if (options.awaited) awaited.push(id)
        return id
      },
      cancel: (jobId) => cancelJob(context, jobId),
    }
    return { context, outbox, awaited, jobs, lanes }
  }
}

/** Adds a query cache, unless `db` is a program's transaction, which already has one. */
function withQueryCache(db: Context['db']): Context['db'] {
  return rowCacheOf(db) ? db : cachingKysely(db)
}

/** Returns the aggregate of a list's rows, such as their count; undefined if the request asks for the rows. */
function figuresOf(
  { request: { aggregate: asked }, route: { operation }, query, expansion }: ParsedRequest,
  context: Context,
): Promise<Result> | undefined {
  if (!asked || !operation.aggregate) return undefined
  const expanded = asked.by.find((name) => Object.hasOwn(expansion, name))
  if (expanded)
    throw invalidParameter('expand', `makes objects of "${expanded}"; group_by takes the ids, without expand`)
  return operation
    .aggregate(context, query, asked)
    .then((groups) => ({ kind: 'plain', value: { object: 'aggregate', groups } }))
}

function postCommitWorkOf({ outbox, jobs, lanes }: OpenContext): PostCommitWork {
  const { deliveries } = outbox
  // The outbox does not know the lanes of its jobs. Without lanes here, the worker checks all of them.
  if (outbox.jobs.length > 0) return { jobs: [...jobs, ...outbox.jobs], deliveries }
  return { jobs, lanes, deliveries }
}

/** Returns the row as the response shows it, for reuse in the operation's event; undefined if it has expansions. */
function reusableRow({ expansion }: ParsedRequest, result: Result, body: Record<string, unknown>) {
  if (result.kind !== 'one' || Object.keys(expansion).length > 0 || typeof body.id !== 'string') return undefined
  return { row: result.row, shown: { ...body, id: body.id } }
}

function statusAndBody({ status }: OperationDeclaration, result: Result, body: Record<string, unknown>) {
  return { status: (result.kind === 'one' && result.status) || status, body }
}

function filledPath(path: string, parameters: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name]!))
}
