import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { Checkout, type CheckoutRow } from './checkout.ts'

/**
 * Whether a checkout pays a fee of this service. The account sells nothing then: there is no order, customer or revenue, and its webhooks
 * report only what the fee is for.
 */
export function isFee({ formation }: Pick<CheckoutRow, 'formation'>): boolean {
  return formation !== null
}

export function emitCheckout(
  context: Context,
  type: 'created' | 'completed' | 'expired' | 'abandoned',
  checkout: CheckoutRow,
): void {
  if (!isFee(checkout)) context.emit(Checkout, type, checkout)
}

/** Closes a paid checkout, with the order, customer and subscription that came from it. */
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
