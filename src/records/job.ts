import type { Consequence } from '../contract/declarations/consequence.ts'
import type { TransactionOptions } from '../database/database.ts'
import type { JobRow } from '../database/system-tables.ts'
import type { Context, Enqueueable } from './context.ts'
import type { Services } from './services.ts'

/** Work that runs outside the transaction or later. It is declared next to the code that enqueues it; the worker runs it after the commit. */
export interface JobType<Payload> extends Enqueueable<Payload> {
  /** `due`: one transaction (`dueJob`). `outside`: may also do slow I/O outside (`job`). */
  readonly lane: JobRow['lane']
  /** Event types that its transactions may emit. */
  emits: readonly string[]
  /** Milliseconds after which an attempt is given up and another may begin. */
  timeoutMs: number
  /** The maximum number of attempts before the job counts as failed. */
  attempts: number
  /**
   * Lists the irreversible effects that jobs with these payloads will have outside: money that moves, e-mails, posts. Absent if they have
   * none. Called in the open transaction that enqueues the jobs; it only reads.
   */
  foresee?(context: Context, payloads: Payload[]): Promise<Consequence[]>
  /** Runs the job. A rejection leads to another attempt after a growing delay. */
  work(place: JobPlace, payload: Payload): Promise<void>
  /**
   * Reads ahead what the work of several jobs needs, in one round trip. Jobs of one account that have this may share a transaction where
   * that is faster; after a failure each gets its own.
   */
  readAhead?(context: Context, payloads: Payload[]): Promise<unknown>
}

/** The context of a running job: no transaction is open, but it can run its own. */
export interface JobPlace {
  /** The job's id, the same at every attempt; providers receive it as idempotency key. */
  readonly jobId: string
  readonly accountId: string
  /** From 1. */
  readonly attempt: number
  /** Aborted when the attempt times out or the service stops. */
  readonly signal: AbortSignal
  readonly services: Services
  /** Logs a warning for the service's operator. */
  warn(details: object, message: string): void
  /** Reads without a transaction. */
  read<Result>(work: (context: Context) => Promise<Result>): Promise<Result>
  /** Runs a transaction of the job, such as one that settles a provider's result; `inTurn` if money moves. */
  transaction<Result>(
    work: (context: Context) => Promise<Result>,
    options?: Pick<TransactionOptions, 'inTurn'>,
  ): Promise<Result>
  /**
   * Runs the job's last transaction, which also marks the job done, so its effect happens once despite crashes and other workers. Does
   * nothing if the job was canceled or another worker has taken it over.
   */
  finish(work: (context: Context) => Promise<void>): Promise<void>
}

/** Thrown when a provider asks to be called again later: the job waits until then, and the attempt does not count as a failure. */
export class AskAgainError extends Error {
  override name = 'AskAgainError'
  /** Milliseconds since 1970. */
  readonly at: number
  /** Waits without the limit on how long a job may be put off. */
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

/** Declares a kind of job that does I/O outside. The payload is stored as JSON. */
export function job<Payload>(name: string, declaration: JobDeclaration<Payload>): JobType<Payload> {
  const defaults = { emits: [], timeoutMs: DEFAULT_TIMEOUT_MS, attempts: DEFAULT_ATTEMPTS }
  return { name, lane: 'outside', ...defaults, ...declaration }
}

interface DueJobDeclaration<Payload>
  extends Partial<Pick<JobType<Payload>, 'emits' | 'attempts' | 'foresee' | 'readAhead'>> {
  work(context: Context, payload: Payload): Promise<void>
}

/**
 * Declares a job that is one transaction at a given time, such as a renewal or an expiry. The effect of `work` and the mark that the job is
 * done are committed together, so that the effect happens once. Like every rule, `work` does no I/O outside and may be rerun after a
 * conflict. Things may have changed since the job was enqueued, so it checks them first.
 */
export function dueJob<Payload>(name: string, { work, ...more }: DueJobDeclaration<Payload>): JobType<Payload> {
  const outside = job<Payload>(name, {
    ...more,
    work: (place, payload) => place.finish((context) => work(context, payload)),
  })
  return { ...outside, lane: 'due' }
}
