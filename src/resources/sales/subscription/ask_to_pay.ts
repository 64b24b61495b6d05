import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { findRow, findRows, requireRow } from '../../../records/records.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { Discount } from '../../catalog/discount/discount.ts'
import { queueFailedRenewal } from '../../messages/email/service_mail.ts'
import { Charge } from '../charge/charge.ts'
import type { Checkout } from '../checkout/checkout.ts'
import { openCheckout } from '../checkout/open.ts'
import { clientSecret } from '../checkout/secret.ts'
import { placeOf } from '../checkout/tax/terms.ts'
import { Order } from '../order/order.ts'
import { findOpenCheckout } from './checkouts.ts'
import { endOfUnpaid, nextDue } from './due.ts'
import { priceOfNext } from './period.ts'
import { ASK_TO_PAY } from './renewal_failed.ts'
import { Subscription } from './subscription.ts'
import { taxOfNext } from './tax.ts'

type SubscriptionRow = Row<typeof Subscription>
type CustomerRow = Row<typeof Customer>

/** Sends the buyer of an unpaid period a link to a checkout, where another card can be entered. */
export const askToPay = dueJob(ASK_TO_PAY.name, {
  emits: ['checkout.created', 'email.created'],
  async foresee(context, asked: NonNullable<typeof ASK_TO_PAY.payload>[]) {
    const ids = asked.map(({ subscription }) => subscription)
    const subscriptions = [...(await findRows(context, Subscription, ids)).values()]
    const customers = await findRows(
      context,
      Customer,
      subscriptions.map(({ customer }) => customer),
    )
    return [...customers.values()].map(({ email: to }) => ({ kind: 'email', to }))
  },
  async work(context, { subscription: id, order }: NonNullable<typeof ASK_TO_PAY.payload>) {
    const subscription = await findRow(context, Subscription, id)
    if (!subscription || (subscription.status !== 'past_due' && subscription.status !== 'unpaid')) return
    const customer = await requireRow(context, Customer, subscription.customer)
    const checkout = await checkoutOf(context, subscription, customer)
    await sendLink(context, subscription, customer, { checkout, reason: await reasonOf(context, order) })
  },
})

/** The one checkout of the unpaid period. It stays open for as long as the period can be paid. */
async function checkoutOf(
  context: Context,
  subscription: SubscriptionRow,
  customer: CustomerRow,
): Promise<Row<typeof Checkout>> {
  const open = await findOpenCheckout(context, subscription.id)
  if (open) return open
  const { discount, ...totals } = priceOfNext(subscription, await taxOfNext(context, subscription))
  const known = discount === null ? null : ((await findRow(context, Discount, discount)) ?? null)
  return openCheckout(context, {
    ...{ email: customer.email, customer: customer.id, priced: { ...totals, discount: known } },
    values: { ...placeOf(subscription), subscription: subscription.id, metadata: subscription.metadata },
    expiresAt: endOfUnpaid(subscription.unpaid_since!),
  })
}

/** Why the try failed, in the provider's words. */
async function reasonOf(context: Context, orderId: string): Promise<string | null> {
  const { charge } = await requireRow(context, Order, orderId)
  const failed = charge === null ? undefined : await findRow(context, Charge, charge)
  return failed?.failure_message ?? null
}

interface Asked {
  checkout: Row<typeof Checkout>
  reason: string | null
}

async function sendLink(
  context: Context,
  subscription: SubscriptionRow,
  { id, email }: CustomerRow,
  { checkout, reason }: Asked,
): Promise<void> {
  const due = nextDue(subscription, context.now)
  await queueFailedRenewal(
    context,
    { to: email, customer: id },
    {
      product: subscription.terms.product_name,
      amount: checkout.total,
      currency: checkout.currency,
      reason,
      nextTryAt: due?.step === 'charge' ? due.at : null,
      accessEndsAt: endOfUnpaid(subscription.unpaid_since!),
      payUrl: `${context.publicUrl}/checkout/${clientSecret(context, checkout.id)}`,
    },
  )
}
