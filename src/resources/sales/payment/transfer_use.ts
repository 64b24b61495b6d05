import { ApiError } from '../../../contract/declarations/errors.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { isTaken } from '../../../records/unique.ts'
import { Payment, type PaymentRow } from './payment.ts'

/** The payment of the account that a transfer makes, by its key, if there is one. */
export async function paymentOfTransfer(context: Context, key: string): Promise<PaymentRow | null> {
  const raw = await rowsOf(context, 'payments').selectAll().where('transfer', '=', key).executeTakeFirst()
  return raw ? decode<PaymentRow>(Payment, raw) : null
}

/**
 * Throws a 400 over a transfer that pays something already. The chain takes it once, whoever sells: accounts may share a wallet, so
 * all accounts are looked at, and nothing of another's is told.
 */
export async function requireFirstUse(context: Context, key: string): Promise<void> {
  if (await isTaken(context, Payment, ['transfer', key], { everywhere: true }))
    throw new ApiError('invalid_state', 'This payment was sent for another checkout already. Sign a new one.')
}
