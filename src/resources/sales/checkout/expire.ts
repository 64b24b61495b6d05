import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { Checkout, type CheckoutRow } from './checkout.ts'
import { emitCheckout } from './fee.ts'

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

/** Skips a checkout with a payment in progress; if that payment fails, payment/fail.ts expires the checkout. */
export const expireCheckout = dueJob('checkout.expire', {
  emits: ['checkout.expired'],
  async work(context: Context, { checkout: id }: { checkout: string }) {
    const checkout = await findRow(context, Checkout, id)
    if (checkout?.status === 'open' && checkout.paying === null && checkout.expires_at <= context.now)
      await closeCheckout(context, { ...checkout, expire_job: null }, 'expired')
  },
})
