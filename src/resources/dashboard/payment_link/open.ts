import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { Customer, type CustomerRow } from '../../audience/customer/customer.ts'
import type { EmailRow } from '../../messages/email/email.ts'
import { queueFailedOrder } from '../../messages/email/service_mail.ts'
import { mailInvoice } from '../../sales/invoice/send.ts'
import { paymentUrl } from '../../sales/invoice/show.ts'
import { itemsByOrder } from '../../sales/order/items.ts'
import { soldName } from '../../sales/sold_name.ts'
import { checkoutUrl, mailPaymentLink } from '../../sales/subscription/mail_payment_link.ts'
import { unpaidCheckout } from '../../sales/subscription/unpaid_checkout.ts'
import { type Named, requireUnpaid } from './find.ts'
import { retryCheckout } from './retry_checkout.ts'

/** Where the buyer pays. What has no page yet gets one, once. */
export async function openPaymentLink(context: Context, { input }: { input: Named }): Promise<object> {
  const unpaid = await requireUnpaid(context, input)
  if (unpaid.pays === 'invoice') return { pays: 'invoice', url: paymentUrl(context, unpaid.invoice), expires_at: null }
  const checkout =
    unpaid.pays === 'order'
      ? await retryCheckout(context, unpaid.order)
      : await unpaidCheckout(context, unpaid.subscription, await buyerOf(context, unpaid.subscription))
  return { pays: unpaid.pays, url: checkoutUrl(context, checkout), expires_at: checkout.expires_at }
}

/** Mails the same to the buyer, with the reason. Throws a 429 over the daily number of such letters. */
export async function remindOfPayment(context: Context, { input }: { input: Named }): Promise<EmailRow> {
  const unpaid = await requireUnpaid(context, input)
  if (unpaid.pays === 'invoice') return mailInvoice(context, unpaid.invoice, { awaited: true })
  if (unpaid.pays === 'subscription') {
    const { subscription } = unpaid
    const customer = await buyerOf(context, subscription)
    const checkout = await unpaidCheckout(context, subscription, customer)
    return mailPaymentLink(context, { subscription, customer, checkout, awaited: true })
  }
  const { order } = unpaid
  const { id, email: to } = await buyerOf(context, order)
  const checkout = await retryCheckout(context, order)
  const [first] = (await itemsByOrder([order.id], context)).get(order.id) ?? []
  return queueFailedOrder(
    context,
    { to, customer: id, awaited: true },
    {
      name: first ? soldName(first) : 'your order',
      amount: checkout.total,
      currency: checkout.currency,
      payUrl: checkoutUrl(context, checkout),
      until: checkout.expires_at,
    },
  )
}

function buyerOf(context: Context, { customer }: { customer: string }): Promise<CustomerRow> {
  return requireRow(context, Customer, customer)
}
