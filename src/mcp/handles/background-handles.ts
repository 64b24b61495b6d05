import type { Caller } from '../../contract/declarations/caller.ts'
import { ApiError } from '../../contract/declarations/errors.ts'
import type { Database, Scope } from '../../database/database.ts'
import { only } from '../../errors.ts'
import { counted } from '../../format/counts.ts'
import { formatNumber } from '../../format/numbers.ts'
import { dashboardAddress } from '../../pipeline/awaited-plans.ts'
import { atFirstEnd } from '../../records/background/first-end.ts'
import { expectedEnd, progressFor } from '../../records/background/progress.ts'
import type { BackgroundRow } from '../../records/background/row.ts'
import { stopBackground } from '../../records/background/state.ts'
import { openValues } from '../../records/background/value.ts'
import type { Context } from '../../records/context.ts'
import { rowsOf } from '../../records/rows-of.ts'
import type { Vault } from '../../records/services.ts'
import type { Tables } from '../../resources/tables.ts'
import type { Json } from '../../sandbox/api.ts'
import { isMaker } from '../program/plans.ts'
import type { Handle } from './handle.ts'

type ResponseBody = { [key: string]: Json }

export interface BackgroundHandleParts {
  database: Database<Tables>
  vault: Vault
  publicUrl: string
  inTransaction<Value>(caller: Caller, work: (context: Context) => Promise<Value>): Promise<Value>
}

type BackgroundKey = { id: string } | { plan: string }

/** Returns null unless the caller started the background program. */
export async function backgroundHandle(
  parts: BackgroundHandleParts,
  caller: Caller,
  id: string,
): Promise<Handle | null> {
  const row = await begun(parts.database, caller.accountId, { id })
  if (!row || !isMaker(caller, row)) return null
  return { id, createdAt: row.created_at, forgottenAt: row.expires_at, ...(await progressing(parts, caller, row)) }
}

/** Stops a background program if it has not ended. Returns false unless the caller started it. */
export async function cancelBackgroundHandle(
  { database, inTransaction }: BackgroundHandleParts,
  caller: Caller,
  of: BackgroundKey,
): Promise<boolean> {
  const row = await begun(database, caller.accountId, of)
  if (!row || !isMaker(caller, row)) return false
  if (atFirstEnd(row) !== null) return true
  await inTransaction(caller, async (context) => {
    const now = await begun({ read: context.db }, caller.accountId, { id: row.id })
    if (now) await stopBackground(context, now)
  }).catch(only(ApiError, () => {}))
  return true
}

/** Finds a background program whose first batch is committed. */
export async function begun(
  { read }: Pick<Scope<Tables>, 'read'>,
  accountId: string,
  of: BackgroundKey,
): Promise<BackgroundRow | undefined> {
  const rows = rowsOf({ db: read, accountId }, 'background_programs').selectAll().where('batches_count', '>', 0)
  const one = 'id' in of ? rows.where('id', '=', of.id) : rows.where('plan', '=', of.plan)
  return one.executeTakeFirst()
}

/** Returns the progress of a background program and, after its end, the final response. Resuming the program does not reopen its handle. */
export async function progressing(
  parts: Pick<BackgroundHandleParts, 'database' | 'publicUrl' | 'vault'>,
  caller: Caller,
  now: BackgroundRow,
): Promise<Pick<Handle, 'status' | 'message' | 'changedAt' | 'answer'>> {
  const row = openValues(parts.vault, { ...now, ...atFirstEnd(now) })
  const { state, updated_at: changedAt } = row
  if (state === 'done')
    return { status: 'completed', changedAt, message: progressMessage(row), answer: summary(caller, row) }
  if (state === 'failed' || (state === 'stopped' && row.error !== null))
    return {
      status: 'completed',
      changedAt,
      message: `It ${state}. ${progressMessage(row)}`,
      answer: summary(caller, row),
    }
  if (state === 'stopped') return { status: 'cancelled', changedAt, message: `It was stopped. ${progressMessage(row)}` }
  return {
    status: 'working',
    changedAt,
    message: `${progressMessage(row)} ${await nextStepMessage(parts, row)}`.trim(),
  }
}

function progressMessage({ place, left_out_count, rows_count }: BackgroundRow): string {
  const gone = left_out_count > 0 ? `; ${counted(left_out_count, 'row')} had been deleted before` : ''
  return `${formatNumber(place - left_out_count)} of ${counted(rows_count, 'row')} done${gone}.`
}

async function nextStepMessage(
  { database, publicUrl }: Pick<BackgroundHandleParts, 'database' | 'publicUrl'>,
  row: BackgroundRow,
): Promise<string> {
  if (row.state === 'waiting_for_approval') {
    const asked: string[] = JSON.parse(row.asked_operations ?? '[]')
    const page = await dashboardAddress(database, row.account_id, `background_programs/${row.id}`)
    return `Waiting for a person to approve ${asked.join(', ')}: ${publicUrl}${page}`
  }
  if (row.next_at !== null) return `Waiting for the rate limit until ${row.next_at}.`
  const end = expectedEnd(row)
  return end === null ? '' : `Likely to end at ${end}.`
}

function summary(caller: Caller, row: BackgroundRow): NonNullable<Handle['answer']> {
  const { error, ...progress } = progressFor(caller, row)
  const { changed = {} } = progress
  if (error === undefined) return { body: { committed: 'all', changed, result: progress }, isError: false }
  return { body: { error, committed: 'partial', changed, result: progress } satisfies ResponseBody, isError: true }
}
