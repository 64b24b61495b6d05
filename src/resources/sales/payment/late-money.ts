import type { Context } from '../../../records/context.ts'
import { job } from '../../../records/job.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
import { Order } from '../order/order.ts'
import { insertCharge } from './outcome.ts'
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

/** Refunds money that arrived after its payment was given up, such as for a voided invoice. Late USDC is only recorded. */
export async function giveMoneyBack(context: Context, payment: PaymentRow, reference: string): Promise<void> {
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
