import { sql } from 'kysely'
import type { Context } from '../../../records/context.ts'

const COUNTER = 'invoices'
const DIGITS = 8

/**
 * Takes the next running number of the account's invoices. It is part of the open transaction: an invoice that is refused
 * after all leaves no gap.
 */
export async function takeInvoiceNumber({ db, accountId }: Context): Promise<{ sequence: number; number: string }> {
  const counted = await db
    .insertInto('counters')
    .values({ account_id: accountId, name: COUNTER, value: 1 })
    .onConflict((known) => known.columns(['account_id', 'name']).doUpdateSet({ value: sql`counters.value + 1` }))
    .returning('value')
    .executeTakeFirstOrThrow()
  const sequence = Number(counted.value)
  return { sequence, number: `#${String(sequence).padStart(DIGITS, '0')}` }
}
