import { currentTimestamp } from '../../contract/values/values.ts'
import type { InAccount } from '../context.ts'
import { deleteRowsOf, rowsOf, updateRowsOf } from '../rows-of.ts'
import type { BackgroundRow } from './row.ts'
import { removeIds, storeIds } from './rows.ts'
import { AT_WORK, endedAs, enqueueBatch, NO_ERROR } from './state.ts'

export interface DoneBatch {
  /** The number of rows in the batch, including rows that were deleted before it ran. */
  rows: number
  leftOut: number
  changes: Record<string, number>
  /** The return value of the Ruby block as JSON. It is short enough to be stored. */
  value: string
}

export function afterBatch<Row extends BackgroundRow>(row: Row, batch: DoneBatch, now = currentTimestamp()): Row {
  const place = row.place + batch.rows
  const changes: Record<string, number> = JSON.parse(row.changes)
  for (const [type, count] of Object.entries(batch.changes)) changes[type] = (changes[type] ?? 0) + count
  const value: unknown = JSON.parse(batch.value)
  const isFirst = row.batches_count === 0
  const sums = typeof value === 'number' && (isFirst || row.value_sum !== null)
  return {
    ...row,
    place,
    left_out_count: row.left_out_count + batch.leftOut,
    batches_count: row.batches_count + 1,
    calls_paid: 0,
    changes: JSON.stringify(changes),
    last_value: batch.value,
    value_sum: sums ? (row.value_sum ?? 0) + value : null,
    value_sums: isCounts(value) ? summedCounts(isFirst ? '{}' : row.value_sums, value) : null,
    started_at: row.started_at ?? now,
    next_at: null,
    updated_at: now,
    ...NO_ERROR,
    ...(place >= row.rows_count ? { ...endedAs('done'), job: null } : { state: 'running', expires_at: null }),
  }
}

function isCounts(value: unknown): value is Record<string, number> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((count) => typeof count === 'number')
}

/** The maximum length of the summed counts as JSON. It is limited because each batch can return new names. */
const MAX_SUMS = 5_000

function summedCounts(before: string | null, counts: Record<string, number>): string | null {
  if (before === null) return null
  const sums = new Map<string, number>(Object.entries(JSON.parse(before)))
  for (const [name, count] of Object.entries(counts)) sums.set(name, (sums.get(name) ?? 0) + count)
  const text = JSON.stringify(Object.fromEntries(sums))
  return text.length > MAX_SUMS ? null : text
}

/** Stores a background program after its first batch, in the same transaction. Enqueues the next batch unless it is done. */
export async function beginBackground(account: InAccount, row: BackgroundRow, ids: readonly string[]): Promise<void> {
  const goesOn = row.state !== 'done'
  const job = goesOn ? await enqueueBatch(account, row) : null
  await account.db
    .insertInto('background_programs')
    .values({ ...row, job })
    .execute()
  if (goesOn) await storeIds(account, row.id, ids, null)
}

/** Stores a background program that starts only when its plan is applied. */
export async function storePlanned(account: InAccount, row: BackgroundRow, ids: readonly string[]): Promise<void> {
  await account.db.insertInto('background_programs').values(row).execute()
  await storeIds(account, row.id, ids, row.expires_at)
}

/** Returns the background program that would start if the plan were applied. */
export async function plannedBy(account: InAccount, plan: string): Promise<BackgroundRow | undefined> {
  const planned = rowsOf(account, 'background_programs').selectAll().where('plan', '=', plan)
  return planned.where('state', '=', 'waiting_for_approval').where('batches_count', '=', 0).executeTakeFirst()
}

/** Counts, by plan, the rows that the plan's waiting background program has yet to process. Plans without one are absent. */
export async function rowsOfPlans(
  { db, accountId }: InAccount,
  plans: readonly string[],
): Promise<Map<string, number>> {
  if (plans.length === 0) return new Map()
  const rows = await rowsOf({ db, accountId }, 'background_programs')
    .select(['plan', 'rows_count', 'place'])
    .where('plan', 'in', plans)
    .where('state', '=', 'waiting_for_approval')
    .execute()
  return new Map(rows.map(({ plan, rows_count, place }) => [String(plan), rows_count - place]))
}

export async function dropPlanned(account: InAccount, plan: string): Promise<void> {
  const row = await plannedBy(account, plan)
  if (!row) return
  await removeIds(account, row.id)
  await deleteRowsOf(account, 'background_programs').where('id', '=', row.id).execute()
}

/**
 * Stores the result of a batch, in the transaction of the batch's changes. Returns false if the program has changed since the batch
 * began, because another worker did the batch or somebody stopped the program.
 */
export async function keepBatch(account: InAccount, before: BackgroundRow, after: BackgroundRow): Promise<boolean> {
  const { account_id: _, id: __, ...values } = after
  const row = updateRowsOf(account, 'background_programs').set(values).where('id', '=', before.id)
  const same = row.where('place', '=', before.place).where('state', '=', before.state)
  const mine = before.job === null ? same.where('job', 'is', null) : same.where('job', '=', before.job)
  if ((await mine.executeTakeFirstOrThrow()).numUpdatedRows === 0n) return false
  if (after.state === 'done') await removeIds(account, before.id)
  return true
}

/** Changes a program that is queued or running. Returns false if `job` is no longer the job that runs its next batch. */
export async function changeAtWork(
  account: InAccount,
  { id, job }: Pick<BackgroundRow, 'id' | 'job'>,
  changes: Partial<BackgroundRow>,
): Promise<boolean> {
  const values = { ...changes, updated_at: currentTimestamp() }
  const row = updateRowsOf(account, 'background_programs').set(values).where('id', '=', id)
  const mine = row.where('job', '=', job).where('state', 'in', AT_WORK)
  return (await mine.executeTakeFirstOrThrow()).numUpdatedRows > 0n
}
