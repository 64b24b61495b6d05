import type { PaymentProvider } from '../../../providers/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, findRow, insertRow, requireRow } from '../../../records/records.ts'
import { Checkout, type CheckoutRow } from '../checkout/checkout.ts'
import { closePaid } from '../checkout/close.ts'
import type { OrderRow } from '../order/order.ts'
import { NO_ORDER, Payment, type PaymentRow, payableUntil } from './payment.ts'

export async function beginFee(
  context: Context,
  { id, formation, total, currency }: CheckoutRow,
  provider: PaymentProvider,
): Promise<{ payment: PaymentRow }> {
  const payment = await insertRow(context, Payment, {
    ...{ currency, formation, checkout: id, invoice: null, subscription: null },
    status: 'begun',
    order_id: NO_ORDER,
    amount: total,
    provider: provider.name,
    expires_at: payableUntil(context.now),
  })
  return { payment }
}

export async function feePaid(context: Context, payment: PaymentRow, reference: string | null): Promise<void> {
  if (payment.settle_job !== null) await context.cancel(payment.settle_job)
  const { formation, checkout } = await changeRow(context, Payment, payment, { status: 'succeeded', reference })
  await context.feeFor(formation!)?.paid(context, formation!)
  const paid = await requireRow(context, Checkout, checkout!)
  await closePaid(context, paid, { order: null, customer: null, subscription: null })
}

export async function requireRefundableFee(context: Context, order: OrderRow, isWhole: boolean): Promise<void> {
  const id = await paidBy(context, order)
  if (id !== null) await context.feeFor(id)?.requireRefundable(context, id, isWhole)
}

export async function bookRefundedFee(context: Context, order: OrderRow): Promise<void> {
  const id = await paidBy(context, order)
  if (id !== null) await context.feeFor(id)?.refunded(context, id)
}

/** Returns the id of the row whose fee an order paid. Only earlier versions of this service created orders for fees. */
async function paidBy(context: Context, { checkout: id }: OrderRow): Promise<string | null> {
  const checkout = id === null ? undefined : await findRow(context, Checkout, id)
  return checkout?.formation ?? null
}
