import type { Kysely } from 'kysely'
import type { Caller, RunOrigin } from '../contract/declarations/caller.ts'
import type { EventOf, Noun } from '../contract/declarations/noun.ts'
import type { EventTypes } from '../contract/documents/event-types.ts'
import type { FindNoun } from '../contract/documents/schemas.ts'
import type { Tables } from '../resources/tables.ts'
import type { Services } from './services.ts'

/** A kind of job, as seen by the rules that enqueue it: its name and the type of its payload. */
export interface Enqueueable<Payload> {
  /** Unique, and stored with each job: renaming it strands jobs that are already enqueued. */
  readonly name: string
  /** For type inference only; never set. */
  readonly payload?: Payload
}

export interface EnqueueOptions {
  /** The earliest time of the first attempt by the account's clock, ISO 8601 in UTC; now if absent. */
  runAt?: string
  /** Waits in real time even in a test account, whose clock can differ: for work that depends on the outside world. */
  inRealTime?: boolean
  /** The response contains the job's result: the caller waits for it after the commit, up to 10 seconds. */
  awaited?: boolean
  /** The task run that the job comes from, if it is not the caller's. */
  origin?: RunOrigin
}

/** The context of a rule. Every query of a rule filters by `accountId`. */
export interface Context {
  readonly accountId: string
  readonly caller: Caller
  readonly db: Kysely<Tables>
  /** The time of the request by the account's clock, formatted as in responses: for all dates of the shop's business. */
  readonly now: string
  /** The time by the system's clock, for what the outside world or the service itself measures. Equals `now` unless `test`. */
  readonly realNow: string
  /** Whether this is a test account, which has its own clock and takes no real money. */
  readonly test: boolean
  /** The public base URL of this service, without a trailing slash. */
  readonly publicUrl: string
  readonly services: Services
  /** The event types that webhook endpoints can subscribe to. */
  readonly eventTypes: EventTypes
  /** The declaration of a resource, by its name. */
  readonly findNoun: FindNoun
  /** Whether the caller may read the rows of a resource; the search over everything skips those it may not read. */
  mayRead(noun: Noun): boolean
  /**
   * Takes a snapshot of rows before the rule changes them, so that their `updated` events can list the changes. The row named by the
   * operation's path is remembered already.
   */
  remember(noun: Noun, rows: readonly { id: string }[]): Promise<void>
  /**
   * Writes an event of this change in the same transaction. `updated` needs a remembered row and is skipped if nothing differs; `deleted`
   * carries the confirmation instead of the resource.
   */
  emit<N extends Noun>(noun: N, event: EventOf<N>, row: { id: string }): void
  /** Enqueues a job in the same transaction, to start after the commit. Returns its id, which providers get as idempotency key. */
  enqueue<Payload>(job: Enqueueable<Payload>, payload: Payload, options?: EnqueueOptions): Promise<string>
  /** Cancels a job that has not begun; a due job (`dueJob`) can be canceled until it is done. */
  cancel(jobId: string): Promise<void>
}

/** The context of a rule that does I/O outside the service, so no transaction is open around it. */
export interface OutsideContext extends Omit<Context, 'remember' | 'emit' | 'enqueue' | 'cancel'> {
  /** Runs the part of the rule that writes, in a transaction of its own. */
  transaction<Result>(work: (context: Context) => Promise<Result>): Promise<Result>
}
