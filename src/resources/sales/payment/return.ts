import type { PaymentOutcome } from '../../../providers/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { job } from '../../../records/job.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
import { disputeTestCard } from '../dispute/book.ts'
import { Order, type OrderRow } from '../order/order.ts'
import { fail, insertCharge, succeed } from './outcome.ts'
import { partiesOf } from './parties.ts'
import { Payment, type PaymentRow } from './payment.ts'
import { insistAtProvider, unlessGone } from './provider.ts'

interface ReturnPayload {
  payment: string
  provider: string
  reference: string
  amount: number
  currency: string
}

/** Refunds money that arrived after its payment was given up, for example because an invoice was voided. */
async function giveMoneyBack(context: Context, payment: PaymentRow, reference: string): Promise<void> {
  if (payment.transfer !== null) return bookLate(context, payment, reference)
  await changeRow(context, Payment, payment, { status: 'returned', reference })
  if (payment.amount === 0) return
  if (payment.formation === null) await bookReturned(context, payment, reference)
  const { id, provider, amount, currency } = payment
  await context.enqueue(returnMoney, { payment: id, provider, reference, amount, currency })
}

/** Only the shop can return a late transfer, which went to its own wallet; the message of the charge says so. */
async function bookLate(context: Context, payment: PaymentRow, reference: string): Promise<void> {
  await changeRow(context, Payment, payment, { status: 'late', reference })
  const order = await requireRow(context, Order, payment.order_id)
  const { payer } = partiesOf(payment)
  await insertCharge(context, payment, order, {
    status: 'failed',
    reference,
    message: `The payment arrived in your wallet after it was given up, so nothing was sold for it. Send it back to ${payer}, the wallet that paid.`,
  })
}

async function bookReturned(context: Context, payment: PaymentRow, reference: string): Promise<void> {
  const order = await requireRow(context, Order, payment.order_id)
  await insertCharge(context, payment, order, {
    status: 'refunded',
    reference,
    message: 'The payment arrived too late and was returned.',
  })
}

export const returnMoney = job('payment.return', {
  attempts: 50,
  foresee: async (_, returned: ReturnPayload[]) =>
    returned.map(({ amount, currency }) => ({ kind: 'refund', amount, currency })),
  async work(job, { payment, provider: name, reference, amount, currency }: ReturnPayload) {
    const { accountId, signal, attempt } = job
    const request = { accountId, key: `${payment}_return`, reference, amount, currency, signal, attempt }
    const outcome = await unlessGone(insistAtProvider(job, name, (provider) => provider.refund(request)))
    if (outcome === null)
      return job.warn({ payment, reference }, 'A late payment was not returned: its connection is deleted')
    if (outcome.state === 'failed') throw new Error(`The payment could not be returned: ${outcome.message}`)
  },
})

/** Whether the outcome of a payment is not known yet. */
export function isOpen({ status }: Pick<PaymentRow, 'status'>): boolean {
  return status === 'begun' || status === 'needs_buyer' || status === 'pending'
}

/**
 * Repeating an outcome has no effect; money that arrives after a payment was given up is refunded. `order` is the payment's order if the
 * caller has just created it.
 */
export async function settle(
  context: Context,
  payment: PaymentRow,
  outcome: PaymentOutcome,
  order?: OrderRow,
): Promise<void> {
  if (!isOpen(payment)) {
    const late = payment.status === 'failed' || payment.status === 'released'
    if (late && outcome.state === 'succeeded') await giveMoneyBack(context, payment, outcome.reference)
    return
  }
  if (outcome.state === 'succeeded') {
    await succeed(context, payment, outcome, order)
    await disputeTestCard(context, payment, outcome.reference)
  } else if (outcome.state === 'failed') await fail(context, payment, { code: 'other', ...outcome, status: 'failed' })
  else {
    const url = outcome.state === 'needs_buyer' ? outcome.url : null
    await changeRow(context, Payment, payment, { status: outcome.state, reference: outcome.reference, url })
  }
}
