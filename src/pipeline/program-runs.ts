import { newId } from '../contract/ids.ts'
import type { Scope } from '../database/database.ts'
import type { Tables } from '../records/tables.ts'

declare module '../records/tables.ts' {
  interface Tables {
    /** Every program that ran: who, when, what it said, what it called, and what came of it. */
    program_runs: {
      account_id: string
      id: string
      user_id: string
      token_id: string
      kind: string
      code: string
      outcome: string
      error: string | null
      committed: string
      dry_run: number
      runs: number
      /** JSON: the last calls; `calls_count` says how many there were. */
      calls: string
      calls_count: number
      duration_ms: number
      started_at: string
    }
  }
}

/** One run, as the agent-tool endpoint tells it. */
interface Run {
  accountId: string
  userId: string
  tokenId: string
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
    token_id: run.tokenId,
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
