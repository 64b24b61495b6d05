import { Formation, type FormationRow } from '../../../features/formations/resources/formation/formation.ts'
import type { PaymentProvider } from '../../../providers/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, insertRow, requireRow } from '../../../records/records.ts'
import { Checkout, type CheckoutRow } from '../checkout/checkout.ts'
import { closePaid } from '../checkout/fee.ts'
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
  context.emit(Formation, 'paid', await markFormationPaid(context, formation!))
  const paid = await requireRow(context, Checkout, checkout!)
  await closePaid(context, paid, { order: null, customer: null, subscription: null })
}

async function markFormationPaid(context: Context, id: string): Promise<FormationRow> {
  const formation = await requireRow(context, Formation, id)
  return changeRow(context, Formation, formation, { payment_status: 'paid', status: 'pending' })
}
