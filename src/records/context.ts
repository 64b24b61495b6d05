import type { Kysely } from 'kysely'
import type { Caller, RunOrigin } from '../contract/declarations/caller.ts'
import type { EventOf, Noun } from '../contract/declarations/noun.ts'
import type { EventTypes } from '../contract/documents/event-types.ts'
import type { FindNoun } from '../contract/documents/schemas.ts'
import type { Tables } from '../resources/tables.ts'
import type { Services } from './services.ts'

/** A kind of job, as those who enqueue it see it: its name, and the type of what it is given. */
export interface Enqueueable<Payload> {
  /** Unique over the shop, and stored with each job: renaming it strands what is enqueued. */
  readonly name: string
  /** Types only. */
  readonly payload?: Payload
}

export interface EnqueueOptions {
  /** The earliest moment of its first attempt by the account's clock, ISO 8601 in UTC; now when absent. */
  runAt?: string
  /** It waits in real time, whatever the clock of a test account shows: for what it asks of the world outside. */
  inRealTime?: boolean
  /** The answer holds the job's result: the caller waits for it after the commit, at most 10 seconds. */
  awaited?: boolean
  /** The run of a task that it comes from, where that is not the caller's. */
  origin?: RunOrigin
}

/** What a rule works with. Every query it makes carries `accountId`. */
export interface Context {
  readonly accountId: string
  readonly caller: Caller
  readonly db: Kysely<Tables>
  /** The moment of the request by the account's clock, as answers write it: for everything that the shop's business dates. */
  readonly now: string
  /** The moment by the system's clock, for what the world outside or the service itself measures. Equals `now` unless `test`. */
  readonly realNow: string
  /** Whether it is a test account, which has a clock of its own and takes no real money. */
  readonly test: boolean
  /** Where people and links reach this service, without a slash at the end. */
  readonly publicUrl: string
  readonly services: Services
  /** What webhook endpoints can subscribe to. */
  readonly eventTypes: EventTypes
  /** The declaration of a resource, by its name. */
  readonly findNoun: FindNoun
  /** Whether the caller may read the rows of a resource: what it may not is not found by the search over everything. */
  mayRead(noun: Noun): boolean
  /**
   * Shows rows as they are before the rule changes them, so that their `updated` events can say what changed. The row that
   * an operation's path names is remembered already.
   */
  remember(noun: Noun, rows: readonly { id: string }[]): Promise<void>
  /**
   * Writes an event of this change into the same transaction. `updated` needs a remembered row, and stays silent when
   * nothing differs; `deleted` carries the confirmation instead of the resource.
   */
  emit<N extends Noun>(noun: N, event: EventOf<N>, row: { id: string }): void
  /**
   * Puts work for later, or outside the service, into the same transaction; it starts after the commit. Returns the job's
   * id, which outside providers are given as idempotency key.
   */
  enqueue<Payload>(job: Enqueueable<Payload>, payload: Payload, options?: EnqueueOptions): Promise<string>
  /**
   * Takes back a job of the account that has not begun. A due job (`dueJob`) can be taken back until it is done: once this
   * transaction is committed, it has no effect any more. True when there was something to take back.
   */
  cancel(jobId: string): Promise<void>
}

/** What a rule works with whose answer is work outside: no transaction is open around it. */
export interface OutsideContext extends Omit<Context, 'remember' | 'emit' | 'enqueue' | 'cancel'> {
  /** Runs a part that writes, committed by itself. */
  transaction<Result>(work: (context: Context) => Promise<Result>): Promise<Result>
}
