import type { Context } from '../../../records/context.ts'
import { Checkout, type CheckoutRow } from './checkout.ts'

/**
 * Whether a checkout pays a fee of this service. The account sells nothing then: there is no order, no customer and no revenue,
 * and its webhooks hear only of what the fee is for.
 */
export function isFee({ formation }: Pick<CheckoutRow, 'formation'>): boolean {
  return formation !== null
}

/** Emits an event of a checkout, unless it pays a fee. */
export function emitCheckout(
  context: Context,
  type: 'created' | 'completed' | 'expired' | 'abandoned',
  checkout: CheckoutRow,
): void {
  if (!isFee(checkout)) context.emit(Checkout, type, checkout)
}
