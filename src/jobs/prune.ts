import { timestampOf } from '../contract/values.ts'
import type { Scope, Unit } from '../database/database.ts'
import { KEPT_MS } from '../pipeline/idempotency.ts'
import { RESULT_KEPT_MS } from '../pipeline/program-results.ts'
import type { Tables } from '../resources/tables.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Receivers and people may look back this long. */
const EVENTS_KEPT_MS = 30 * DAY_MS
const RUNS_KEPT_MS = 30 * DAY_MS
/** A decision may be looked up on the next day. */
const PLANS_KEPT_MS = DAY_MS
/** Long enough to look into what failed. */
const JOBS_KEPT_MS = 7 * DAY_MS
/** Nobody pages through a list for longer. */
const TOMBSTONES_KEPT_MS = 7 * DAY_MS

type Database = Unit<Tables>['db']

/** What is kept for a time only: how long, and what deletes all that is older than a moment. */
const PRUNED: [keptMs: number, remove: (db: Database, before: string) => { execute(): Promise<unknown> }][] = [
  [EVENTS_KEPT_MS, (db, before) => db.deleteFrom('events').where('created_at', '<', before)],
  [RUNS_KEPT_MS, (db, before) => db.deleteFrom('program_runs').where('started_at', '<', before)],
  [TOMBSTONES_KEPT_MS, (db, before) => db.deleteFrom('tombstones').where('deleted_at', '<', before)],
  [KEPT_MS, (db, before) => db.deleteFrom('idempotency_keys').where('claimed_at', '<', before)],
  [JOBS_KEPT_MS, (db, before) => db.deleteFrom('jobs').where('finished_at', '<', before)],
  [PLANS_KEPT_MS, (db, before) => db.deleteFrom('program_plans').where('expires_at', '<', before)],
  [RESULT_KEPT_MS, (db, before) => db.deleteFrom('program_results').where('committed_at', '<', before)],
]

/** Removes what is kept for a time only. */
export async function pruneOld(database: Scope<Tables>, now = Date.now()): Promise<void> {
  for (const [keptMs, remove] of PRUNED) {
    const before = timestampOf(new Date(now - keptMs))
    await database.transaction(({ db }) => remove(db, before).execute(), { patient: true })
  }
}
