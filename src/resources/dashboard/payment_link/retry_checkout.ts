import { ApiError } from '../../../contract/declarations/errors.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Checkout, type CheckoutRow } from '../../sales/checkout/checkout.ts'
import { createCheckout } from '../../sales/checkout/create.ts'
import { itemsByOrder } from '../../sales/order/items.ts'
import type { OrderRow } from '../../sales/order/order.ts'

/**
 * The checkout where the buyer of a failed order pays after all: its own while it is open, else one of the same things at their
 * present prices, made once. Throws a 400 when the order's own checkout was paid, and a 422 when the things are no longer sold.
 */
export async function retryCheckout(context: Context, order: OrderRow): Promise<CheckoutRow> {
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

/** The latest one that was made for the order. */
async function earlierRetry(context: Context, { id, customer }: OrderRow): Promise<CheckoutRow | undefined> {
  const made = rowsOf(context, 'checkouts').selectAll().where('customer', '=', customer).where('retries', '=', id)
  const raw = await made.orderBy('id', 'desc').limit(1).executeTakeFirst()
  return raw && decode<CheckoutRow>(Checkout, raw)
}

async function openRetry(context: Context, order: OrderRow): Promise<CheckoutRow> {
  const items = (await itemsByOrder([order.id], context)).get(order.id) ?? []
  const line_items = items.map(({ price_variant, quantity }) => ({ price_variant, quantity }))
  const { customer, metadata } = order
  const checkout = await createCheckout(context, { line_items, customer, metadata })
  return changeRow(context, Checkout, checkout, { retries: order.id })
}
