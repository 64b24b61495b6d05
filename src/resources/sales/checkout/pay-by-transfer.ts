import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { claimTransfer, type GoodTransfer, requireFirstUse } from '../payment/transfer.ts'
import { Checkout, type CheckoutRow } from './checkout.ts'
import { enter } from './enter.ts'
import { type PaymentStarted, requireOpen, startPayment } from './pay.ts'
import { reprice } from './reprice.ts'
import { x402RequirementsOf } from './show.ts'
import { isSamePlace } from './tax/given.ts'
import type { TaxPlace } from './tax/terms.ts'

/** Pays with a verified USDC transfer. Throws a 400 for a used transfer or expired checkout. Returns null if the x402 terms changed. */
export async function payByTransfer(
  context: Context,
  given: CheckoutRow,
  { email, place, ...good }: GoodTransfer & { email: string | null; place: TaxPlace },
): Promise<PaymentStarted> {
  const { x402 } = context.services.payments
  if (x402 === null) throw new ApiError('invalid_state', 'Nothing settles payments in USDC any more.')
  requireOpen(given)
  if (given.expires_at <= context.now)
    throw new ApiError('invalid_state', 'This checkout is expired and cannot be paid.')
  await requireFirstUse(context, good.key)
  const repriced = await reprice(context, isSamePlace(given, place) ? given : await enter(context, given, place))
  if (!(await isAgreed(context, repriced, good))) return null
  const checkout = repriced.email === null ? await changeRow(context, Checkout, repriced, { email }) : repriced
  return startPayment(context, checkout, { provider: x402 }, ({ payment }) => claimTransfer(context, payment, good))
}

/** The wallet, the chain or the total may have changed since the buyer signed the terms. */
async function isAgreed(context: Context, checkout: CheckoutRow, { terms }: GoodTransfer): Promise<boolean> {
  const now = await x402RequirementsOf(context, checkout)
  return now !== null && JSON.stringify(now.accepts[0]) === JSON.stringify(terms)
}
