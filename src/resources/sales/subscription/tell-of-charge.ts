import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { findRow } from '../../../records/records.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { queueComingCharge } from '../../messages/email/service-mail.ts'
import { buyersGet } from '../../messages/email/team/choices.ts'
import { type ComingCharge, TELL_OF_CHARGE } from './coming-charge.ts'
import { priceOfNext } from './period.ts'
import { Subscription } from './subscription.ts'
import { taxOfNext } from './tax.ts'

/** E-mails the buyer about the next charge, unless it is no longer due or the account has turned these e-mails off. */
export const tellOfCharge = dueJob<ComingCharge>(TELL_OF_CHARGE.name, {
  emits: ['email.created'],
  async work(context: Context, { subscription: id, chargedAt }) {
    const subscription = await findRow(context, Subscription, id)
    if (!subscription || subscription.current_period_end !== chargedAt || subscription.ends_at !== null) return
    const { status, terms, currency } = subscription
    if (status !== 'active' && status !== 'trialing') return
    const endsTrial = status === 'trialing'
    if (!(await buyersGet(context, endsTrial ? 'trial' : 'renewal'))) return
    const customer = await findRow(context, Customer, subscription.customer)
    const { total: amount } = priceOfNext(subscription, await taxOfNext(context, subscription))
    if (!customer || amount === 0) return
    const { interval, interval_count: intervalCount, product_name: product } = terms
    const data = { product, endsTrial, amount, currency, interval, intervalCount, chargedAt }
    await queueComingCharge(context, { to: customer.email, customer: customer.id }, data)
  },
})
