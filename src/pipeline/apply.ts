import { invalidParameter, missingResource } from '../contract/declarations/errors.ts'
import { eventType } from '../contract/declarations/noun.ts'
import type { OperationDeclaration, Result } from '../contract/declarations/operation.ts'
import type { ParsedInput } from '../contract/requests/input.ts'
import { inOnePiece } from '../contract/values/values.ts'
import type { Database } from '../database/database.ts'
import { rowCacheOf } from '../database/row-cache.ts'
import type { Change } from '../events/change.ts'
import type { Context, OutsideContext } from '../records/context.ts'
import { writeLog } from '../records/log.ts'
import { findRow } from '../records/records.ts'
import type { Tables } from '../resources/tables.ts'
import { type Contexts, postCommitWorkOf, withQueryCache } from './contexts.ts'
import type { Expansion } from './expand.ts'
import { readInput, withOtherFaults } from './faults.ts'
import { isLogged, lineOf } from './log.ts'
import type { Presenter } from './present.ts'
import type { OperationRequest } from './request.ts'
import type { Route } from './route.ts'
import { NO_POST_COMMIT_WORK, type PostCommitWork } from './side-effects.ts'

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

/** Applies operations: finds the addressed row, parses the body, runs the operation's code, presents its result and writes the events. */
export class Applier {
  readonly #contexts: Contexts
  readonly #presenter: Presenter

  constructor(contexts: Contexts, presenter: Presenter) {
    this.#contexts = contexts
    this.#presenter = presenter
  }

  /** Reads the body before a transaction holds any lock. A missing row is a 404 even if the body is invalid. `db` is only read from. */
  async read(work: ParsedRequest, db: Context['db']): Promise<ParsedRequest> {
    const { operation, address } = work.route
    const { context } = await this.#contexts.open(work.request.caller, withQueryCache(db), [])
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
    const opened = await this.#contexts.open(request.caller, db, operation.emits)
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
    const { context } = await this.#contexts.open(request.caller, database.read, [])
    const outside: OutsideContext = {
      ...context,
      transaction: (part) =>
        this.#contexts.part(database, request.caller, operation.emits, part, {
          inTurn: operation.inTurn,
          operation: operation.id,
        }),
    }
    const { values, ignored } = await readInput(work.route.operation, work.request.body, context)
    const result = await operation.applyOutside!(outside, { target: null, path: parameters, input: values, query })
    const body = await this.#show(context, work.route, result, work.expansion)
    return { ...statusAndBody(operation, result, body), ignored, changes: [], awaited: [], left: NO_POST_COMMIT_WORK }
  }

  async reread({ request, route, expansion }: ParsedRequest, db: Context['db'], id: string) {
    const { context } = await this.#contexts.open(request.caller, db, [])
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
}

/** Returns the aggregate of a list's rows, such as their count; undefined if the request asks for the rows. */
function figuresOf(
  { request: { program }, route: { operation }, query, expansion }: ParsedRequest,
  context: Context,
): Promise<Result> | undefined {
  const asked = program?.aggregate
  if (!asked || !operation.aggregate) return undefined
  const expanded = asked.by.find((name) => Object.hasOwn(expansion, name))
  if (expanded)
    throw invalidParameter('expand', `makes objects of "${expanded}"; group_by takes the ids, without expand`)
  return operation
    .aggregate(context, query, asked)
    .then((groups) => ({ kind: 'plain', value: { object: 'aggregate', groups } }))
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
