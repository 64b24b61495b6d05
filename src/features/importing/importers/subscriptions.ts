import type { NewRow } from '../../../contract/declarations/noun.ts'
import { newId } from '../../../contract/values/ids.ts'
import { insertMany } from '../../../database/compile-once.ts'
import type { Context } from '../../../records/context.ts'
import { anyTable, insertRows } from '../../../records/records.ts'
import { Order } from '../../../resources/sales/order/order.ts'
import { OrderItem } from '../../../resources/sales/order-item/order-item.ts'
import { currentProviderName } from '../../../resources/sales/payment/provider.ts'
import { periodEnd } from '../../../resources/sales/subscription/calendar.ts'
import { Subscription } from '../../../resources/sales/subscription/subscription.ts'
import type { PriceDraft, SubscriptionDraft } from '../formats/drafts.ts'
import { fixedPrice } from '../formats/prices.ts'
import { idAt } from './memory.ts'
import { noOutcome, type Take } from './outcome.ts'
import { type PriceLookup, type SoldPrice, soldPrices } from './sold.ts'
import { untakenSales } from './untaken.ts'

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
  const wanted = known.map(({ draft }) => lookupOf(draft))
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
  if (!memory.dry) await store(context, all)
  return outcome
}

function lookupOf(draft: SubscriptionDraft): PriceLookup {
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

async function store(context: Context, all: readonly ImportedSubscription[]): Promise<void> {
  await insertRows(context, Order, all.map(placeholderOf))
  await insertRows(context, OrderItem, all.map(itemOf))
  const provider = await currentProviderName(context)
  const rows = all.map((made) => rowOf(context, made, provider))
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

function rowOf(context: Context, made: ImportedSubscription, provider: string): NewRow<typeof Subscription> {
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
