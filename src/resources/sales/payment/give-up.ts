import { ApiError } from '../../../contract/declarations/errors.ts'
import type { PaymentProvider } from '../../../providers/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { type JobContext, job } from '../../../records/job.ts'
import { requireRow } from '../../../records/records.ts'
import { SALE_EVENTS } from './events.ts'
import { fail } from './outcome.ts'
import { Payment, type PaymentRow } from './payment.ts'
import { insistAtProvider, unlessGone } from './provider.ts'
import { isOpen, settleById } from './settle.ts'

/** Ends a payment at the provider after it was given up, so that the buyer pays no money that has to be refunded. */
export const abandonPayment = job('payment.abandon', {
  emits: SALE_EVENTS,
  async work(job, { payment: id }: { payment: string }) {
    const payment = await job.transaction((context) => requireRow(context, Payment, id))
    if (payment.reference !== null) await giveUpAtProvider(job, payment, payment.reference)
  },
})

/** Ends a payment at the provider. If it has succeeded by then, the success is recorded. */
export async function giveUpAtProvider(job: JobContext, payment: PaymentRow, reference: string): Promise<void> {
  const { accountId, signal } = job
  const named = { accountId, key: payment.id, reference, signal }
  const end = async (provider: PaymentProvider) => {
    await provider.abandon(named)
    return provider.lookUp(named)
  }
  const outcome = await unlessGone(insistAtProvider(job, payment.provider, end))
  if (outcome?.state === 'succeeded')
    await job.transaction((context) => settleById(context, payment.id, outcome), { inTurn: true })
}

/** `isLost` means that no card was tried, because the connection could make no request. */
export async function release(
  context: Context,
  id: string,
  message = 'The payment was not completed in time.',
  { isLost = false } = {},
): Promise<void> {
  const payment = await requireRow(context, Payment, id)
  if (isOpen(payment))
    await fail(context, payment, { status: 'released', reference: null, message, code: 'not_completed', isLost })
}

/** Gives up a payment before it expires, and ends it at the provider. Throws a 400 for USDC, which could not be refunded. */
export async function giveUp(context: Context, id: string, message: string): Promise<void> {
  await requireReturnable(context, id)
  await release(context, id, message)
  const { provider } = await requireRow(context, Payment, id)
  if (!context.services.payments.isImmediate(provider)) await context.enqueue(abandonPayment, { payment: id })
}

/** Throws a 400 for an open payment in USDC, because the service could not refund it if it succeeds later. */
async function requireReturnable(context: Context, paymentId: string): Promise<void> {
  const payment = await requireRow(context, Payment, paymentId)
  if (payment.transfer === null || !isOpen(payment)) return
  throw new ApiError(
    'invalid_state',
    'It is being paid in USDC right now, and such a payment cannot be sent back. Try again in ten minutes.',
  )
}
