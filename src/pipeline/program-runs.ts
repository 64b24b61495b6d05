import { newId } from '../contract/values/ids.ts'
import { insertOne } from '../database/compile-once.ts'
import type { Scope, Transaction } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'

type ProgramRunRow = Tables['program_runs']

export interface RunRecord {
  accountId: string
  userId: string
  callerId: string
  callerKind: string
  /** The id of the task run that the program run was part of. */
  taskRun: string | null
  plan: string | null
  /** The id of the background program, if the run was one of its batches. */
  background?: string | null
  kind: 'search' | 'execute'
  /** The text of the program, without a Markdown fence. */
  code: string
  /** The last calls of the run; `callCount` is the total number. */
  calls: unknown[]
  callCount: number
  outcome: string
  error: { message: string; line: number | null; hint: string | null } | null
  /** The number of changes by event type, whether they were made or only planned. */
  changes: object
  committed: 'none' | 'all' | 'partial' | 'unknown'
  dryRun: boolean
  /** The number of attempts. A program runs again after a conflict with another transaction. */
  runs: number
  /** In ISO 8601 and UTC. */
  startedAt: string
  durationMs: number
}

/** The approximate storage quota for an account's runs, beyond which the oldest are deleted. A typical run takes 1 to 3 KB. */
const QUOTA_BYTES = 50_000_000
/** The maximum size of the runs that one transaction stores. */
const BATCH_BYTES = 1_000_000

export async function recordRuns(database: Scope<Tables>, runs: RunRecord[], quotaBytes = QUOTA_BYTES): Promise<void> {
  for (const [account, own] of Map.groupBy(runs.map(rowOf), (row) => row.account_id)) {
    for (const rows of batches(own))
      await database.transaction(({ db }) => insertRuns(db, account, rows, quotaBytes), { lowPriority: true })
  }
}

async function insertRuns(
  db: Transaction<Tables>['db'],
  account: string,
  rows: ProgramRunRow[],
  quotaBytes: number,
): Promise<void> {
  const own = db.selectFrom('program_runs').where('account_id', '=', account)
  const last = await own.select('written').orderBy('id', 'desc').limit(1).executeTakeFirst()
  let written = last?.written ?? 0
  for (const row of rows) {
    written += bytesOf(row)
    await insertOne(db, 'program_runs', { ...row, written })
  }
  if (written <= quotaBytes) return
  const oldest = db.deleteFrom('program_runs').where('account_id', '=', account)
  await oldest.where('written', '<=', written - quotaBytes).execute()
}

function* batches(rows: ProgramRunRow[]): Generator<ProgramRunRow[]> {
  let batch: ProgramRunRow[] = []
  let bytes = 0
  for (const row of rows) {
    batch.push(row)
    bytes += bytesOf(row)
    if (bytes < BATCH_BYTES) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

function bytesOf({ code, calls, changes, error }: ProgramRunRow): number {
  return ROW_BYTES + [code, calls, changes, error ?? ''].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}

const ROW_BYTES = 500

function rowOf(run: RunRecord): ProgramRunRow {
  return {
    account_id: run.accountId,
    id: newId('run'),
    user_id: run.userId,
    caller_id: run.callerId,
    caller_kind: run.callerKind,
    task_run: run.taskRun,
    plan: run.plan,
    background: run.background ?? null,
    kind: run.kind,
    code: storable(run.code),
    outcome: run.outcome,
    error: storable(run.error?.message ?? null),
    error_line: run.error?.line ?? null,
    error_hint: storable(run.error?.hint ?? null),
    changes: storable(JSON.stringify(run.changes)),
    committed: run.committed,
    dry_run: run.dryRun ? 1 : 0,
    runs: run.runs,
    calls: storable(JSON.stringify(run.calls)),
    calls_count: run.callCount,
    duration_ms: run.durationMs,
    created_at: run.startedAt,
    written: 0,
  }
}

/** Replaces NUL characters, which a program may contain but PostgreSQL cannot store. */
function storable<Text extends string | null>(text: Text): Text {
  return (text === null ? null : text.replaceAll('\0', '\u2400')) as Text
}
