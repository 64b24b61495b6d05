import { ApiError, invalid, missingParameter } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { Invoice, type InvoiceRow } from '../../sales/invoice/invoice.ts'
import { Order, type OrderRow } from '../../sales/order/order.ts'
import { Subscription, type SubscriptionRow } from '../../sales/subscription/subscription.ts'

const NAMES = ['subscription', 'invoice', 'order'] as const

/** The names that a body gives. */
export type Named = { subscription?: string | undefined; invoice?: string | undefined; order?: string | undefined }

export type Unpaid =
  | { pays: 'subscription'; subscription: SubscriptionRow }
  | { pays: 'invoice'; invoice: InvoiceRow }
  | { pays: 'order'; order: OrderRow }

/**
 * What a body names that can still be paid: the failed try of a subscription or an invoice leads to these. Throws a 400 that says why
 * there is nothing to pay.
 */
export async function requireUnpaid(context: Context, given: Named): Promise<Unpaid> {
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
