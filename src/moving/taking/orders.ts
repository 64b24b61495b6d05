import type { NewRow } from '../../contract/declarations/noun.ts'
import { newId } from '../../contract/values/ids.ts'
import { laterBy } from '../../contract/values/values.ts'
import { insertMany } from '../../database/compile-once.ts'
import type { Context } from '../../records/context.ts'
import { anyTable, insertRows } from '../../records/records.ts'
import { Order } from '../../resources/sales/order/order.ts'
import { OrderItem } from '../../resources/sales/order_item/order_item.ts'
import type { LineDraft, OrderDraft } from '../drafts.ts'
import { idAt } from '../ids.ts'
import type { Memory } from '../memory.ts'
import { type Item, noOutcome, type Outcome } from '../outcome.ts'
import { fixedPrice } from '../prices.ts'
import { PAYMENT_KEY, PAYMENT_NAME } from '../stripe/payments.ts'
import { notePaid } from './figures.ts'
import { linkOrders } from './first_orders.ts'
import { type Sold, soldPrices, type Wanted } from './sold.ts'
import { untakenSales } from './untaken.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** An order as it is stored, with what was sold in it. */
interface Made {
  draft: OrderDraft
  row: NewRow<typeof Order> & { id: string }
  sold: { line: LineDraft; price: Sold }[]
}

/** Takes orders that were paid elsewhere, with the dates that they had there. */
export async function takeOrders(
  context: Context,
  memory: Memory,
  items: readonly Item<OrderDraft>[],
): Promise<Outcome> {
  const outcome = noOutcome()
  const first = firstOfEach(items)
  outcome.again = items.length - first.length
  const known = await untakenSales(context, memory, { kind: 'order', items: first, outcome })
  const wanted = known.map(({ draft }) => draft.lines.map((line) => wantedOf(line, draft.currency)))
  const prices = await soldPrices(context, memory, wanted.flat())
  outcome.products = prices.made
  const orders = known.map(({ draft, customer }, index): Made => {
    const sold = draft.lines.map((line, place) => ({ line, price: prices.find(wanted[index]![place]!) }))
    return { draft, row: rowOf(draft, customer), sold }
  })
  outcome.made = orders.length
  await memory.remember(
    context,
    'order',
    orders.map(({ draft, row }) => [draft.sourceId, row.id]),
  )
  if (!memory.dry) await store(context, memory, orders)
  return outcome
}

function firstOfEach(items: readonly Item<OrderDraft>[]): Item<OrderDraft>[] {
  return [...new Map(items.toReversed().map((item) => [item.draft.sourceId, item])).values()].toReversed()
}

function wantedOf(line: LineDraft, currency: string): Wanted {
  const isPayment = line.keys.includes(PAYMENT_KEY)
  const productName = isPayment ? PAYMENT_NAME : line.product_name
  const fallback = isPayment ? PAYMENT_KEY : `sold:${productName.toLowerCase()}`
  const price = { ...fixedPrice(Math.min(line.unit_amount, 99_999_999), currency), sourceId: fallback, aliases: [] }
  return { keys: line.keys, fallback, productName, price: { ...price, name: 'Default', quantity_available: null } }
}

function rowOf(draft: OrderDraft, customer: string): Made['row'] {
  const { sourceId: _id, createdAt, buyer: _buyer, lines: _lines, subscription: _subscription, ...values } = draft
  const created_at = createdAt ?? draft.paid_at
  return {
    ...values,
    ...{ id: idAt(Order, created_at), created_at, customer, status: statusOf(draft) },
    ...{ processor: 'none', channel: 'import', amount_refunding: 0, subscription: null },
  }
}

function statusOf({ amount, amount_refunded }: OrderDraft): 'succeeded' | 'partially_refunded' | 'refunded' {
  if (amount_refunded === 0) return 'succeeded'
  return amount_refunded === amount ? 'refunded' : 'partially_refunded'
}

async function store(context: Context, memory: Memory, orders: readonly Made[]): Promise<void> {
  await insertRows(
    context,
    Order,
    orders.map(({ row }) => row),
  )
  await insertRows(context, OrderItem, orders.flatMap(itemsOf))
  await insertMany(
    anyTable(context),
    'access_grants',
    orders.flatMap((order) => grantsOf(context, order)),
  )
  await notePaid(
    context,
    orders.map(({ row }) => ({ id: row.id, customer: String(row.customer) })),
  )
  await linkOrders(
    context,
    memory,
    orders.map(({ draft, row }) => ({ id: row.id, subscription: draft.subscription })),
  )
}

function itemsOf({ draft, row, sold }: Made): NewRow<typeof OrderItem>[] {
  return sold.map(({ line: { keys: _, ...line }, price }, index) => ({
    ...line,
    ...{ order: row.id, line: index + 1, product: price.product, price_variant: price.price },
    id: idAt(OrderItem, String(row.created_at)),
    ...{ currency: draft.currency, revoke_after_days: price.revokeAfterDays, paid_at: draft.paid_at },
    ...{ order_status: statusOf(draft), created_at: String(row.created_at) },
  }))
}

/** What was bought stays the buyer's, unless the money went back, or a subscription gives it. */
function grantsOf({ accountId }: Context, { draft, row, sold }: Made): Record<string, unknown>[] {
  if (statusOf(draft) === 'refunded' || draft.subscription !== null) return []
  const starts_at = draft.paid_at
  return sold
    .filter(({ price }) => !price.archived)
    .map(({ price: { product, price, revokeAfterDays: days } }) => ({
      ...{ account_id: accountId, id: newId('grant'), customer: row.customer, product, price_variant: price },
      ...{ order_id: row.id, subscription: null, starts_at },
      ends_at: days === null ? null : laterBy(starts_at, days * DAY_MS),
    }))
}
