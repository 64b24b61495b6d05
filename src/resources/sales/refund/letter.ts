import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { findNamed, findRow } from '../../../records/records.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { queueRefunded } from '../../messages/email/service-mail.ts'
import { buyersGet } from '../../messages/email/team/letter-choices.ts'
import { itemsByOrder } from '../order/items.ts'
import { Order } from '../order/order.ts'
import { soldName } from '../sold-name.ts'
import { Refund } from './refund.ts'

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
