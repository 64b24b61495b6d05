import type { Row } from '../../../contract/declarations/noun.ts'
import type { SignedTransfer, TransferTerms } from '../../../outside/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { job } from '../../../records/job.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { SALE_EVENTS } from './events.ts'
import { settleById, settlePayment } from './jobs.ts'
import { Payment } from './payment.ts'
import { isOpen } from './settle.ts'

type PaymentRow = Row<typeof Payment>

/** A transfer that was looked at and is good. */
export interface GoodTransfer {
  key: string
  reference: string
  terms: TransferTerms
  transfer: SignedTransfer
}

/**
 * Claims a transfer for a payment that has begun, and lets a job hand it in. The transfer is taken first, so that whatever comes
 * later finds the checkout claimed: it is never handed in for a second payment.
 */
export async function claimTransfer(
  context: Context,
  payment: PaymentRow,
  { key, reference, terms, transfer }: GoodTransfer,
): Promise<PaymentRow> {
  const settle_job = await context.enqueue(settlePayment, { payment: payment.id }, { runAt: payment.expires_at })
  const claimed = await changeRow(context, Payment, payment, {
    status: 'pending',
    transfer: key,
    reference,
    settle_job,
  })
  await context.enqueue(handInTransfer, { payment: payment.id, reference, terms, transfer }, { awaited: true })
  return claimed
}

interface HandingIn extends Pick<GoodTransfer, 'reference' | 'terms' | 'transfer'> {
  payment: string
}

/** Hands a claimed transfer in, and asks again until the chain says what became of it. */
export const handInTransfer = job('payment.hand_in', {
  emits: SALE_EVENTS,
  attempts: 50,
  timeoutMs: 90_000,
  async work(place, { payment: id, ...handed }: HandingIn) {
    const payment = await place.transaction((context) => findRow(context, Payment, id))
    if (!payment || !isOpen(payment)) return
    const { accountId, services, signal, attempt } = place
    const { x402 } = services.payments
    if (x402 === null) throw new Error('Nothing settles payments in USDC any more; its settings are missing.')
    const { amount, currency } = payment
    const outcome = await x402.handIn({ accountId, key: id, amount, currency, ...handed, attempt, signal })
    await place.transaction((context) => settleById(context, id, outcome), { inTurn: true })
  },
})
