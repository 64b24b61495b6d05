import type {
  CollectRequest,
  PaymentOutcome,
  PaymentProvider,
  SavedMethod,
} from '../../../providers/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import type { BegunPayment } from './begin.ts'
import { chargePayment, collectPayment, settlePayment } from './jobs.ts'
import { Payment, type PaymentRow } from './payment.ts'
import { settle } from './settle.ts'
import { succeed } from './succeed.ts'

/** The order is absent for a service fee. */
export type PaymentToCollect = Pick<BegunPayment, 'payment'> & Partial<Pick<BegunPayment, 'order'>>
type CollectDetails = Pick<CollectRequest, 'description' | 'email' | 'saveMethod' | 'returnUrl' | 'card'>

/** Collects a payment from a buyer who is present. Nothing is requested from the provider for a free purchase without later charges. */
export async function collect(
  context: Context,
  begun: PaymentToCollect,
  provider: PaymentProvider,
  { card, ...collected }: CollectDetails,
): Promise<void> {
  const { payment } = begun
  if (payment.amount === 0 && !collected.saveMethod) {
    await succeed(context, payment, { reference: null, method: null }, begun.order)
    return
  }
  if (!provider.immediate) {
    await giveUpLater(context, payment)
    await context.enqueue(collectPayment, { payment: payment.id, ...collected }, { awaited: true })
    return
  }
  const request = { ...requestOf(context, payment), ...collected, ...(card !== undefined && { card }) }
  await settleNow(context, begun, await provider.collect(request))
}

export async function charge(
  context: Context,
  begun: BegunPayment,
  provider: string,
  { description, method, awaited = false }: { description: string; method: SavedMethod; awaited?: boolean },
): Promise<void> {
  const { payment } = begun
  const { payments } = context.services
  if (!payments.isImmediate(provider)) {
    await giveUpLater(context, payment)
    await context.enqueue(chargePayment, { payment: payment.id, description, method }, { awaited })
    return
  }
  const request = { ...requestOf(context, payment), description, method }
  await settleNow(context, begun, await payments.named(provider).charge(request))
}

/** A payment that is not final, such as one that the buyer must approve, stays open until it expires. */
async function settleNow(
  context: Context,
  { payment, order }: PaymentToCollect,
  outcome: PaymentOutcome,
): Promise<void> {
  const final = outcome.state === 'succeeded' || outcome.state === 'failed'
  await settle(context, final ? payment : await giveUpLater(context, payment), outcome, order)
}

/** Enqueues the job that settles the payment at its expiry. */
async function giveUpLater(context: Context, payment: PaymentRow): Promise<PaymentRow> {
  const settle_job = await context.enqueue(settlePayment, { payment: payment.id }, { runAt: payment.expires_at })
  return changeRow(context, Payment, payment, { settle_job })
}

function requestOf({ accountId }: Context, { id, amount, currency }: PaymentRow) {
  return { accountId, key: id, amount, currency }
}
