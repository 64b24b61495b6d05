import type { RefundOutcome } from '../../../providers/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { changeRow, findNamed, findRow, requireRow } from '../../../records/records.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { queueRefunded } from '../../messages/email/service-mail.ts'
import { buyersGet } from '../../messages/email/team/choices.ts'
import { noteForTeam } from '../../messages/email/team/note-for-team.ts'
import { itemsByOrder } from '../order/items.ts'
import { Order } from '../order/order.ts'
import { soldName } from '../sold-name.ts'
import { bookRefund, reverseRefund } from './book.ts'
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
