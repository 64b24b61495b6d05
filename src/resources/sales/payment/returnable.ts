import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { Payment } from './payment.ts'
import { isOpen } from './settle.ts'

/** Throws a 400 while a payment could still be made that nobody could send back. */
export async function requireReturnable(context: Context, paymentId: string): Promise<void> {
  const payment = await requireRow(context, Payment, paymentId)
  if (payment.transfer === null || !isOpen(payment)) return
  throw new ApiError(
    'invalid_state',
    'It is being paid in USDC right now, and such a payment cannot be sent back. Try again in ten minutes.',
  )
}
