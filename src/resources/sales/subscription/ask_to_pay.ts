import type { Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { findRow, requireRow } from '../../../records/records.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { Discount } from '../../catalog/discount/discount.ts'
import type { Checkout } from '../checkout/checkout.ts'
import { openCheckout } from '../checkout/open.ts'
import { findOpenCheckout } from './checkouts.ts'
import { endOfUnpaid } from './due.ts'
import { priceOfNext } from './period.ts'
import { ASK_TO_PAY } from './renewal_failed.ts'
import { Subscription } from './subscription.ts'

/** Gives the buyer of an unpaid period a checkout to pay it by, in which another card can be entered. */
export const askToPay = dueJob(ASK_TO_PAY.name, {
  emits: ['checkout.created'],
  async work(context, { subscription: id }: NonNullable<typeof ASK_TO_PAY.payload>) {
    const subscription = await findRow(context, Subscription, id)
    if (!subscription || (subscription.status !== 'past_due' && subscription.status !== 'unpaid')) return
    await checkoutOf(context, subscription)
  },
})

/** The one checkout of the unpaid period. It stays open for as long as the period can be paid. */
async function checkoutOf(context: Context, subscription: Row<typeof Subscription>): Promise<Row<typeof Checkout>> {
  const open = await findOpenCheckout(context, subscription.id)
  if (open) return open
  const { email } = await requireRow(context, Customer, subscription.customer)
  const { discount, ...totals } = priceOfNext(subscription)
  const known = discount === null ? null : ((await findRow(context, Discount, discount)) ?? null)
  return openCheckout(context, {
    ...{ email, customer: subscription.customer, priced: { ...totals, discount: known } },
    values: { subscription: subscription.id, metadata: subscription.metadata },
    expiresAt: endOfUnpaid(subscription.unpaid_since!),
  })
}
