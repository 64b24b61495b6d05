import type { Caller } from '../contract/caller.ts'
import { missingResource } from '../contract/errors.ts'
import { EventTypes } from '../contract/event-types.ts'
import { type ParsedInput, parseBody } from '../contract/input.ts'
import { eventType } from '../contract/noun.ts'
import type { OperationDeclaration, Result } from '../contract/operation.ts'
import { currentTimestamp, inOnePiece } from '../contract/values.ts'
import type { Database, Scope } from '../database/database.ts'
import type { Change } from '../events/change.ts'
import { Outbox } from '../events/outbox.ts'
import type { Context, OutsideContext } from '../records/context.ts'
import { insertJob } from '../records/enqueue.ts'
import { findRow } from '../records/records.ts'
import type { Services } from '../records/services.ts'
import type { Tables } from '../resources/tables.ts'
import type { Expansion } from './expand.ts'
import type { Presenter } from './present.ts'
import type { OperationRequest } from './request.ts'
import type { Route } from './route.ts'
import { transact } from './transact.ts'

/** A request that was read: all that its rule needs. */
export interface Work {
  request: OperationRequest
  route: Route
  query: Record<string, unknown>
  expansion: Expansion
  /** The body as its operation declares it, once it was read. */
  input?: ParsedInput
}

/** What came of a rule, in its transaction. */
export interface Applied {
  status: number
  body: Record<string, unknown>
  /** Names of the body that no field has. */
  ignored: string[]
  changes: Change[]
  /** Jobs whose result the answer waits for. */
  awaited: string[]
  /** Jobs or deliveries were written, which those who carry them out should hear of after the commit. */
  enqueued: boolean
}

interface ApplierParts {
  presenter: Presenter
  publicUrl: string
  services: Services
  /** Those who work after a commit should look for what it left. */
  wake(): void
}

/** One transaction's context, and what its rule left in it. */
interface Opened {
  context: Context
  outbox: Outbox
  awaited: string[]
  jobs: string[]
}

/** Applies rules: finds what the path names, parses the body, applies the rule, shows its result and writes the events. */
export class Applier {
  readonly #parts: ApplierParts
  readonly #presenter: Presenter
  readonly #eventTypes: EventTypes

  constructor(parts: ApplierParts) {
    this.#parts = parts
    this.#presenter = parts.presenter
    this.#eventTypes = new EventTypes(parts.presenter.nouns(), parts.presenter.findNoun)
  }

  /**
   * Reads the body while no transaction is open, so that nobody waits for it. What the path names comes first all the same: a
   * wrong body for what does not exist is a 404. `db` only reads.
   */
  async read(work: Work, db: Context['db']): Promise<Work> {
    const { operation, address } = work.route
    const { context } = this.#open(work.request.caller, db, [])
    try {
      const input = readInput(work)
      // Nobody should wait for a writer that waits for something outside.
      if (!work.request.scope?.holdsWrites) await operation.prepare?.(context, input.values)
      return { ...work, input }
    } catch (error) {
      if (operation.addressed && !(await findRow(context, operation.noun, address!)))
        throw missingResource(operation.noun.name)
      throw error
    }
  }

  /** One operation inside an open transaction, or on a connection that only reads. */
  async apply(work: Work, db: Context['db']): Promise<Applied> {
    const { request, route, query } = work
    const { operation, parameters, address } = route
    const opened = this.#open(request.caller, db, operation.emits)
    const { context, outbox, awaited, jobs } = opened
    const target = operation.addressed ? await findRow(context, operation.noun, address!) : null
    if (target === undefined) throw missingResource(operation.noun.name)
    if (target && operation.emits.includes(eventType(operation.noun, 'updated')))
      await outbox.remember(context, operation.noun, [target])
    const { values, ignored } = work.input ?? readInput(work)
    const result = await operation.apply(context, { target, path: parameters, input: values, query })
    const body = await this.#show(context, operation, result, work.expansion)
    const changes = await outbox.write(context, reusable(work, result, body))
    return {
      ...statusAndBody(operation, result, body),
      ignored,
      changes,
      awaited,
      enqueued: jobs.length > 0 || outbox.delivers,
    }
  }

  /** One operation that works outside: no transaction is open around it. */
  async applyOutside(work: Work, database: Database<Tables>): Promise<Applied> {
    const { request, route, query } = work
    const { operation, parameters } = route
    const { context } = this.#open(request.caller, database.read, [])
    const place: OutsideContext = {
      ...context,
      transaction: (part) => this.part(database, request.caller, operation.emits, part),
    }
    const { values, ignored } = readInput(work)
    const result = await operation.applyOutside!(place, { target: null, path: parameters, input: values, query })
    const body = await this.#show(context, operation, result, work.expansion)
    return { ...statusAndBody(operation, result, body), ignored, changes: [], awaited: [], enqueued: false }
  }

  /** A transaction of an outside operation or of a job, with its events. */
  async part<Value>(
    scope: Scope<Tables>,
    caller: Caller,
    emits: readonly string[],
    work: (context: Context) => Promise<Value>,
  ): Promise<Value> {
    let left = false
    const value = await transact(scope, { account: caller.accountId }, async ({ db }) => {
      const { context, outbox, jobs } = this.#open(caller, db, emits)
      const result = await work(context)
      await outbox.write(context)
      left = outbox.delivers || jobs.length > 0
      return result
    })
    if (left) this.#parts.wake()
    return value
  }

  /** The row of an answer as it is now. */
  async reread({ request, route, expansion }: Work, db: Context['db'], id: string) {
    const { context } = this.#open(request.caller, db, [])
    const row = await findRow(context, route.operation.noun, id)
    return row && this.#presenter.presentOne(context, route.operation.noun, row, expansion)
  }

  async #show(
    context: Context,
    { noun, path }: OperationDeclaration,
    result: Result,
    expansion: Expansion,
  ): Promise<Record<string, unknown>> {
    if (result.kind === 'deleted') return { id: result.id, object: noun.name, deleted: true }
    if (result.kind === 'plain') return result.value as Record<string, unknown>
    if (result.kind === 'one') return this.#presenter.presentOne(context, noun, result.row as { id: string }, expansion)
    const data = await this.#presenter.present(context, noun, result.rows as { id: string }[], expansion)
    return { object: 'list', data, has_more: result.hasMore, url: inOnePiece('/v1', path) }
  }

  #open(caller: Caller, db: Context['db'], emits: readonly string[]): Opened {
    const outbox = new Outbox(emits, this.#presenter)
    const awaited: string[] = []
    const jobs: string[] = []
    const context: Context = {
      accountId: caller.accountId,
      caller,
      db,
      now: currentTimestamp(),
      publicUrl: this.#parts.publicUrl,
      services: this.#parts.services,
      eventTypes: this.#eventTypes,
      remember: (noun, rows) => outbox.remember(context, noun, rows),
      emit: outbox.emit,
      async enqueue(job, payload, options = {}) {
        const id = await insertJob(context, job, payload, options)
        jobs.push(id)
        if (options.awaited) awaited.push(id)
        return id
      },
    }
    return { context, outbox, awaited, jobs }
  }
}

function readInput({ request, route: { operation } }: Work): ParsedInput {
  if (!operation.body) return { values: {}, ignored: [] }
  return parseBody(request.body, { fields: operation.body, mode: operation.bodyMode, wrapper: operation.noun.name })
}

/** A row that was answered without expansions is what its event shows too. */
function reusable({ expansion }: Work, result: Result, body: Record<string, unknown>) {
  if (result.kind !== 'one' || Object.keys(expansion).length > 0 || typeof body.id !== 'string') return undefined
  return { row: result.row, shown: { ...body, id: body.id } }
}

function statusAndBody({ status }: OperationDeclaration, result: Result, body: Record<string, unknown>) {
  return { status: (result.kind === 'one' && result.status) || status, body }
}
