import { inOnePiece } from '../../../contract/values/values.ts'
import { declineOf } from '../../../format/declines.ts'
import type { Context } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import type { CustomerRow } from '../../audience/customer/customer.ts'
import { Discount } from '../../catalog/discount/discount.ts'
import type { EmailRow } from '../../messages/email/email.ts'
import { queueFailedRenewal } from '../../messages/email/service-mail.ts'
import type { CheckoutRow } from '../checkout/checkout.ts'
import { openCheckout } from '../checkout/create.ts'
import { clientSecret } from '../checkout/show.ts'
import { placeOf } from '../checkout/tax/terms.ts'
import { findOpenCheckout } from './checkouts.ts'
import { priceOfNext } from './period.ts'
import { endOfUnpaid, nextDue } from './schedule.ts'
import type { SubscriptionRow } from './subscription.ts'
import { taxOfNext } from './tax.ts'

interface PaymentLinkMail {
  subscription: SubscriptionRow
  customer: CustomerRow
  checkout: CheckoutRow
  /** True if a person waits for the response; too many such e-mails then throw a 429. */
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

export function checkoutUrl(context: Context, { id }: { id: string }): string {
  return inOnePiece(context.publicUrl, '/checkout/', clientSecret(context, id))
}

/** Returns the provider's own words if the code is unknown. */
function reasonOf({ last_payment_error: words, last_payment_error_code: code }: SubscriptionRow) {
  if (words === null) return null
  return code === null || code === 'other' ? words : declineOf(code).buyer
}

/** Finds or creates the checkout for the unpaid period, which stays open for as long as the period can be paid. */
export async function unpaidCheckout(
  context: Context,
  subscription: SubscriptionRow,
  customer: CustomerRow,
): Promise<CheckoutRow> {
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
