import type { NewRow } from '../contract/declarations/noun.ts'
import { newId, newIdAt } from '../contract/values/ids.ts'
import { insertMany } from '../database/compile-once.ts'
import { anyTable } from '../records/any-table.ts'
import type { Context } from '../records/context.ts'
import { insertRows } from '../records/records.ts'
import { Customer } from '../resources/audience/customer/customer.ts'
import { fillNames } from '../resources/audience/customer/write.ts'
import { Charge } from '../resources/sales/charge/charge.ts'
import { notePaid } from '../resources/sales/order/note-paid.ts'
import { Order } from '../resources/sales/order/order.ts'
import { OrderItem } from '../resources/sales/order-item/order-item.ts'
import { Payment } from '../resources/sales/payment/payment.ts'
import { Refund } from '../resources/sales/refund/refund.ts'
import { periodEnd } from '../resources/sales/subscription/calendar.ts'
import { scheduleNext } from '../resources/sales/subscription/schedule.ts'
import { Subscription } from '../resources/sales/subscription/subscription.ts'
import type { Shopkeeper } from './shopkeeper.ts'
import type { DemoSubscription, Sale, Trade } from './trade.ts'

const CURRENCY = 'usd'
const DECLINED = { failure_message: 'The card was declined.', failure_code: 'card_declined' }
const METHOD = JSON.stringify({ token: 'succeeds', card: 'Visa ending in 4242' })

interface SaleRecord {
  traded: Sale
  customer: string
  id: string
  item: string
  payment: string
  charge: string
  refund: string
  subscription: string | null
}

/** Inserts past purchases in bulk, as an import does, but with their payments, charges and refunds. */
export class Books {
  readonly #shop: Shopkeeper
  readonly #trade: Trade
  #insertedCount = 0
  readonly #subscriptions = new Map<DemoSubscription, string>()
  readonly #customers = new Map<string, string>()

  constructor(shop: Shopkeeper, trade: Trade) {
    this.#shop = shop
    this.#trade = trade
  }

  /** Inserts the purchases up to `moment` that are not inserted yet. */
  async enterUntil(moment: string): Promise<void> {
    const { orders } = this.#trade
    const later = orders.findIndex(({ at }) => at > moment)
    const all = orders.slice(this.#insertedCount, later < 0 ? orders.length : later)
    this.#insertedCount += all.length
    if (all.length > 0) await this.#shop.transaction((context) => this.#insert(context, all))
  }

  async #insert(context: Context, all: readonly Sale[]): Promise<void> {
    await this.#createCustomers(context, all)
    const began = Date.now() - all.length
    const booked = all.map((traded, index) => this.#withIds(traded, began + index))
    const begun = booked.filter(({ traded }) => traded.subscription !== null && traded.channel !== 'renewal')
    const paid = booked.filter(({ traded }) => !traded.failed)
    const charged = booked.filter(({ traded }) => traded.amount > 0)
    await insertRows(context, Order, booked.map(orderOf))
    await insertRows(context, OrderItem, booked.map(itemOf))
    await insertRows(context, Payment, charged.map(paymentOf))
    await insertRows(context, Charge, charged.map(chargeOf))
    await insertRows(context, Refund, charged.flatMap(refundOf))
    for (const one of begun) if (one.traded.subscription) await subscribe(context, one.traded.subscription, one)
    const granting = paid.filter(({ traded, subscription }) => subscription === null && statusOf(traded) !== 'refunded')
    const grants = [...granting, ...begun].map((one) => grantOf(context, one))
    await insertMany(anyTable(context), 'access_grants', grants)
    await notePaid(context, paid)
  }

  async #createCustomers(context: Context, all: readonly Sale[]): Promise<void> {
    const first = [...Map.groupBy(all, ({ buyer }) => buyer.email)].flatMap(([email, [one]]) =>
      one && !this.#customers.has(email) ? [one] : [],
    )
    const began = Date.now() - first.length
    const rows = first.map(
      ({ buyer, at }, index): NewRow<typeof Customer> => ({
        ...fillNames(buyer),
        ...{ id: newIdAt('cus', began + index), customer_type: 'lead', orders_count: 0, total_spend: 0 },
        ...{ lead_announced: true, metadata: {}, created_at: at },
      }),
    )
    for (const { email, id } of await insertRows(context, Customer, rows)) this.#customers.set(email, id)
  }

  /** Creates ids whose order follows the purchases, because lists show the newest id first. `moment` is in Unix milliseconds. */
  #withIds(traded: Sale, moment: number): SaleRecord {
    const idOf = (prefix: string) => newIdAt(prefix, moment)
    const [id, item] = [idOf('ord'), idOf('ordi')]
    const ids = { id, item, payment: idOf('pay'), charge: idOf('ch'), refund: idOf('re') }
    const { buyer, subscription: subscribed } = traded
    const customer = this.#customers.get(buyer.email) ?? ''
    if (subscribed === null) return { traded, customer, ...ids, subscription: null }
    const subscription = this.#subscriptions.get(subscribed) ?? idOf('sub')
    this.#subscriptions.set(subscribed, subscription)
    return { traded, customer, ...ids, subscription }
  }
}

function statusOf({ failed, refund, amount }: Sale) {
  if (failed) return 'failed'
  if (refund === null) return 'succeeded'
  return refund.amount === amount ? 'refunded' : 'partially_refunded'
}

function orderOf({ traded, customer, id, charge, subscription }: SaleRecord): NewRow<typeof Order> {
  const { at, amount, channel, failed, recoveredBy, refund } = traded
  const isCharged = amount > 0
  return {
    ...{ id, customer, subscription, channel, currency: CURRENCY, created_at: at, status: statusOf(traded) },
    ...{ amount, subtotal: amount, amount_discount: 0, amount_refunded: refund?.amount ?? 0 },
    ...{ charge: isCharged ? charge : null, processor: isCharged ? 'test' : 'none', simulated: isCharged },
    ...{ paid_at: failed ? null : at, recovered_by: recoveredBy, metadata: {} },
  }
}

function itemOf({ traded, id, item }: SaleRecord): NewRow<typeof OrderItem> {
  const { at, offer, quantity, amount, fee, failed, refund } = traded
  const isTrial = offer.trial_period_days !== null && amount === fee
  return {
    ...{ id: item, order: id, line: 1, product: offer.product, price_variant: offer.id, quantity },
    ...{ unit_amount: isTrial ? offer.amount : (amount - fee) / quantity, setup_fee_amount: fee, amount },
    ...{ amount_discount: 0, amount_refunded: refund?.amount ?? 0, currency: CURRENCY },
    ...{ product_name: offer.product_name, price_variant_name: offer.name, order_status: statusOf(traded) },
    ...{ paid_at: failed ? null : at, created_at: at },
  }
}

function referenceOf({ traded, payment }: SaleRecord): string {
  return `test_${traded.failed ? 'declined' : 'succeeds'}_${payment}`
}

function paymentOf(booked: SaleRecord): NewRow<typeof Payment> {
  const { traded, id, payment, subscription } = booked
  const { at, amount, failed, channel } = traded
  return {
    ...{ id: payment, order_id: id, amount, currency: CURRENCY, status: failed ? 'failed' : 'succeeded' },
    ...{ provider: 'test', reference: referenceOf(booked), method: METHOD, expires_at: at, created_at: at },
    ...{ subscription: channel === 'renewal' ? subscription : null, ...(failed && DECLINED) },
  }
}

function chargeOf(booked: SaleRecord): NewRow<typeof Charge> {
  const { traded, id, payment, charge } = booked
  const { at, amount, failed, refund } = traded
  return {
    ...{ id: charge, order: id, payment, amount, currency: CURRENCY, amount_refunded: refund?.amount ?? 0 },
    ...{ status: statusOf(traded), processor: 'test', processor_reference: referenceOf(booked), created_at: at },
    ...(failed && DECLINED),
  }
}

function refundOf({ traded: { refund }, id, payment, charge, refund: refundId }: SaleRecord): NewRow<typeof Refund>[] {
  if (refund === null) return []
  const { at: created_at, amount, reason } = refund
  const of = { order: id, charge, payment, currency: CURRENCY, status: 'succeeded', provider: 'test' } as const
  return [{ ...of, id: refundId, amount, reason, metadata: {}, created_at }]
}

function grantOf({ accountId }: Context, { traded, customer, id, subscription }: SaleRecord): Record<string, unknown> {
  const { at, offer } = traded
  return {
    ...{ account_id: accountId, id: newId('grant'), customer, product: offer.product, price_variant: offer.id },
    ...{ order_id: id, subscription, starts_at: at, ends_at: traded.subscription?.canceled?.endsAt ?? null },
  }
}

/** Inserts a subscription in its state at the first start and schedules its next renewal. */
async function subscribe(
  context: Context,
  subscribed: DemoSubscription,
  { traded, ...booked }: SaleRecord,
): Promise<void> {
  const { offer, at } = traded
  const { status, anchor, trialEndsAt, periods, canceled } = subscribed
  const isPaid = periods > 0
  const rows = await insertRows(context, Subscription, [
    {
      ...(booked.subscription !== null && { id: booked.subscription }),
      ...{ customer: booked.customer, order: booked.id, price_variant: offer.id, product: offer.product, quantity: 1 },
      ...{ status, created_at: at, currency: CURRENCY, amount: offer.amount },
      ...{ canceled: canceled !== null, canceled_at: canceled?.at ?? null, ends_at: canceled?.endsAt ?? null },
      ...{ cancellation_reason: canceled?.reason ?? null, paused: false },
      ...{ trial_ends_at: trialEndsAt, anchor: isPaid ? anchor : null, first_charged_at: isPaid ? anchor : null },
      ...{ periods, payments_count: periods, ...periodOf(subscribed), terms: termsOf(subscribed, traded) },
      ...{ provider: 'test', method: METHOD, metadata: {} },
    },
  ])
  for (const row of rows) await scheduleNext(context, row)
}

function termsOf({ cycle }: DemoSubscription, { offer }: Sale): NewRow<typeof Subscription>['terms'] {
  const { amount: unit_amount, name: price_variant_name, product_name } = offer
  const blank = { installment_count: null, revoke_after_days: null, discount: null, tax_code: null, tax_added: false }
  return { ...cycle, unit_amount, product_name, price_variant_name, ...blank }
}

function periodOf({ startedAt, cycle, anchor, trialEndsAt, periods }: DemoSubscription) {
  const end = (count: number) => periodEnd(anchor, cycle, count)
  return periods === 0
    ? { current_period_start: startedAt, current_period_end: trialEndsAt }
    : { current_period_start: end(periods - 1), current_period_end: end(periods) }
}
