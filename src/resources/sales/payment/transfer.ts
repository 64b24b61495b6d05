import { ApiError } from '../../../contract/declarations/errors.ts'
import { laterBy } from '../../../contract/values/values.ts'
import type { Listing, PaymentOutcome, SignedTransfer, TransferTerms } from '../../../providers/payments/provider.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { job } from '../../../records/job.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { isTaken } from '../../../records/unique.ts'
import { SALE_EVENTS } from './events.ts'
import { settlePayment } from './jobs.ts'
import { Payment, type PaymentRow } from './payment.ts'
import { isOpen, settleById } from './settle.ts'

/** A signed USDC transfer that was verified. */
export interface GoodTransfer {
  key: string
  reference: string
  terms: TransferTerms
  transfer: SignedTransfer
  listing?: Listing | undefined
}

/** Records a transfer and enqueues its submission. Transfers are unique, so no second payment can use this one. */
export async function claimTransfer(
  context: Context,
  payment: PaymentRow,
  { key, reference, terms, transfer, listing }: GoodTransfer,
): Promise<PaymentRow> {
  const settle_job = await context.enqueue(settlePayment, { payment: payment.id }, { runAt: payment.expires_at })
  const claimed = await changeRow(context, Payment, payment, {
    status: 'pending',
    transfer: key,
    reference,
    settle_job,
  })
  await context.enqueue(handInTransfer, { payment: payment.id, reference, terms, transfer, listing }, { awaited: true })
  return claimed
}

interface TransferPayload extends Pick<GoodTransfer, 'reference' | 'terms' | 'transfer' | 'listing'> {
  payment: string
}

/** Submits a recorded transfer to the chain, and retries until the outcome is known. */
export const handInTransfer = job('payment.hand_in', {
  emits: SALE_EVENTS,
  attempts: 50,
  timeoutMs: 90_000,
  async work(job, { payment: id, ...handed }: TransferPayload) {
    const payment = await job.transaction((context) => findRow(context, Payment, id))
    if (!payment || !isOpen(payment)) return
    const { accountId, services, signal, attempt } = job
    const { x402 } = services.payments
    if (x402 === null) throw new Error('Nothing settles payments in USDC any more; its settings are missing.')
    const { amount, currency } = payment
    const outcome = await x402.handIn({ accountId, key: id, amount, currency, ...handed, attempt, signal })
    await job.transaction((context) => settleHanded(context, id, handed.reference, outcome), { inTurn: true })
  },
})

/** The delay after which a failed transfer is checked on the chain once more; no transfer is valid for longer. */
const ASKED_AGAIN_MS = 15 * 60 * 1000

async function settleHanded(context: Context, payment: string, reference: string, outcome: PaymentOutcome) {
  await settleById(context, payment, outcome)
  if (outcome.state !== 'failed') return
  await context.enqueue(lookAgain, { payment, reference }, { runAt: laterBy(context.now, ASKED_AGAIN_MS) })
}

/** Checks a failed transfer once more, because anybody could have submitted it. Money that arrived is then recorded. */
export const lookAgain = job('payment.look_again', {
  emits: SALE_EVENTS,
  attempts: 50,
  async work(
    { accountId, services, signal, transaction },
    { payment, reference }: { payment: string; reference: string },
  ) {
    const { x402 } = services.payments
    const outcome = await x402?.lookUp({ accountId, key: payment, reference, signal })
    if (outcome?.state === 'pending') throw new Error('The transfer is not decided yet.')
    if (outcome?.state === 'succeeded')
      await transaction((context) => settleById(context, payment, outcome), { inTurn: true })
  },
})

/** Returns the account's payment that uses this transfer, or null. */
export async function paymentOfTransfer(context: Context, key: string): Promise<PaymentRow | null> {
  const raw = await rowsOf(context, 'payments').selectAll().where('transfer', '=', key).executeTakeFirst()
  return raw ? decode(Payment, raw) : null
}

/** Throws a 400 for a used transfer. Accounts may share a wallet, so all are checked; the error reveals nothing about the others. */
export async function requireFirstUse(context: Context, key: string): Promise<void> {
  if (await isTaken(context, Payment, ['transfer', key], { everywhere: true }))
    throw new ApiError('invalid_state', 'This payment was sent for another checkout already. Sign a new one.')
}
