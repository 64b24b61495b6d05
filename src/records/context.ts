import type { Kysely } from 'kysely'
import type { Caller, RunOrigin } from '../contract/declarations/caller.ts'
import type { EventOf, Noun } from '../contract/declarations/noun.ts'
import type { EventTypes } from '../contract/documents/event-types.ts'
import type { FindNoun } from '../contract/documents/schemas.ts'
import type { Tables } from '../resources/tables.ts'
import type { Services } from './services.ts'

/** A kind of job for the code that enqueues it: its name and the type of its payload. */
export interface Enqueueable<Payload> {
  /** Stored with each job. If it is renamed, jobs that are already enqueued never run. */
  readonly name: string
  /** Never set; it only carries the type. */
  readonly payload?: Payload
}

export interface EnqueueOptions {
  /** The earliest time of the first attempt on the account's clock, in UTC as ISO 8601; now if absent. */
  runAt?: string
  /** Waits in real time even in a test account, which has its own clock: for work that depends on other services. */
  inRealTime?: boolean
  /** Makes the caller wait after the commit, for up to 10 seconds, so that the response contains the job's result. */
  awaited?: boolean
  /** The task run that the job belongs to; the caller's if absent. */
  origin?: RunOrigin
}

/** The context in which an operation's code runs. Each of its queries must filter by `accountId`. */
export interface Context {
  readonly accountId: string
  readonly caller: Caller
  readonly db: Kysely<Tables>
  /** The time of the request on the account's clock, formatted as in responses; used for all business dates of the shop. */
  readonly now: string
  /** The time of the system clock, for other services and for rate limits. It differs from `now` only in test accounts. */
  readonly realNow: string
  /** A test account has its own clock and takes no real money. */
  readonly test: boolean
  /** Without a trailing slash. */
  readonly publicUrl: string
  readonly services: Services
  /** The event types that webhook endpoints can subscribe to. */
  readonly eventTypes: EventTypes
  readonly findNoun: FindNoun
  /** Returns the fee for a row, or undefined if this service takes none. */
  feeFor(id: string): Fee | undefined
  /** Returns whether the caller may read the rows of a resource. The search over all resources omits the other resources. */
  mayRead(noun: Noun): boolean
  /** Copies rows before a change, so that `updated` events list the changes. The row in the path is copied automatically. */
  remember(noun: Noun, rows: readonly { id: string }[]): Promise<void>
  /**
   * Writes an event in the same transaction, and returns the row. An `updated` event requires a copy made by `remember`, and is skipped
   * if nothing differs; a `deleted` event contains the confirmation of the deletion instead of the resource.
   */
  emit<N extends Noun, R extends { id: string }>(noun: N, event: EventOf<N>, row: R): R
  /** Enqueues a job in the same transaction. Returns the job's id, which providers receive as an idempotency key. */
  enqueue<Payload>(job: Enqueueable<Payload>, payload: Payload, options?: EnqueueOptions): Promise<string>
  /** Cancels a job that has not started. A job that is one transaction (`dueJob`) can be canceled until it is done. */
  cancel(jobId: string): Promise<void>
}

/**
 * A fee for one row, which an account pays to the operator through a checkout. It creates no order, customer or revenue. The
 * methods take the id of the row.
 */
export interface Fee {
  /** Throws a 400 if the fee cannot be paid now. */
  requirePayable(context: Context, id: string): void
  /** Records that the fee was paid. */
  paid(context: Context, id: string): Promise<void>
  /** Records that the whole fee was refunded. */
  refunded(context: Context, id: string): Promise<void>
  /** Throws if the order that paid the fee cannot be refunded, or only as a whole. Only earlier versions created one. */
  requireRefundable(context: Context, id: string, isWhole: boolean): Promise<void>
}

/** The context of an operation that does I/O outside the service and therefore runs without a transaction around it. */
export interface OutsideContext extends Omit<Context, 'remember' | 'emit' | 'enqueue' | 'cancel'> {
  transaction<Result>(work: (context: Context) => Promise<Result>): Promise<Result>
}

export type InAccount = Pick<Context, 'db' | 'accountId'>
export type VaultContext = Pick<Context, 'services'>
