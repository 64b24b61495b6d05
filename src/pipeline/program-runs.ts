import { newId } from '../contract/ids.ts'
import type { Scope } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'

/** One run of a program, as it is kept. */
export interface RunRecord {
  accountId: string
  userId: string
  callerId: string
  kind: string
  /** The program as it was run, without a Markdown fence. */
  code: string
  /** The last calls; `callCount` says how many there were. */
  calls: unknown[]
  callCount: number
  outcome: string
  errorMessage: string | null
  committed: string
  dryRun: boolean
  /** Times the program ran until no other transaction got there first. */
  runs: number
  /** ISO 8601, UTC. */
  startedAt: string
  durationMs: number
}

/** Keeps a run, outside every transaction of the program itself. */
export async function recordRun(database: Scope<Tables>, run: RunRecord): Promise<void> {
  const row = {
    account_id: run.accountId,
    id: newId('run'),
    user_id: run.userId,
    caller_id: run.callerId,
    kind: run.kind,
    code: storable(run.code),
    outcome: run.outcome,
    error: run.errorMessage === null ? null : storable(run.errorMessage),
    committed: run.committed,
    dry_run: run.dryRun ? 1 : 0,
    runs: run.runs,
    calls: storable(JSON.stringify(run.calls)),
    calls_count: run.callCount,
    duration_ms: run.durationMs,
    started_at: run.startedAt,
  }
  await database.transaction(({ db }) => db.insertInto('program_runs').values(row).execute(), { patient: true })
}

/** PostgreSQL stores no NUL characters; a program may well hold one. */
function storable(text: string): string {
  return text.replaceAll('\0', '\u2400')
}
