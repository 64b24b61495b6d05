import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { findNamed, findRow } from '../../../records/records.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { queueCanceled } from '../../messages/email/service-mail.ts'
import { buyersGet } from '../../messages/email/team/choices.ts'
import { Subscription } from './subscription.ts'

/** E-mails the buyer about the end of a subscription, unless it was resumed or the account has turned these e-mails off. */
export const mailCanceled = dueJob<{ subscription: string }>('subscription.mail_canceled', {
  emits: ['email.created'],
  async foresee(context, payloads) {
    if (!(await buyersGet(context, 'cancellation'))) return []
    const all = await findNamed(context, Subscription, 'subscription', payloads)
    const customers = await findNamed(context, Customer, 'customer', all.values())
    return [...customers.values()].map(({ email: to }) => ({ kind: 'email', to }))
  },
  async work(context: Context, { subscription: id }) {
    const subscription = await findRow(context, Subscription, id)
    if (!subscription?.canceled || subscription.ends_at === null) return
    const customer = await findRow(context, Customer, subscription.customer)
    if (!customer || !(await buyersGet(context, 'cancellation'))) return
    const { ends_at: endsAt, status, terms, cancellation_reason, first_charged_at } = subscription
    await queueCanceled(
      context,
      { to: customer.email, customer: customer.id },
      {
        product: terms.product_name,
        endsAt,
        isOver: status === 'canceled',
        isUnpaid: status === 'canceled' && cancellation_reason === 'unpaid',
        inTrial: first_charged_at === null,
      },
    )
  },
})
