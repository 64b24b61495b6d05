import { newId } from '../../../contract/values/ids.ts'
import { insertOne } from '../../../database/compile-once.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import type { Tables } from '../../tables.ts'

type CreditEntryRow = Tables['credit_entries']

type CreditChange = Pick<CreditEntryRow, 'kind' | 'delta' | 'reason' | 'reference' | 'reservation'> &
  Partial<Pick<CreditEntryRow, 'counted'>>

/** Changes the credit balance and records the reason. Returns null and changes nothing if the balance would fall below 0. */
export async function bookCredits(context: Context, change: CreditChange): Promise<CreditEntryRow | null> {
  const account = await updateRowsOf(context, 'accounts')
    .set(({ eb }) => ({ credit_balance: eb('credit_balance', '+', change.delta) }))
    .where('id', '=', context.accountId)
    .where('credit_balance', '>=', Math.max(0, -change.delta))
    .returning('credit_balance')
    .executeTakeFirst()
  if (!account) return null
  const entry: CreditEntryRow = {
    account_id: context.accountId,
    id: newId('cred'),
    ...{ counted: null, ...change },
    run: context.caller.origin?.run ?? null,
    balance_after: account.credit_balance,
    created_at: context.now,
  }
  await insertOne(context.db, 'credit_entries', { ...entry })
  return entry
}

export function reservedEntry(context: Context, id: string): Promise<CreditEntryRow> {
  const entry = rowsOf(context, 'credit_entries').selectAll().where('id', '=', id).where('kind', '=', 'reserved')
  return entry.executeTakeFirstOrThrow()
}

/** Returns whether the credits of a reservation were already charged or returned. */
export async function isClosed(context: Context, id: string): Promise<boolean> {
  const closing = rowsOf(context, 'credit_entries').select('id').where('reservation', '=', id)
  return (await closing.executeTakeFirst()) !== undefined
}
