import { ApiError } from '../../../contract/declarations/errors.ts'
import { laterBy } from '../../../contract/values/values.ts'
import type { Listing, PaymentOutcome, SignedTransfer, TransferTerms } from '../../../outside/payments/provider.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { job } from '../../../records/job.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { isTaken } from '../../../records/unique.ts'
import { SALE_EVENTS } from './events.ts'
import { settleById, settlePayment } from './jobs.ts'
import { Payment, type PaymentRow } from './payment.ts'
import { isOpen } from './settle.ts'

/** A transfer that was looked at and is good. */
export interface GoodTransfer {
  key: string
  reference: string
  terms: TransferTerms
  transfer: SignedTransfer
  listing?: Listing | undefined
}

/**
 * Claims a transfer for a payment that has begun, and lets a job hand it in. The transfer is taken first, so that whatever comes
 * later finds the checkout claimed: it is never handed in for a second payment.
 */
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

interface HandingIn extends Pick<GoodTransfer, 'reference' | 'terms' | 'transfer' | 'listing'> {
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
    await place.transaction((context) => settleHanded(context, id, handed.reference, outcome), { inTurn: true })
  },
})

/** How long after a failure the chain is asked once more: no transfer holds for longer. */
const ASKED_AGAIN_MS = 15 * 60 * 1000

async function settleHanded(context: Context, payment: string, reference: string, outcome: PaymentOutcome) {
  await settleById(context, payment, outcome)
  if (outcome.state !== 'failed') return
  await context.enqueue(lookAgain, { payment, reference }, { runAt: laterBy(context.now, ASKED_AGAIN_MS) })
}

/** A transfer that was refused could still have been made by somebody else: the shop is told of money that nothing was sold for. */
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

/** The payment of the account that a transfer makes, by its key, if there is one. */
export async function paymentOfTransfer(context: Context, key: string): Promise<PaymentRow | null> {
  const raw = await rowsOf(context, 'payments').selectAll().where('transfer', '=', key).executeTakeFirst()
  return raw ? decode<PaymentRow>(Payment, raw) : null
}

/**
 * Throws a 400 over a transfer that pays something already. The chain takes it once, whoever sells: accounts may share a wallet, so
 * all accounts are looked at, and nothing of another's is told.
 */
export async function requireFirstUse(context: Context, key: string): Promise<void> {
  if (await isTaken(context, Payment, ['transfer', key], { everywhere: true }))
    throw new ApiError('invalid_state', 'This payment was sent for another checkout already. Sign a new one.')
}
