import type { DeclineCode } from '../../../format/declines.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
import { updateRowsOf } from '../../../records/rows-of.ts'
import { Checkout } from '../checkout/checkout.ts'
import { closeCheckout } from '../checkout/expire.ts'
import { itemsOf } from '../order/items.ts'
import { Order, type OrderRow } from '../order/order.ts'
import { setOrderStatus } from '../order/status.ts'
import { holdAfter } from '../subscription/hold.ts'
import { renewalFailed } from '../subscription/renewal-failed.ts'
import { whyHeld } from './connection/find.ts'
import { Payment, type PaymentRow } from './payment.ts'
import { endRedemption, returnStock } from './reserve.ts'
import { insertCharge } from './succeed.ts'

/** The number of failed payments after which a checkout expires, to prevent the testing of stolen cards. */
const MOST_FAILED_TRIES = 10

/** `released` means that the buyer did not finish the payment in time, or that it was given up on purpose. */
interface FailedPayment {
  status: 'failed' | 'released'
  reference: string | null
  message: string
  code: DeclineCode
  /** True if no card was tried, because the key is refused or the connection was deleted. */
  isLost?: boolean
}

/** Marks the order as failed and releases its reservations. */
export async function fail(context: Context, payment: PaymentRow, failed: FailedPayment): Promise<void> {
  const { status, message, code, isLost = false } = failed
  const reference = failed.reference ?? payment.reference
  if (payment.settle_job !== null) await context.cancel(payment.settle_job)
  const settled = await changeRow(context, Payment, payment, {
    ...{ status, reference, failure_message: message, failure_code: code },
  })
  if (settled.formation === null) await failOrder(context, settled, isLost)
  if (settled.checkout !== null) await reopen(context, settled.checkout, status)
}

async function failOrder(context: Context, payment: PaymentRow, isLost: boolean): Promise<void> {
  const order = await requireRow(context, Order, payment.order_id)
  const { reference } = payment
  const tried = { status: 'failed', reference, message: payment.failure_message!, code: payment.failure_code } as const
  const isRenewal = payment.checkout === null || payment.subscription !== null
  const isReleased = payment.status === 'released'
  const isHeld = isRenewal && isReleased && (isLost || (await whyHeld(context, payment.provider)) !== null)
  const charge = order.amount > 0 && !isHeld ? await insertCharge(context, payment, order, tried) : null
  const failed = await setOrderStatus(context, order, 'failed', { charge: charge?.id ?? null })
  context.emit(Order, 'failed', failed)
  if (isHeld) await holdAfter(context, payment)
  else if (isRenewal) await renewalFailed(context, payment)
  else await giveBack(context, failed)
}

async function giveBack(context: Context, { id, discount, invoice }: OrderRow): Promise<void> {
  await returnStock(context, await itemsOf(context, id))
  if (discount !== null) await endRedemption(context, discount, { redeemed: false })
  if (invoice !== null)
    await updateRowsOf(context, 'invoices').set({ paying: null }).where('id', '=', invoice).execute()
}

/** Allows another payment, unless the checkout has expired or too many payments of it have failed. */
async function reopen(context: Context, checkoutId: string, status: FailedPayment['status']): Promise<void> {
  const checkout = await requireRow(context, Checkout, checkoutId)
  const failed_tries = checkout.failed_tries + (status === 'failed' ? 1 : 0)
  const changed = await changeRow(context, Checkout, checkout, { paying: null, failed_tries })
  const expired = changed.expires_at <= context.now
  if (changed.status === 'open' && (expired || failed_tries >= MOST_FAILED_TRIES))
    await closeCheckout(context, changed, 'expired')
}
