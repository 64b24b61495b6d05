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
import { currentProviderName } from '../../../resources/sales/payment/provider.ts'
import { periodEnd } from '../../../resources/sales/subscription/calendar.ts'
import { Subscription } from '../../../resources/sales/subscription/subscription.ts'
import {
  fixedPrice,
  type LineDraft,
  type OrderDraft,
  type PriceDraft,
  type SubscriptionDraft,
} from '../formats/format.ts'
import { PAYMENT_KEY, PAYMENT_NAME } from '../formats/stripe/payments.ts'
import { untakenSales } from './customers.ts'
import { firstOfEach, idAt, type Memory, noOutcome, type Take } from './memory.ts'
import { makeArchived } from './products.ts'

interface SoldPrice {
  product: string
  price: string
  revokeAfterDays: number | null
  /** Whether the price is archived, such as one that was created only for imported sales. */
  archived: boolean
}

/** A price that was sold: its possible keys, the best first, and the product to create if no key is known. */
interface PriceLookup {
  keys: readonly string[]
  /** The key for the price of the archived product that may be created. */
  fallback: string
  productName: string
  price: PriceDraft
}

/** Finds the prices that were sold. For each one that does not exist, an archived product is created. */
async function soldPrices(
  context: Context,
  memory: Memory,
  wanted: readonly PriceLookup[],
): Promise<{ find(one: PriceLookup): SoldPrice; made: number }> {
  const asked = wanted.flatMap(({ keys, fallback }) => [...keys, fallback])
  const names = await memory.recall(context, 'price', asked)
  const rows = await rowsById(context, memory, names)
  const made = new Map<string, SoldPrice>()
  const known = ({ keys, fallback }: PriceLookup) => {
    for (const key of [...keys, fallback]) {
      const row = rows.get(names.get(key) ?? '')
      if (row) return row
    }
  }
  for (const one of wanted)
    if (!known(one) && !made.has(one.fallback)) {
      const { productName: name, price, fallback: key } = one
      const ids = await makeArchived(context, memory, { name, price, key })
      made.set(key, { ...ids, revokeAfterDays: null, archived: true })
    }
  return { find: (one) => known(one) ?? made.get(one.fallback)!, made: made.size }
}

async function rowsById(
  context: Context,
  memory: Memory,
  names: ReadonlyMap<string, string>,
): Promise<Map<string, SoldPrice>> {
  const ids = [...new Set(names.values())]
  if (memory.dry)
    return new Map(ids.map((id) => [id, { product: '', price: id, revokeAfterDays: null, archived: false }]))
  const found = await findPrices(context.db, context.accountId, ids)
  return new Map(
    found.map(({ id, product, revoke_after_days, archived }) => [
      id,
      { product, price: id, revokeAfterDays: revoke_after_days, archived: archived === 1 },
    ]),
  )
}

const findPrices = compileForIds((db: Context['db'], accountId, ids) =>
  rowsOf({ db, accountId }, 'price_variants')
    .select(['id', 'product', 'revoke_after_days', 'archived'])
    .where('id', 'in', ids),
)

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
  const first = firstOfEach(items, ({ draft }) => draft.sourceId)
  outcome.again = items.length - first.length
  const known = await untakenSales(context, memory, { kind: 'order', items: first, outcome })
  const wanted = known.map(({ draft }) => draft.lines.map((line) => lookupOfLine(line, draft.currency)))
  const prices = await soldPrices(context, memory, wanted.flat())
  outcome.products = prices.made
  const orders = known.map(({ draft, customer }, index): ImportedOrder => {
    const sold = draft.lines.map((line, place) => ({ line, price: prices.find(wanted[index]![place]!) }))
    return { draft, row: orderRow(draft, customer), sold }
  })
  outcome.made = orders.length
  const meanings = orders.map(({ draft, row }) => [draft.sourceId, row.id] as const)
  await memory.remember(context, 'order', meanings)
  if (!memory.dry) await storeOrders(context, memory, orders)
  return outcome
}

function lookupOfLine(line: LineDraft, currency: string): PriceLookup {
  const isPayment = line.keys.includes(PAYMENT_KEY)
  const productName = isPayment ? PAYMENT_NAME : line.product_name
  const fallback = isPayment ? PAYMENT_KEY : `sold:${productName.toLowerCase()}`
  const price = { ...fixedPrice(Math.min(line.unit_amount, 99_999_999), currency), sourceId: fallback, aliases: [] }
  return { keys: line.keys, fallback, productName, price: { ...price, name: 'Default', quantity_available: null } }
}

function orderRow(draft: OrderDraft, customer: string): ImportedOrder['row'] {
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

async function storeOrders(context: Context, memory: Memory, orders: readonly ImportedOrder[]): Promise<void> {
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

/** The maximum number of periods to check, which is only reached by a daily subscription of more than 27 years. */
const MOST_PERIODS = 10_000

interface ImportedSubscription {
  draft: SubscriptionDraft
  customer: string
  sold: SoldPrice
  id: string
  order: string
}

/** Active subscriptions are paused until the shop resumes them, because their former processor may still charge them. */
export const takeSubscriptions: Take<SubscriptionDraft> = async (context, memory, items) => {
  const outcome = noOutcome()
  const known = await untakenSales(context, memory, { kind: 'subscription', items, outcome })
  const wanted = known.map(({ draft }) => lookupOfSubscription(draft))
  const prices = await soldPrices(context, memory, wanted)
  outcome.products = prices.made
  const all = known.map(({ draft, customer }, index): ImportedSubscription => {
    const moment = draft.createdAt ?? draft.started_at
    const ids = { id: idAt(Subscription, moment), order: idAt(Order, moment) }
    return { draft, customer, sold: prices.find(wanted[index]!), ...ids }
  })
  outcome.made = all.length
  const meanings = all.map(({ draft, id }) => [draft.sourceId, id] as const)
  await memory.remember(context, 'subscription', meanings)
  if (!memory.dry) await storeSubscriptions(context, all)
  return outcome
}

function lookupOfSubscription(draft: SubscriptionDraft): PriceLookup {
  const { product_name: productName, price_variant_name: name, unit_amount: amount, currency, interval } = draft
  const fallback = `sold:${[productName, name, amount, currency, interval, draft.interval_count].join('/')}`
  const price: PriceDraft = {
    ...fixedPrice(amount, currency),
    ...{ sourceId: fallback, aliases: [], name, quantity_available: null },
    pricing: {
      amount,
      billing_type: 'subscription',
      recurring_interval: interval,
      interval_count: draft.interval_count,
    },
  }
  return {
    keys: draft.keys,
    fallback,
    productName,
    price: amount > 0 ? price : { ...price, ...fixedPrice(0, currency) },
  }
}

async function storeSubscriptions(context: Context, all: readonly ImportedSubscription[]): Promise<void> {
  await insertRows(context, Order, all.map(placeholderOf))
  await insertRows(context, OrderItem, all.map(itemOf))
  const provider = await currentProviderName(context)
  const rows = all.map((made) => subscriptionRow(context, made, provider))
  await insertRows(context, Subscription, rows)
  const grants = all.map((made) => grantOf(context, made))
  await insertMany(anyTable(context), 'access_grants', grants)
}

/** The placeholder for a subscription's first order is never paid, and reports do not count it. */
function placeholderOf({ draft, customer, id, order }: ImportedSubscription): NewRow<typeof Order> {
  const { currency, country, region, vat_id } = draft
  const sums = { amount: 0, subtotal: 0, amount_discount: 0, amount_refunded: 0, amount_refunding: 0 }
  return {
    ...{ id: order, status: 'succeeded', customer, currency, country, region, vat_id, ...sums },
    ...{ subscription: id, processor: 'none', channel: 'import', paid_at: null, metadata: {} },
    created_at: draft.createdAt ?? draft.started_at,
  }
}

function itemOf({ draft, order, sold }: ImportedSubscription): NewRow<typeof OrderItem> {
  const { product_name, price_variant_name, quantity, currency } = draft
  const created_at = draft.createdAt ?? draft.started_at
  return {
    ...{ id: idAt(OrderItem, created_at), order, line: 1, product: sold.product },
    ...{ price_variant: sold.price, quantity, unit_amount: 0, setup_fee_amount: 0, amount: 0, amount_discount: 0 },
    ...{ amount_refunded: 0, currency, product_name, price_variant_name, order_status: 'succeeded', created_at },
  }
}

function subscriptionRow(context: Context, made: ImportedSubscription, provider: string): NewRow<typeof Subscription> {
  const { draft, customer, sold, id, order } = made
  const { quantity, unit_amount, currency, country, region, vat_id, trial_ends_at, metadata } = draft
  const first = draft.trial_ends_at ?? draft.started_at
  const charged = first < draft.current_period_end ? first : null
  const { anchor, periods } = calendarOf(draft, charged)
  return {
    ...{ id, customer, price_variant: sold.price, product: sold.product, order, quantity, currency, country, region },
    ...{ vat_id, trial_ends_at, metadata, anchor, periods, first_charged_at: charged },
    ...{ payments_count: periods, imported_payments_count: periods },
    ...{ amount: unit_amount * quantity, terms: termsOf(draft, sold) },
    ...{ current_period_start: draft.current_period_start, current_period_end: draft.current_period_end },
    ...(draft.goesOn ? pausedState(context) : canceledState(draft)),
    ...{ provider, method: null, created_at: draft.createdAt ?? draft.started_at },
  }
}

function pausedState({ now }: Context) {
  return { status: 'paused', paused: true, paused_at: now, canceled: false, awaits_takeover: true } as const
}

function canceledState({ ends_at, canceled_at, cancellation_reason }: SubscriptionDraft) {
  const reason = { cancellation_reason, canceled_at: canceled_at ?? ends_at }
  return { status: 'canceled', canceled: true, paused: false, ends_at, ...reason } as const
}

function termsOf(draft: SubscriptionDraft, { revokeAfterDays }: SoldPrice) {
  const { interval, interval_count, unit_amount, installment_count, product_name, price_variant_name } = draft
  const blank = { revoke_after_days: revokeAfterDays, discount: null, tax_code: null, tax_added: false }
  return { interval, interval_count, unit_amount, installment_count, product_name, price_variant_name, ...blank }
}

/** Periods count from the first charge if the current period fits, else from its start; null during a trial or before a first charge. */
function calendarOf(draft: SubscriptionDraft, charged: string | null): { anchor: string | null; periods: number } {
  const { trial_ends_at, current_period_start, current_period_end } = draft
  if (charged === null || (trial_ends_at !== null && trial_ends_at >= current_period_end))
    return { anchor: null, periods: 0 }
  for (let periods = 1; periods <= MOST_PERIODS; periods++) {
    const end = periodEnd(charged, draft, periods)
    if (end === current_period_end) return { anchor: charged, periods }
    if (end > current_period_end) break
  }
  return { anchor: current_period_start, periods: 1 }
}

/** Returns a grant of access until the end of the current period, as for a paused subscription, or until the subscription ended. */
function grantOf(
  { accountId }: Context,
  { draft, customer, sold, id, order }: ImportedSubscription,
): Record<string, unknown> {
  const { goesOn, started_at, current_period_end, ends_at } = draft
  return {
    ...{ account_id: accountId, id: newId('grant'), customer, product: sold.product, price_variant: sold.price },
    ...{ order_id: order, subscription: id, starts_at: started_at },
    ends_at: goesOn ? current_period_end : (ends_at ?? current_period_end),
  }
}
