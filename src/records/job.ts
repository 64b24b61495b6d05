import type { Consequence } from '../contract/declarations/consequence.ts'
import type { TransactionOptions } from '../database/database.ts'
import type { JobRow } from '../database/system-tables.ts'
import type { Context, Enqueueable } from './context.ts'
import type { Services } from './services.ts'

/** Work that runs after the commit of the transaction that enqueues it, or later. It is declared next to the code that enqueues it. */
export interface JobType<Payload> extends Enqueueable<Payload> {
  /** `due` is a job of one transaction (`dueJob`); `outside` is a job that may also do slow I/O outside the service (`job`). */
  readonly lane: JobRow['lane']
  emits: readonly string[]
  /** The time after which an attempt is given up and another may start. */
  timeoutMs: number
  attempts: number
  /**
   * Lists the irreversible effects of jobs with these payloads: money that moves, e-mails, posts. Absent if there are none. Called in the
   * transaction that enqueues the jobs, and only reads.
   */
  foresee?(context: Context, payloads: Payload[]): Promise<Consequence[]>
  /** If it rejects, another attempt follows after a growing delay. */
  work(job: JobContext, payload: Payload): Promise<void>
  /** Reads the data of several jobs in one round trip. Such jobs may share one transaction; after a failure each has its own. */
  readAhead?(context: Context, payloads: Payload[]): Promise<unknown>
}

/** The context of a running job: no transaction is open, but the job can run its own. */
export interface JobContext {
  /** The job's id, which is the same for every attempt; providers receive it as an idempotency key. */
  readonly jobId: string
  readonly accountId: string
  /** Counted from 1. */
  readonly attempt: number
  /** Aborts when the attempt times out or the service stops. */
  readonly signal: AbortSignal
  readonly services: Services
  warn(details: object, message: string): void
  read<Result>(work: (context: Context) => Promise<Result>): Promise<Result>
  /** Runs a transaction, such as one that settles a provider's result. `inTurn` is needed if money moves. */
  transaction<Result>(
    work: (context: Context) => Promise<Result>,
    options?: Pick<TransactionOptions, 'inTurn'>,
  ): Promise<Result>
  /**
   * Runs the job's last transaction, which also marks the job as done, so that its effect happens once despite crashes and other workers.
   * Does nothing if the job was canceled or another worker has taken it over.
   */
  finish(work: (context: Context) => Promise<void>): Promise<void>
}

/** Thrown to repeat a job at a given time, for example when a provider asks for that; the attempt does not count as a failure. */
export class AskAgainError extends Error {
  /** The time of the next attempt, in milliseconds since 1970. */
  readonly at: number
  /** Whether the usual limit on how long a job may be postponed does not apply. */
  readonly withoutLimit: boolean

  constructor(message: string, at: number, { withoutLimit = false } = {}) {
    super(message)
    this.at = at
    this.withoutLimit = withoutLimit
  }
}

const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_ATTEMPTS = 10

type JobDeclaration<Payload> = Pick<JobType<Payload>, 'work'> &
  Partial<Pick<JobType<Payload>, 'emits' | 'timeoutMs' | 'attempts' | 'foresee' | 'readAhead'>>

/** Declares a kind of job that does I/O outside the service. Its payload is stored as JSON. */
export function job<Payload>(name: string, declaration: JobDeclaration<Payload>): JobType<Payload> {
  const defaults = { emits: [], timeoutMs: DEFAULT_TIMEOUT_MS, attempts: DEFAULT_ATTEMPTS }
  return { name, lane: 'outside', ...defaults, ...declaration }
}

interface DueJobDeclaration<Payload>
  extends Partial<Pick<JobType<Payload>, 'emits' | 'attempts' | 'foresee' | 'readAhead'>> {
  work(context: Context, payload: Payload): Promise<void>
}

/**
 * Declares a job that is one transaction at a given time, such as a renewal or an expiry. The effect of `work` and the mark that the job
 * is done are committed together, so that the effect happens once. `work` does no I/O outside the service and may be rerun after a
 * conflict. It must first check whether its effect is still wanted, because data may have changed since the job was enqueued.
 */
export function dueJob<Payload>(name: string, { work, ...more }: DueJobDeclaration<Payload>): JobType<Payload> {
  const outside = job<Payload>(name, {
    ...more,
    work: (job, payload) => job.finish((context) => work(context, payload)),
  })
  return { ...outside, lane: 'due' }
}
