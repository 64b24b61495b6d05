import type { Row } from '../../contract/declarations/noun.ts'
import { everyInterval } from '../../format/intervals.ts'
import { formatDay } from '../../format/moments.ts'
import { formatMoney } from '../../format/money.ts'
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
import { priceOfNext } from '../../resources/sales/subscription/period.ts'
import { nextDue } from '../../resources/sales/subscription/schedule.ts'
import { Subscription } from '../../resources/sales/subscription/subscription.ts'
import { taxOfNext } from '../../resources/sales/subscription/tax.ts'
import { checkoutUrl } from '../../resources/sales/subscription/unpaid-checkout.ts'

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
  const orders = rows.map((row) => decode(Order, row))
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
  const all = rows.map((row) => decode(Subscription, row))
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
  return rows.map((row) => decode(Invoice, row))
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

type SubscriptionRow = Row<typeof Subscription>

export interface Clock {
  timeZone: string
  now: string
}

/** Returns the price and interval of a subscription, such as `2 × $9.00 every month`. */
export function termsWords({ terms, quantity, currency }: SubscriptionRow): string {
  const each = formatMoney(terms.unit_amount, currency)
  return `${quantity > 1 ? `${quantity} × ` : ''}${each} ${everyInterval(terms)}`
}

/** Returns a sentence about the next event of the subscription. `next` is the amount of the next payment. */
export function nextWords(subscription: SubscriptionRow, next: number, { timeZone, now }: Clock): string {
  const { status, current_period_end: end, ends_at, resumes_at } = subscription
  const day = (moment: string) => formatDay(moment, timeZone)
  const amount = formatMoney(next, subscription.currency)
  if (status === 'canceled') return ends_at === null ? 'Ended.' : `Ended on ${day(ends_at)}.`
  if (status === 'past_due' || status === 'unpaid') return failedWords(subscription, amount, { timeZone, now })
  if (status === 'paused') {
    const until = end !== null && end > now ? ` You have access until ${day(end)}.` : ''
    return `Paused: nothing is charged.${resumes_at === null ? '' : ` It resumes on ${day(resumes_at)}.`}${until}`
  }
  if (ends_at !== null && status === 'trialing')
    return `Your trial ends on ${day(ends_at)} and will not continue. Nothing will be charged.`
  if (ends_at !== null) return `Ends on ${day(ends_at)} and will not continue. Nothing more will be charged.`
  if (end === null) return ''
  return `${status === 'trialing' ? 'Free until then. First' : 'Next'} payment: ${amount} on ${day(end)}.`
}

function failedWords(subscription: SubscriptionRow, amount: string, { timeZone, now }: Clock): string {
  const due = nextDue(subscription, now)
  const again = due?.step === 'charge' ? ` It is tried again on ${formatDay(due.at, timeZone)}.` : ''
  return `The last payment of ${amount} failed.${again}`
}
