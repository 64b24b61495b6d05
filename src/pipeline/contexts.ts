import type { AccountClocks } from '../clock/moments.ts'
import type { Caller } from '../contract/declarations/caller.ts'
import type { Consequence } from '../contract/declarations/consequence.ts'
import type { Noun } from '../contract/declarations/noun.ts'
import { EventTypes } from '../contract/documents/event-types.ts'
import type { Scope, TransactionOptions } from '../database/database.ts'
import { cachingKysely, rowCacheOf } from '../database/row-cache.ts'
import type { JobRow } from '../database/system-tables.ts'
import { Outbox } from '../events/outbox.ts'
import type { Context } from '../records/context.ts'
import { cancelJob, insertJob } from '../records/enqueue.ts'
import type { JobType } from '../records/job.ts'
import type { Services } from '../records/services.ts'
import type { Tables } from '../resources/tables.ts'
import { logPart } from './log.ts'
import type { Presenter } from './present.ts'
import { foresee, hasPostCommitWork, type PostCommitWork } from './side-effects.ts'
import { transact } from './transact.ts'
/** A transaction's context and the side effects that have been queued in it so far. */
export interface OpenContext {
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

interface ContextParts {
  presenter: Presenter
  clocks: AccountClocks
  publicUrl: string
  services: Services
  jobs: JobType<unknown>[]
  feeFor: Context['feeFor']
  mayRead(caller: Caller, noun: Noun): boolean
  wake(left: PostCommitWork): void
}

/** Opens the contexts in which operations, jobs and pages read and write. */
export class Contexts {
  readonly #parts: ContextParts
  readonly #presenter: Presenter
  readonly #jobs: Map<string, JobType<unknown>>
  readonly #eventTypes: EventTypes

  constructor(parts: ContextParts) {
    this.#parts = parts
    this.#presenter = parts.presenter
    this.#jobs = new Map(parts.jobs.map((job) => [job.name, job]))
    this.#eventTypes = new EventTypes(parts.presenter.nouns(), parts.presenter.findNoun)
  }

  /** Opens a context. The caller writes its events and starts its jobs. */
  async open(caller: Caller, db: Context['db'], emits: readonly string[]): Promise<OpenContext> {
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
      const opened = await this.open(caller, db, emits)
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
    const { context } = await this.open(caller, withQueryCache(read), [])
    return work(context)
  }
}

/** Adds a query cache, unless `db` is a program's transaction, which already has one. */
export function withQueryCache(db: Context['db']): Context['db'] {
  return rowCacheOf(db) ? db : cachingKysely(db)
}

export function postCommitWorkOf({ outbox, jobs, lanes }: OpenContext): PostCommitWork {
  const { deliveries } = outbox
  // The outbox does not know the lanes of its jobs. Without lanes here, the worker checks all of them.
  if (outbox.jobs.length > 0) return { jobs: [...jobs, ...outbox.jobs], deliveries }
  return { jobs, lanes, deliveries }
}
