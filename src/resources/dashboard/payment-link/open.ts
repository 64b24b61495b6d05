import { ApiError, invalid, missingParameter } from '../../../contract/declarations/errors.ts'
import type { AnswerOf } from '../../../contract/declarations/noun.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, findRow, requireRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Customer, type CustomerRow } from '../../audience/customer/customer.ts'
import type { EmailRow } from '../../messages/email/email.ts'
import { queueFailedOrder } from '../../messages/email/service-mail.ts'
import { Checkout, type CheckoutRow } from '../../sales/checkout/checkout.ts'
import { createCheckout } from '../../sales/checkout/create.ts'
import { mailInvoice } from '../../sales/invoice/create.ts'
import { Invoice, type InvoiceRow } from '../../sales/invoice/invoice.ts'
import { paymentUrl } from '../../sales/invoice/show.ts'
import { itemsByOrder } from '../../sales/order/items.ts'
import { Order, type OrderRow } from '../../sales/order/order.ts'
import { soldName } from '../../sales/sold-name.ts'
import { mailPaymentLink } from '../../sales/subscription/letters.ts'
import { Subscription, type SubscriptionRow } from '../../sales/subscription/subscription.ts'
import { checkoutUrl, unpaidCheckout } from '../../sales/subscription/unpaid-checkout.ts'
import type { PaymentLink } from './payment-link.ts'

const NAMES = ['subscription', 'invoice', 'order'] as const

/** Returns the page where the buyer can pay, and creates a checkout when none is open. */
export async function openPaymentLink(
  context: Context,
  { input }: { input: UnpaidIds },
): Promise<AnswerOf<typeof PaymentLink>> {
  const unpaid = await requireUnpaid(context, input)
  if (unpaid.pays === 'invoice') return { pays: 'invoice', url: paymentUrl(context, unpaid.invoice), expires_at: null }
  const checkout =
    unpaid.pays === 'order'
      ? await retryCheckout(context, unpaid.order)
      : await unpaidCheckout(context, unpaid.subscription, await buyerOf(context, unpaid.subscription))
  return { pays: unpaid.pays, url: checkoutUrl(context, checkout), expires_at: checkout.expires_at }
}

/** E-mails the buyer the payment link. Throws a 429 above the daily limit of such e-mails. */
export async function remindOfPayment(context: Context, { input }: { input: UnpaidIds }): Promise<EmailRow> {
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

/** A request must contain exactly one of these ids. */
type UnpaidIds = { subscription?: string | undefined; invoice?: string | undefined; order?: string | undefined }

type Unpaid =
  | { pays: 'subscription'; subscription: SubscriptionRow }
  | { pays: 'invoice'; invoice: InvoiceRow }
  | { pays: 'order'; order: OrderRow }

/**
 * Finds the unpaid resource that a request names. For a failed order of a subscription or invoice, returns that subscription or invoice.
 * Throws a 400 with the reason when there is nothing to pay.
 */
async function requireUnpaid(context: Context, given: UnpaidIds): Promise<Unpaid> {
  const { subscription, invoice, order: id } = given
  const [first, second] = NAMES.filter((name) => given[name] !== undefined)
  if (second !== undefined) throw invalid({ [second]: [`cannot be given together with ${first}`] })
  if (subscription !== undefined) return unpaidSubscription(context, subscription)
  if (invoice !== undefined) return unpaidInvoice(context, invoice)
  if (id === undefined) throw missingParameter('subscription')
  const order = await requireRow(context, Order, id, 'order')
  if (order.status !== 'failed')
    throw new ApiError('invalid_state', `This order is ${order.status}, so there is no failed payment to make again.`)
  if (order.subscription !== null) return unpaidSubscription(context, order.subscription)
  if (order.invoice !== null) return unpaidInvoice(context, order.invoice)
  return { pays: 'order', order }
}

async function unpaidSubscription(context: Context, id: string): Promise<Unpaid> {
  const subscription = await requireRow(context, Subscription, id, 'subscription')
  if (subscription.status !== 'past_due' && subscription.status !== 'unpaid')
    throw new ApiError('invalid_state', `This subscription is ${subscription.status} and has nothing left to pay.`)
  return { pays: 'subscription', subscription }
}

async function unpaidInvoice(context: Context, id: string): Promise<Unpaid> {
  const invoice = await requireRow(context, Invoice, id, 'invoice')
  if (invoice.status !== 'open' && invoice.status !== 'past_due')
    throw new ApiError('invalid_state', `Invoice ${invoice.number} is ${invoice.status} and cannot be paid.`)
  return { pays: 'invoice', invoice }
}

/**
 * Returns the order's open checkout, the open one of an earlier retry, or a new one with the same items at present prices. Throws a 400
 * when the buyer has already paid, and a 422 when the items are no longer sold.
 */
async function retryCheckout(context: Context, order: OrderRow): Promise<CheckoutRow> {
  const own = order.checkout === null ? undefined : await findRow(context, Checkout, order.checkout)
  if (own?.status === 'complete')
    throw new ApiError('invalid_state', `The buyer has paid since then: order ${own.order}.`)
  if (own && isOpen(context, own)) return own
  const earlier = await earlierRetry(context, order)
  if (earlier?.status === 'complete')
    throw new ApiError('invalid_state', `The buyer has paid since then: order ${earlier.order}.`)
  return earlier && isOpen(context, earlier) ? earlier : openRetry(context, order)
}

function isOpen({ now }: Context, { status, expires_at }: CheckoutRow): boolean {
  return status === 'open' && expires_at > now
}

async function earlierRetry(context: Context, { id, customer }: OrderRow): Promise<CheckoutRow | undefined> {
  const made = rowsOf(context, 'checkouts').selectAll().where('customer', '=', customer).where('retries', '=', id)
  const raw = await made.orderBy('id', 'desc').limit(1).executeTakeFirst()
  return raw && decode(Checkout, raw)
}

async function openRetry(context: Context, order: OrderRow): Promise<CheckoutRow> {
  const items = (await itemsByOrder([order.id], context)).get(order.id) ?? []
  const line_items = items.map(({ price_variant, quantity }) => ({ price_variant, quantity }))
  const { customer, metadata } = order
  const checkout = await createCheckout(context, { line_items, customer, metadata })
  return changeRow(context, Checkout, checkout, { retries: order.id })
}
