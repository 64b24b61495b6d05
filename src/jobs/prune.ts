import { timestampOf } from '../contract/values.ts'
import type { Scope } from '../database/database.ts'
import { KEPT_MS } from '../pipeline/idempotency.ts'
import type { Tables } from '../resources/tables.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Receivers and people may look back this long. */
const EVENTS_KEPT_MS = 30 * DAY_MS
const RUNS_KEPT_MS = 30 * DAY_MS
/** Long enough to look into what failed. */
const JOBS_KEPT_MS = 7 * DAY_MS
/** Nobody pages through a list for longer. */
const TOMBSTONES_KEPT_MS = 7 * DAY_MS

/** Removes what is kept for a time only. */
export async function pruneOld(database: Scope<Tables>, now = Date.now()): Promise<void> {
  const before = (ageMs: number) => timestampOf(new Date(now - ageMs))
  await database.transaction(({ db }) =>
    db.deleteFrom('events').where('created_at', '<', before(EVENTS_KEPT_MS)).execute(),
  )
  await database.transaction(({ db }) =>
    db.deleteFrom('program_runs').where('started_at', '<', before(RUNS_KEPT_MS)).execute(),
  )
  await database.transaction(({ db }) =>
    db.deleteFrom('tombstones').where('deleted_at', '<', before(TOMBSTONES_KEPT_MS)).execute(),
  )
  await database.transaction(({ db }) =>
    db.deleteFrom('idempotency_keys').where('claimed_at', '<', before(KEPT_MS)).execute(),
  )
  await database.transaction(({ db }) =>
    db.deleteFrom('jobs').where('finished_at', '<', before(JOBS_KEPT_MS)).execute(),
  )
}
