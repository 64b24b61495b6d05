import { ApiError } from '../../../contract/declarations/errors.ts'
import type { OutsideRefund, RefundOutcome } from '../../../providers/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { dueJob, job } from '../../../records/job.ts'
import { changeRow, findNamed, findRow, findRows, insertRow, requireRow } from '../../../records/records.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { queueRefunded } from '../../messages/email/service-mail.ts'
import { buyersGet, noteForTeam } from '../../messages/email/team/notices.ts'
import { itemsByOrder } from '../order/items.ts'
import { Order } from '../order/order.ts'
import { REFUND_EVENTS } from '../payment/events.ts'
import { isOpen } from '../payment/jobs.ts'
import type { PaymentRow } from '../payment/payment.ts'
import { insistAtProvider, providerNamed, unlessGone } from '../payment/provider.ts'
import { soldName } from '../sold-name.ts'
import { bookRefund, findRefund, reverseRefund } from './book.ts'
import { Refund, type RefundRow } from './refund.ts'

/** E-mails the buyer about a successful refund, unless the account has turned these e-mails off. */
export const mailRefunded = dueJob<{ refund: string }>('refund.mail', {
  emits: ['email.created'],
  async foresee(context, payloads) {
    if (!(await buyersGet(context, 'refund'))) return []
    const refunds = await findNamed(context, Refund, 'refund', payloads)
    const orders = await findNamed(context, Order, 'order', refunds.values())
    const customers = await findNamed(context, Customer, 'customer', orders.values())
    return [...customers.values()].map(({ email: to }) => ({ kind: 'email', to }))
  },
  async work(context: Context, { refund: id }) {
    const refund = await findRow(context, Refund, id)
    if (refund?.status !== 'succeeded' || !(await buyersGet(context, 'refund'))) return
    const order = await findRow(context, Order, refund.order)
    const customer = order && (await findRow(context, Customer, order.customer))
    if (!customer) return
    const [first, ...others] = (await itemsByOrder([order.id], context)).get(order.id) ?? []
    const name = first ? soldName(first) : 'your order'
    await queueRefunded(
      context,
      { to: customer.email, customer: customer.id },
      {
        order: order.id,
        name: others.length > 0 ? `${name} and ${others.length} more` : name,
        amount: refund.amount,
        currency: refund.currency,
        refundedAt: context.now,
        isWhole: order.amount_refunded === order.amount,
      },
    )
  },
})

/** Repeating an outcome has no effect. A successful refund can fail days later, if the bank of the buyer returns the money. */
export async function settleRefund(context: Context, refund: RefundRow, outcome: RefundOutcome): Promise<RefundRow> {
  if (refund.status === 'succeeded' && outcome.state === 'failed')
    return reverseRefund(context, refund, outcome.message)
  if (refund.status !== 'pending') return refund
  const { reference } = outcome
  if (outcome.state === 'pending') return changeRow(context, Refund, refund, { reference })
  const order = await requireRow(context, Order, refund.order)
  const freed = { amount_refunding: order.amount_refunding - refund.amount }
  if (outcome.state === 'succeeded') {
    const amount_tax = await bookRefund(context, await changeRow(context, Order, order, freed), refund.amount)
    await context.enqueue(mailRefunded, { refund: refund.id })
    await noteForTeam(context, 'refunds')
    return changeRow(context, Refund, refund, { status: 'succeeded', reference, amount_tax })
  }
  await changeRow(context, Order, order, freed)
  const failed = await changeRow(context, Refund, refund, {
    status: 'failed',
    reference,
    failure_message: outcome.message,
  })
  context.emit(Refund, 'failed', failed)
  return failed
}

const TOO_EARLY = 'The payment that it gives back is not booked yet. Send it again later.'

/** Books a refund made at the provider itself. Throws while its payment is not booked, so that the provider repeats the webhook. */
export async function bookOutsideRefund(context: Context, payment: PaymentRow, told: OutsideRefund): Promise<void> {
  const { reference, outcome } = told
  if (isOpen(payment)) throw new ApiError('overloaded', TOO_EARLY, { headers: { 'Retry-After': '30' } })
  const order = await requireRow(context, Order, payment.order_id)
  const known = await findRefund(context, order.id, reference)
  if (known) return void (await settleRefund(context, known, outcome))
  const amount = Math.min(told.amount, order.amount - order.amount_refunded - order.amount_refunding)
  if (outcome.state === 'failed' || payment.status !== 'succeeded' || amount <= 0) return
  const { title } = await providerNamed(context, payment.provider)
  const charge = order.charge!
  const refund = await insertRow(context, Refund, {
    ...{ order: order.id, charge, payment: payment.id, amount, currency: order.currency, reference },
    ...{ provider: order.processor === 'none' ? 'card' : order.processor, reason: told.reason },
    ...{ notes: `Made at ${title}.`, status: 'pending', metadata: {} },
  })
  await changeRow(context, Order, order, { amount_refunding: order.amount_refunding + amount })
  context.emit(Refund, 'created', refund)
  // Emitting again replaces the content of the event above with the current state of the refund.
  context.emit(Refund, 'created', await settleRefund(context, refund, outcome))
}

interface RefundPayload {
  refund: string
  provider: string
  /** The provider's id of the payment that is refunded. */
  reference: string
}

/** Sends a refund to the provider. Retries use the same idempotency key. */
export const sendRefund = job('refund.send', {
  emits: REFUND_EVENTS,
  attempts: 30,
  async foresee(context, sending: RefundPayload[]) {
    const ids = sending.map(({ refund }) => refund)
    const refunds = [...(await findRows(context, Refund, ids)).values()]
    return refunds.map(({ amount, currency }) => ({ kind: 'refund', amount, currency }))
  },
  async work(job, { refund: id, provider: name, reference }: RefundPayload) {
    const { accountId, signal, attempt } = job
    const refund = await job.transaction((context) => requireRow(context, Refund, id))
    if (refund.status !== 'pending') return
    const { amount, currency } = refund
    const request = { accountId, key: id, reference, amount, currency, signal, attempt }
    const asked = await unlessGone(insistAtProvider(job, name, (provider) => provider.refund(request)))
    const outcome = asked ?? ({ state: 'failed', reference: null, message: CONNECTION_DELETED } as const)
    await job.transaction((context) => settleRefundById(context, id, outcome), { inTurn: true })
  },
})

const CONNECTION_DELETED =
  'The connection to the payment provider was deleted before the refund was made. Refund the payment there.'

export async function settleRefundById(context: Context, id: string, outcome: RefundOutcome): Promise<void> {
  const refund = await findRow(context, Refund, id)
  if (refund) await settleRefund(context, refund, outcome)
}
