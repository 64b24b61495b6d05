import { newId } from '../contract/ids.ts'
import type { Scope } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'

/** One run, as the agent-tool endpoint gives it. */
interface Run {
  accountId: string
  userId: string
  callerId: string
  kind: string
  code: string
  calls: unknown[]
  callCount: number
  outcome: string
  errorMessage: string | null
  committed: string
  dryRun: boolean
  runs: number
  startedAt: string
  durationMs: number
}

/** Keeps a run, outside every transaction of the program itself. */
export async function recordRun(database: Scope<Tables>, run: Run): Promise<void> {
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
