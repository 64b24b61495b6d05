import type { RawBuilder } from 'kysely'
import type { RunOrigin } from '../contract/declarations/caller.ts'
import type { Noun } from '../contract/declarations/noun.ts'

/** A JSON column that contains ids of files. A file cannot be deleted while a row that fulfills `when` contains its id. */
export interface FileColumn {
  noun: Noun
  column: string
  /** The column with the name that people give to a row. */
  name: string
  /** The words that describe the use and precede the id of the row: `the gallery of product`. */
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

/** The fields of a task run that features receive. */
export interface FollowedRun {
  id: string
  task_id: string
  status: 'pending' | 'running' | 'needs_input' | 'completed' | 'failed' | 'canceled'
  /** The report of the agent or job that carried out the run. */
  summary: string | null
}

/** Tasks that a feature has created for its own rows. `Place` is the type of the context that rules receive. */
export interface TaskUse<Place> {
  /** The event types that `follow` may emit. */
  events: readonly string[]
  /** Returns those of the tasks that the feature has created. `tasks` is not empty. */
  among(context: Place, tasks: readonly string[]): Promise<string[]>
  /** Throws `permission_denied` unless the caller may change the task and its runs. */
  requireAllowed(context: Place, task: string): Promise<void>
  /** Enqueues the job that carries out a run. Returns its id, or null if the feature has no job for the run. */
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
   * Queries of stored files with the columns `account_id`, `id`, `what` (in words), `store`, `size`, `sha256` and `complete`. The
   * bytes have the key `account_id/id` and count towards the limit of the account.
   */
  storedFiles: readonly RawBuilder<unknown>[]
  /** The kinds of rows that can have a domain, besides shops. */
  domainKinds: readonly DomainKind[]
  /** The domains below which features serve pages. No account can have one of them, or a domain below one. */
  reservedDomains: readonly string[]
  /** Typed with `never`, because `Context` contains the services and cannot be named here; `task/uses.ts` passes it. */
  taskUses: readonly TaskUse<never>[]
}
