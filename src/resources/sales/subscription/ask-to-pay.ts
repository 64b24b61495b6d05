import { dueJob } from '../../../records/job.ts'
import { findNamed, findRow, findRows, requireRow } from '../../../records/records.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { mailPaymentLink } from './mail-payment-link.ts'
import { ASK_TO_PAY } from './renewal-failed.ts'
import { Subscription } from './subscription.ts'
import { unpaidCheckout } from './unpaid-checkout.ts'

/** E-mails the buyer of an unpaid period a link to a checkout that accepts another card. */
export const askToPay = dueJob(ASK_TO_PAY.name, {
  emits: ['checkout.created', 'email.created'],
  async foresee(context, asked: NonNullable<typeof ASK_TO_PAY.payload>[]) {
    const ids = asked.map(({ subscription }) => subscription)
    const subscriptions = [...(await findRows(context, Subscription, ids)).values()]
    const customers = await findNamed(context, Customer, 'customer', subscriptions)
    return [...customers.values()].map(({ email: to }) => ({ kind: 'email', to }))
  },
  async work(context, { subscription: id }: NonNullable<typeof ASK_TO_PAY.payload>) {
    const subscription = await findRow(context, Subscription, id)
    if (!subscription || (subscription.status !== 'past_due' && subscription.status !== 'unpaid')) return
    const customer = await requireRow(context, Customer, subscription.customer)
    const checkout = await unpaidCheckout(context, subscription, customer)
    await mailPaymentLink(context, { subscription, customer, checkout })
  },
})
