import { newId } from '../contract/values/ids.ts'
import { insertOne } from '../database/compile-once.ts'
import type { Scope, Transaction } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'

type ProgramRunRow = Tables['program_runs']

/** A run as it is stored, but with `calls` and `changes` before they become JSON. `calls` are the last ones of the run. */
export interface RunRecord extends Omit<ProgramRunRow, 'id' | 'calls' | 'changes' | 'background' | 'written'> {
  calls: unknown[]
  changes: object
  /** The id of the background program, if the run was one of its batches. */
  background?: string | null
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

function rowOf({ background = null, ...run }: RunRecord): ProgramRunRow {
  return {
    ...run,
    id: newId('run'),
    background,
    code: storable(run.code),
    error: storable(run.error),
    error_hint: storable(run.error_hint),
    changes: storable(JSON.stringify(run.changes)),
    calls: storable(JSON.stringify(run.calls)),
    written: 0,
  }
}

/** Replaces NUL characters, which a program may contain but PostgreSQL cannot store. */
function storable<Text extends string | null>(text: Text): Text {
  return (text === null ? null : text.replaceAll('\0', '\u2400')) as Text
}
