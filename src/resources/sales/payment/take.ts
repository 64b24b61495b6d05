import type { CollectRequest, PaymentProvider, SavedMethod } from '../../../payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import type { Begun } from './begin.ts'
import { chargePayment, collectPayment, settlePayment } from './jobs.ts'
import { Payment } from './payment.ts'
import { settle } from './settle.ts'

type Collected = Pick<CollectRequest, 'description' | 'email' | 'saveMethod' | 'returnUrl' | 'card'>

/** Takes a payment from a buyer who is there: at once where the provider answers at once, else by a job. */
export async function collect(
  context: Context,
  { payment }: Begun,
  provider: PaymentProvider,
  { card, ...collected }: Collected,
): Promise<void> {
  const settle_job = await context.enqueue(settlePayment, { payment: payment.id }, { runAt: payment.expires_at })
  const kept = await changeRow(context, Payment, payment, { settle_job })
  if (!provider.immediate) {
    await context.enqueue(collectPayment, { payment: payment.id, ...collected }, { awaited: true })
    return
  }
  const outcome = await provider.collect({
    ...requestOf(context, payment),
    ...collected,
    ...(card !== undefined && { card }),
  })
  await settle(context, kept, outcome)
}

/** Charges a saved method, while the buyer is away. */
export async function charge(
  context: Context,
  { payment }: Begun,
  provider: PaymentProvider,
  { description, method }: { description: string; method: SavedMethod },
): Promise<void> {
  if (!provider.immediate) {
    const settle_job = await context.enqueue(settlePayment, { payment: payment.id }, { runAt: payment.expires_at })
    await changeRow(context, Payment, payment, { settle_job })
    await context.enqueue(chargePayment, { payment: payment.id, description, method })
    return
  }
  await settle(context, payment, await provider.charge({ ...requestOf(context, payment), description, method }))
}

function requestOf({ accountId }: Context, { id, amount, currency }: Begun['payment']) {
  return { accountId, key: id, amount, currency }
}
