import type { Row } from '../../contract/declarations/noun.ts'
import { decode } from '../../records/columns.ts'
import type { Context } from '../../records/context.ts'
import { rowsOf } from '../../records/rows-of.ts'
import { experiencesOf, filesIn } from '../../resources/content/experience/access.ts'
import type { Experience } from '../../resources/content/experience/experience.ts'
import type { File } from '../../resources/content/file/file.ts'
import type { Part } from '../../resources/content/part.ts'
import { Invoice } from '../../resources/sales/invoice/invoice.ts'
import { itemsByOrder } from '../../resources/sales/order/items.ts'
import { Order } from '../../resources/sales/order/order.ts'
import type { OrderItem } from '../../resources/sales/order-item/order-item.ts'
import { findOpenCheckout } from '../../resources/sales/subscription/checkouts.ts'
import { checkoutUrl } from '../../resources/sales/subscription/letters.ts'
import { priceOfNext } from '../../resources/sales/subscription/period.ts'
import { Subscription } from '../../resources/sales/subscription/subscription.ts'
import { taxOfNext } from '../../resources/sales/subscription/tax.ts'

export interface BoughtOrder {
  order: Row<typeof Order>
  items: Row<typeof OrderItem>[]
}

export interface BoughtContent {
  experience: Row<typeof Experience>
  files: Row<typeof File>[]
}

export interface BoughtSubscription {
  subscription: Row<typeof Subscription>
  /** The amount of the next payment in minor units. */
  next: number
  payUrl: string | null
}

const MAX_ROWS = 100

export async function ordersOf(context: Context, customer: string, { offset, limit }: Part): Promise<BoughtOrder[]> {
  const rows = await rowsOf(context, 'orders')
    .selectAll()
    .where('customer', '=', customer)
    .where('paid_at', 'is not', null)
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
  const orders = rows.map((row) => decode<Row<typeof Order>>(Order, row))
  const items = await itemsByOrder(
    orders.map(({ id }) => id),
    context,
  )
  return orders.map((order) => ({ order, items: items.get(order.id) ?? [] }))
}

/** Canceled subscriptions come last. */
export async function subscriptionsOf(context: Context, customer: string): Promise<BoughtSubscription[]> {
  const query = rowsOf(context, 'subscriptions').selectAll().where('customer', '=', customer)
  const rows = await query.orderBy('id', 'desc').limit(MAX_ROWS).execute()
  const all = rows.map((row) => decode<Row<typeof Subscription>>(Subscription, row))
  const [ended, running] = [all.filter(hasEnded), all.filter((one) => !hasEnded(one))]
  return Promise.all(
    [...running, ...ended].map(async (subscription) => ({
      subscription,
      next: await nextPaymentOf(context, subscription),
      payUrl: await payUrlOf(context, subscription),
    })),
  )
}

function hasEnded({ status }: Row<typeof Subscription>): boolean {
  return status === 'canceled'
}

/** Returns the amount of the next payment at today's tax rates, in minor units. */
export async function nextPaymentOf(context: Context, subscription: Row<typeof Subscription>): Promise<number> {
  return priceOfNext(subscription, await taxOfNext(context, subscription)).total
}

export async function payUrlOf(context: Context, { id, status }: Row<typeof Subscription>): Promise<string | null> {
  if (status !== 'past_due' && status !== 'unpaid') return null
  const open = await findOpenCheckout(context, id)
  return open ? checkoutUrl(context, open) : null
}

export async function invoicesOf(context: Context, customer: string): Promise<Row<typeof Invoice>[]> {
  const query = rowsOf(context, 'invoices').selectAll().where('customer', '=', customer)
  const rows = await query.orderBy('id', 'desc').limit(MAX_ROWS).execute()
  return rows.map((row) => decode<Row<typeof Invoice>>(Invoice, row))
}

export async function contentsOf(context: Context, customer: string): Promise<BoughtContent[]> {
  const experiences = await experiencesOf(context, customer)
  return Promise.all(
    experiences.map(async (experience) => {
      const isDownload = experience.item_type === 'download'
      const files = isDownload ? [...(await filesIn(context, experience.content)).values()] : []
      return { experience, files: files.filter(({ store }) => store !== null) }
    }),
  )
}
