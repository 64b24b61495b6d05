import { inOnePiece } from '../../../contract/values/values.ts'
import { declineOf } from '../../../format/declines.ts'
import type { Context } from '../../../records/context.ts'
import type { CustomerRow } from '../../audience/customer/customer.ts'
import type { EmailRow } from '../../messages/email/email.ts'
import { queueFailedRenewal } from '../../messages/email/service-mail.ts'
import type { CheckoutRow } from '../checkout/checkout.ts'
import { clientSecret } from '../checkout/show.ts'
import { endOfUnpaid, nextDue } from './due.ts'
import type { SubscriptionRow } from './subscription.ts'

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
