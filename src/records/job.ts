import type { Consequence } from '../contract/declarations/consequence.ts'
import type { TransactionOptions } from '../database/database.ts'
import type { JobRow } from '../database/system-tables.ts'
import type { Context, Enqueueable } from './context.ts'
import type { Services } from './services.ts'

/** Work that happens later or outside: declared beside the rules that enqueue it, carried out by the worker after the commit. */
export interface JobType<Payload> extends Enqueueable<Payload> {
  /** `due`: one transaction (`dueJob`). `outside`: it may also take its time outside (`job`). */
  readonly lane: JobRow['lane']
  /** Event types that its transactions may emit. */
  emits: readonly string[]
  /** Milliseconds until an attempt is given up and another may begin. */
  timeoutMs: number
  /** Tries before the job counts as failed. */
  attempts: number
  /**
   * What jobs with these payloads do outside that cannot be taken back, as the open transaction is that enqueues them: money that
   * moves, letters, posts. Absent where they do nothing of the kind. It only reads, and knows no more than is known by then.
   */
  foresee?(context: Context, payloads: Payload[]): Promise<Consequence[]>
  /** Carries it out. A rejection makes another attempt, later and later. */
  work(place: JobPlace, payload: Payload): Promise<void>
  /**
   * Reads what the work of several jobs asks for, so that they wait for it once. Jobs that have it, of one account, are carried out in one
   * transaction where that is quicker; it is one transaction for each after a failure.
   */
  readAhead?(context: Context, payloads: Payload[]): Promise<unknown>
}

/** Where a job is carried out: outside every transaction, with transactions of its own. */
export interface JobPlace {
  /** The job's own id, the same at every attempt: what providers take as idempotency key. */
  readonly jobId: string
  readonly accountId: string
  /** From 1. */
  readonly attempt: number
  /** Aborted when the attempt has run out of time or the service stops. */
  readonly signal: AbortSignal
  readonly services: Services
  /** Writes a line into the log about what its operator should know. */
  warn(details: object, message: string): void
  /** Reads outside of every transaction. */
  read<Result>(work: (context: Context) => Promise<Result>): Promise<Result>
  /** A transaction of the job, such as the one that settles what came of a provider's call; `inTurn` where money moves. */
  transaction<Result>(
    work: (context: Context) => Promise<Result>,
    options?: Pick<TransactionOptions, 'inTurn'>,
  ): Promise<Result>
  /**
   * The job's last transaction, which also marks the job done: whatever crashes, and however many workers have the job, its
   * effect happens once. Does nothing when the job was canceled or is another worker's by now.
   */
  finish(work: (context: Context) => Promise<void>): Promise<void>
}

/** Whoever was asked wants to be asked again later: the job waits until then, and the attempt does not count as a failure. */
export class AskAgainError extends Error {
  override name = 'AskAgainError'
  /** Milliseconds since 1970. */
  readonly at: number
  /** It waits however long that takes. */
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

/** Declares a kind of job that works outside. The payload is stored as JSON. */
export function job<Payload>(name: string, declaration: JobDeclaration<Payload>): JobType<Payload> {
  const defaults = { emits: [], timeoutMs: DEFAULT_TIMEOUT_MS, attempts: DEFAULT_ATTEMPTS }
  return { name, lane: 'outside', ...defaults, ...declaration }
}

interface DueJobDeclaration<Payload>
  extends Partial<Pick<JobType<Payload>, 'emits' | 'attempts' | 'foresee' | 'readAhead'>> {
  work(context: Context, payload: Payload): Promise<void>
}

/**
 * Declares what falls due at a moment and is one transaction, such as a renewal or an expiry: `work` and the job's being done
 * are committed together, so that the effect happens once. Like every rule, `work` does nothing outside, and may be run again
 * after a conflict. By the time it runs things may have changed: it looks at them first.
 */
export function dueJob<Payload>(name: string, { work, ...more }: DueJobDeclaration<Payload>): JobType<Payload> {
  const outside = job<Payload>(name, {
    ...more,
    work: (place, payload) => place.finish((context) => work(context, payload)),
  })
  return { ...outside, lane: 'due' }
}
