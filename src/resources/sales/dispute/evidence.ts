import { formatUtcMoment } from '../../../format/moments.ts'
import { formatMoney } from '../../../format/money.ts'
import { plainText } from '../../../format/plain-text.ts'
import type { Context } from '../../../records/context.ts'
import { dashboardRead } from '../../../records/dashboard-read.ts'
import { findNamed, requireRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { PriceVariant } from '../../catalog/price-variant/price-variant.ts'
import { itemsByOrder } from '../order/items.ts'
import { Order, type OrderRow } from '../order/order.ts'
import { soldName } from '../sold-name.ts'
import { Dispute, type DisputeRow, type Evidence } from './dispute.ts'

/** Shows the evidence of a dispute. */
export const disputeEvidence = dashboardRead('sales.read', async (context, id: string) =>
  evidenceOf(context, await requireRow(context, Dispute, id)),
)

/** The maximum number of e-mails, sign-ins and items that the evidence lists. */
const MOST_NAMED = 20

/** Returns the evidence that was sent to the bank, or else the evidence that an answer would include now. */
export async function evidenceOf(context: Context, dispute: DisputeRow): Promise<Evidence> {
  const { order: id, evidence, response_status: status } = dispute
  if (evidence !== null && (status === 'sending' || status === 'sent')) return evidence
  const order = await requireRow(context, Order, id)
  const customer = await requireRow(context, Customer, order.customer)
  return {
    customerName: customer.name,
    customerEmail: customer.email,
    product: await productOf(context, order),
    access: (await accessOf(context, order)).join('\n') || null,
    refundPolicy: await refundPolicyOf(context),
  }
}

async function productOf(context: Context, order: OrderRow): Promise<string> {
  const { id, paid_at, amount, amount_refunded, currency } = order
  const items = (await itemsByOrder([id], context)).get(id) ?? []
  return [
    `Order ${id}${paid_at === null ? '' : `, paid on ${formatUtcMoment(paid_at)}`}`,
    ...items.slice(0, MOST_NAMED).map((item) => `${item.quantity} × ${soldName(item)}`),
    `Total ${formatMoney(amount, currency)}`,
    ...(amount_refunded > 0 ? [`Already refunded: ${formatMoney(amount_refunded, currency)}`] : []),
  ].join('\n')
}

/** Lists when access to the products began, when the buyer signed in, and which e-mails were sent. */
async function accessOf(context: Context, { id, customer, created_at }: OrderRow): Promise<string[]> {
  const granted = rowsOf(context, 'access_grants').select(['price_variant', 'starts_at']).where('order_id', '=', id)
  const visits = rowsOf(context, 'buyer_sessions').select('created_at').where('customer', '=', customer)
  const letters = rowsOf(context, 'emails').select(['subject', 'to', 'sent_at']).where('customer', '=', customer)
  const [grants, sessions, sent] = await Promise.all([
    granted.orderBy('id').limit(MOST_NAMED).execute(),
    visits.where('created_at', '>=', created_at).orderBy('created_at').limit(MOST_NAMED).execute(),
    letters
      .where('created_at', '>=', created_at)
      .where('status', '=', 'sent')
      .orderBy('id')
      .limit(MOST_NAMED)
      .execute(),
  ])
  const variants = await findNamed(context, PriceVariant, 'price_variant', grants)
  // Every sale creates access grants, but only prices with experiences give access to something.
  const opened = grants.filter(({ price_variant }) => variants.get(price_variant)?.experiences.length)
  const at = (moment: string) => formatUtcMoment(moment)
  return [
    ...[...new Set(opened.map(({ starts_at }) => starts_at))].map(
      (start) => `${at(start)}: access to the purchase began`,
    ),
    ...sessions.map((session) => `${at(session.created_at)}: the buyer signed in to their purchases`),
    ...sent.flatMap(({ subject, to, sent_at }) =>
      sent_at === null ? [] : `${at(sent_at)}: “${subject}” was sent to ${to}`,
    ),
  ]
}

async function refundPolicyOf(context: Context): Promise<string | null> {
  const page = rowsOf(context, 'legal_pages').select('content').where('kind', '=', 'refund_policy')
  const published = await page.where('published', '=', 1).executeTakeFirst()
  return published ? plainText(published.content) : null
}
