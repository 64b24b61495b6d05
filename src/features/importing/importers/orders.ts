import type { NewRow } from '../../../contract/declarations/noun.ts'
import { newId } from '../../../contract/values/ids.ts'
import { DAY_MS, laterBy } from '../../../contract/values/values.ts'
import { compileForIds, insertMany } from '../../../database/compile-once.ts'
import type { Context } from '../../../records/context.ts'
import { anyTable, insertRows } from '../../../records/records.ts'
import { deleteRowsOf, rowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import { notePaid } from '../../../resources/sales/order/note-paid.ts'
import { Order } from '../../../resources/sales/order/order.ts'
import { OrderItem } from '../../../resources/sales/order-item/order-item.ts'
import type { LineDraft, OrderDraft } from '../formats/drafts.ts'
import { fixedPrice } from '../formats/prices.ts'
import { PAYMENT_KEY, PAYMENT_NAME } from '../formats/stripe/payments.ts'
import { idAt, type Memory } from './memory.ts'
import { type Item, noOutcome, type Take } from './outcome.ts'
import { type PriceLookup, type SoldPrice, soldPrices } from './sold.ts'
import { untakenSales } from './untaken.ts'

interface SubscriptionOrder {
  id: string
  subscription: string | null
}

/** Finds subscriptions whose first order is a placeholder that was never paid. */
const findWithPlaceholder = compileForIds((db: Context['db'], accountId, ids) =>
  rowsOf({ db, accountId }, 'subscriptions')
    .select(['id', 'order'])
    .where('id', 'in', ids)
    .where('order', 'in', placeholdersOf({ db, accountId })),
)

interface ImportedOrder {
  draft: OrderDraft
  row: NewRow<typeof Order> & { id: string }
  sold: { line: LineDraft; price: SoldPrice }[]
}

/** Imports orders that were paid elsewhere, with their original dates. */
export const takeOrders: Take<OrderDraft> = async (context, memory, items) => {
  const outcome = noOutcome()
  const first = firstOfEach(items)
  outcome.again = items.length - first.length
  const known = await untakenSales(context, memory, { kind: 'order', items: first, outcome })
  const wanted = known.map(({ draft }) => draft.lines.map((line) => lookupOf(line, draft.currency)))
  const prices = await soldPrices(context, memory, wanted.flat())
  outcome.products = prices.made
  const orders = known.map(({ draft, customer }, index): ImportedOrder => {
    const sold = draft.lines.map((line, place) => ({ line, price: prices.find(wanted[index]![place]!) }))
    return { draft, row: rowOf(draft, customer), sold }
  })
  outcome.made = orders.length
  const meanings = orders.map(({ draft, row }) => [draft.sourceId, row.id] as const)
  await memory.remember(context, 'order', meanings)
  if (!memory.dry) await store(context, memory, orders)
  return outcome
}

function firstOfEach(items: readonly Item<OrderDraft>[]): Item<OrderDraft>[] {
  return [...new Map(items.toReversed().map((item) => [item.draft.sourceId, item])).values()].toReversed()
}

function lookupOf(line: LineDraft, currency: string): PriceLookup {
  const isPayment = line.keys.includes(PAYMENT_KEY)
  const productName = isPayment ? PAYMENT_NAME : line.product_name
  const fallback = isPayment ? PAYMENT_KEY : `sold:${productName.toLowerCase()}`
  const price = { ...fixedPrice(Math.min(line.unit_amount, 99_999_999), currency), sourceId: fallback, aliases: [] }
  return { keys: line.keys, fallback, productName, price: { ...price, name: 'Default', quantity_available: null } }
}

function rowOf(draft: OrderDraft, customer: string): ImportedOrder['row'] {
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

async function store(context: Context, memory: Memory, orders: readonly ImportedOrder[]): Promise<void> {
  const rows = orders.map(({ row }) => row)
  await insertRows(context, Order, rows)
  await insertRows(context, OrderItem, orders.flatMap(itemsOf))
  const grants = orders.flatMap((order) => grantsOf(context, order))
  await insertMany(anyTable(context), 'access_grants', grants)
  const paid = rows.map(({ id, customer }) => ({ id, customer: String(customer) }))
  await notePaid(context, paid)
  const linked = orders.map(({ draft, row }) => ({ id: row.id, subscription: draft.subscription }))
  await linkOrders(context, memory, linked)
}

function itemsOf({ draft, row, sold }: ImportedOrder): NewRow<typeof OrderItem>[] {
  return sold.map(({ line: { keys: _, ...line }, price }, index) => ({
    ...line,
    ...{ order: row.id, line: index + 1, product: price.product, price_variant: price.price },
    id: idAt(OrderItem, String(row.created_at)),
    ...{ currency: draft.currency, revoke_after_days: price.revokeAfterDays, paid_at: draft.paid_at },
    ...{ order_status: statusOf(draft), created_at: String(row.created_at) },
  }))
}

/** Refunded orders give no access, and the subscription gives the access for its own orders. */
function grantsOf({ accountId }: Context, { draft, row, sold }: ImportedOrder): Record<string, unknown>[] {
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

/** The earliest order of a subscription replaces the placeholder that the imported subscription has as its first order. */
async function linkOrders(context: Context, memory: Memory, orders: readonly SubscriptionOrder[]): Promise<void> {
  const names = orders.flatMap(({ subscription }) => (subscription === null ? [] : [subscription]))
  const known = await memory.recall(context, 'subscription', names)
  const byId = Map.groupBy(orders, ({ subscription }) => known.get(subscription ?? ''))
  for (const [subscription, of] of byId) {
    if (subscription === undefined) continue
    const ids = of.map(({ id }) => id)
    await updateRowsOf(context, 'orders').set({ subscription }).where('id', 'in', ids).execute()
  }
  const linked = [...byId.keys()].filter((id) => id !== undefined)
  for (const { id, order } of await findWithPlaceholder(context.db, context.accountId, linked))
    await replacePlaceholder(context, id, order)
}

function placeholdersOf(account: Pick<Context, 'db' | 'accountId'>) {
  return rowsOf(account, 'orders').select('id').where('channel', '=', 'import').where('paid_at', 'is', null)
}

async function replacePlaceholder(context: Context, subscription: string, placeholder: string): Promise<void> {
  const first = await rowsOf(context, 'orders')
    .select('id')
    .where('subscription', '=', subscription)
    .where('paid_at', 'is not', null)
    .orderBy('paid_at')
    .limit(1)
    .executeTakeFirst()
  if (!first) return
  await updateRowsOf(context, 'subscriptions').set({ order: first.id }).where('id', '=', subscription).execute()
  await updateRowsOf(context, 'access_grants').set({ order_id: first.id }).where('order_id', '=', placeholder).execute()
  await deleteRowsOf(context, 'order_items').where('order', '=', placeholder).execute()
  await deleteRowsOf(context, 'orders').where('id', '=', placeholder).execute()
}
