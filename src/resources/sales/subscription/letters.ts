import { declineOf } from '../../../format/declines.ts'
import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { findNamed, findRow } from '../../../records/records.ts'
import { Customer, type CustomerRow } from '../../audience/customer/customer.ts'
import type { EmailRow } from '../../messages/email/email.ts'
import { queueCanceled, queueFailedRenewal } from '../../messages/email/service-mail.ts'
import { buyersGet } from '../../messages/email/team/letter-choices.ts'
import type { CheckoutRow } from '../checkout/checkout.ts'
import { endOfUnpaid, nextDue } from './schedule.ts'
import { Subscription, type SubscriptionRow } from './subscription.ts'
import { checkoutUrl } from './unpaid-checkout.ts'

interface PaymentLinkMail {
  subscription: SubscriptionRow
  customer: CustomerRow
  checkout: CheckoutRow
  /** True if a person waits for the response; exceeding a limit for e-mails then throws a 429. */
  awaited?: boolean
}

export function mailPaymentLink(
  context: Context,
  { subscription, customer, checkout, awaited = false }: PaymentLinkMail,
): Promise<EmailRow> {
  const due = nextDue(subscription, context.now)
  return queueFailedRenewal(
    context,
    { to: customer.email, customer: customer.id, awaited },
    {
      product: subscription.terms.product_name,
      amount: checkout.total,
      currency: checkout.currency,
      reason: reasonOf(subscription),
      nextTryAt: due?.step === 'charge' ? due.at : null,
      accessEndsAt: subscription.unpaid_since && endOfUnpaid(subscription.unpaid_since),
      payUrl: checkoutUrl(context, checkout),
    },
  )
}

/** Returns the provider's own words if the code is unknown. */
function reasonOf({ last_payment_error: words, last_payment_error_code: code }: SubscriptionRow) {
  if (words === null) return null
  return code === null || code === 'other' ? words : declineOf(code).buyer
}

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
