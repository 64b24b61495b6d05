import type { RawBuilder } from 'kysely'
import type { RunOrigin } from '../contract/declarations/caller.ts'
import type { Noun } from '../contract/declarations/noun.ts'

/** A JSON column with the ids of files, which cannot be deleted while a row of it that fulfills `when` contains them. */
export interface FileColumn {
  noun: Noun
  column: string
  /** The column with the name that people give to a row. */
  name: string
  /** The use in words, before the id of the row: `the gallery of product`. */
  words: string
  when: RawBuilder<boolean>
}

/** A kind of rows that can have a domain of their own. */
export interface DomainKind {
  /** Part of the DNS record that proves a domain. A record for one kind does not prove the domain for another. */
  name: string
  noun: Noun
  /** The column with the verified domain. */
  column: string
  /** The name of the job that checks a domain. Stored jobs contain it, so it must not change. */
  job: string
  /** Whether the domain must resolve to this service. */
  pointsHere: boolean
}

/** A run of a task, as far as features know it. */
export interface FollowedRun {
  id: string
  task_id: string
  status: 'pending' | 'running' | 'needs_input' | 'completed' | 'failed' | 'canceled'
  /** The report of the agent or job that carried out the run. */
  summary: string | null
}

/** Tasks that a feature has created for its own rows. `Place` is the context of rules. */
export interface TaskUse<Place> {
  /** The event types that `follow` may emit. */
  events: readonly string[]
  /** Returns which of the tasks, at least one, are those of the feature. */
  among(context: Place, tasks: readonly string[]): Promise<string[]>
  /** Throws `permission_denied` unless the caller may change the task and its runs. */
  requireAllowed(context: Place, task: string): Promise<void>
  /** Enqueues the job that carries out a run. Returns its id, or null if no job of the feature does. */
  enqueue(context: Place, run: FollowedRun, origin: RunOrigin): Promise<string | null>
  /** Called after a run was claimed or has ended. */
  follow(context: Place, run: FollowedRun): Promise<void>
  /** Called after a task was deleted. */
  forget(context: Place, task: string): Promise<void>
}

/** The parts of features that the rules of the core use. */
export interface Extensions {
  /** The columns in which features keep ids of files. */
  fileColumns: readonly FileColumn[]
  /**
   * Queries of stored files: `account_id`, `id`, `what` in words, `store`, `size`, `sha256` and `complete`. The bytes have the key
   * `account_id/id` and count towards the limit of the account.
   */
  storedFiles: readonly RawBuilder<unknown>[]
  /** The kinds of rows that can have a domain, besides shops. */
  domainKinds: readonly DomainKind[]
  /** Domains of this service, which belong to nobody, like all domains below them. */
  reservedDomains: readonly string[]
  /** `Context` cannot be named here, because it contains the services; `task/uses.ts` passes it. */
  taskUses: readonly TaskUse<never>[]
}
