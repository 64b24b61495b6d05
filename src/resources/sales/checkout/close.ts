import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { Checkout, type CheckoutRow } from './checkout.ts'

export async function closeCheckout(
  context: Context,
  checkout: CheckoutRow,
  how: 'expired' | 'abandoned',
): Promise<CheckoutRow> {
  if (checkout.expire_job !== null) await context.cancel(checkout.expire_job)
  const closed = await changeRow(context, Checkout, checkout, { status: how, expire_job: null })
  emitCheckout(context, how, closed)
  return closed
}

export async function extendCheckout(context: Context, checkout: CheckoutRow, expires_at: string): Promise<void> {
  if (checkout.expires_at >= expires_at) return
  if (checkout.expire_job !== null) await context.cancel(checkout.expire_job)
  const expire_job = await context.enqueue(expireCheckout, { checkout: checkout.id }, { runAt: expires_at })
  await changeRow(context, Checkout, checkout, { expires_at, expire_job })
}

/** Skips a checkout with a payment in progress; if that payment fails, `fail` of payment/outcome.ts expires the checkout. */
export const expireCheckout = dueJob('checkout.expire', {
  emits: ['checkout.expired'],
  async work(context: Context, { checkout: id }: { checkout: string }) {
    const checkout = await findRow(context, Checkout, id)
    if (checkout?.status === 'open' && checkout.paying === null && checkout.expires_at <= context.now)
      await closeCheckout(context, { ...checkout, expire_job: null }, 'expired')
  },
})

/** Whether a checkout pays a fee to the operator of this service. Its payment creates no order, customer or checkout events. */
export function isFee({ formation }: Pick<CheckoutRow, 'formation'>): boolean {
  return formation !== null
}

export function requirePayableFee(context: Context, id: string): void {
  const fee = context.feeFor(id)
  if (!fee) throw new ApiError('invalid_state', 'This service does not take this fee any more, so nothing is charged.')
  fee.requirePayable(context, id)
}

export function emitCheckout(
  context: Context,
  type: 'created' | 'completed' | 'expired' | 'abandoned',
  checkout: CheckoutRow,
): void {
  if (!isFee(checkout)) context.emit(Checkout, type, checkout)
}

/** Completes a paid checkout and records the order, customer and subscription that it led to. */
export async function closePaid(
  context: Context,
  checkout: CheckoutRow,
  became: Pick<CheckoutRow, 'order' | 'customer' | 'subscription'> & Partial<Pick<CheckoutRow, 'processor'>>,
): Promise<void> {
  if (checkout.expire_job !== null) await context.cancel(checkout.expire_job)
  const completed = await changeRow(context, Checkout, checkout, {
    ...became,
    status: 'complete',
    completed_at: context.now,
    paying: null,
    expire_job: null,
  })
  emitCheckout(context, 'completed', completed)
}
