import { ApiError, invalid, missingParameter } from '../../../contract/declarations/errors.ts'
import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { Invoice } from '../../sales/invoice/invoice.ts'
import { Order } from '../../sales/order/order.ts'
import { Subscription } from '../../sales/subscription/subscription.ts'

/** The names that a body gives. */
export type Named = { subscription?: string | undefined; invoice?: string | undefined; order?: string | undefined }

export type Unpaid =
  | { pays: 'subscription'; subscription: Row<typeof Subscription> }
  | { pays: 'invoice'; invoice: Row<typeof Invoice> }
  | { pays: 'order'; order: Row<typeof Order> }

/**
 * What a body names that can still be paid: the failed try of a subscription or an invoice leads to these. Throws a 400 that says why
 * there is nothing to pay.
 */
export async function requireUnpaid(context: Context, given: Named): Promise<Unpaid> {
  const names = (['subscription', 'invoice', 'order'] as const).filter((name) => given[name] !== undefined)
  if (names.length === 0) throw missingParameter('subscription')
  if (names.length > 1) throw invalid({ [names[1]!]: [`cannot be given together with ${names[0]}`] })
  if (given.subscription !== undefined) return unpaidSubscription(context, given.subscription)
  if (given.invoice !== undefined) return unpaidInvoice(context, given.invoice)
  const order = await requireRow(context, Order, given.order!, 'order')
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
