import type {
  CollectRequest,
  PaymentOutcome,
  PaymentProvider,
  SavedMethod,
} from '../../../providers/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, insertRow } from '../../../records/records.ts'
import type { PricedLine } from '../checkout/line.ts'
import type { Taxed } from '../checkout/tax/apply.ts'
import type { TaxPlace } from '../checkout/tax/terms.ts'
import { type Channel, Order, type OrderRow } from '../order/order.ts'
import { OrderItem } from '../order-item/order-item.ts'
import { chargePayment, collectPayment, settlePayment } from './jobs.ts'
import { succeed } from './outcome.ts'
import { Payment, type PaymentRow, payableUntil } from './payment.ts'
import { settle } from './settle.ts'

export interface PurchaseToPay extends Omit<Taxed, 'lines'> {
  customer: string
  lines: readonly PricedLine[]
  discount: string | null
  place: TaxPlace
  /** The checkout that the buyer pays; null for a renewal. */
  checkout: string | null
  invoice: string | null
  /** The checkout link, or the price, whose URL opened the checkout. */
  link: string | null
  /** The subscription that the payment renews, or whose unpaid period it pays through a checkout. */
  subscription: string | null
  metadata: Record<string, string>
}

export interface BegunPayment {
  order: OrderRow
  payment: PaymentRow
}

/** Creates the pending order and its payment. The caller reserves the stock and the discount redemption. */
export async function beginPayment(
  context: Context,
  purchase: PurchaseToPay,
  provider: Pick<PaymentProvider, 'name' | 'processor' | 'live'>,
  { byHand = false } = {},
): Promise<BegunPayment> {
  const { customer, lines, subtotal, amount_discount, total, discount, checkout, invoice, subscription } = purchase
  const { amount_tax, tax_inclusive, tax_lines, reverse_charge, place } = purchase
  const { currency } = lines[0]!
  const processor = total === 0 ? 'none' : provider.processor
  const order = await insertRow(context, Order, {
    ...{ customer, currency, subtotal, amount_discount, discount, checkout, invoice, subscription },
    ...{ amount_tax, tax_inclusive, tax_lines, reverse_charge, ...place },
    status: 'pending',
    amount: total,
    amount_refunded: 0,
    processor,
    simulated: total > 0 && !provider.live,
    channel: channelOf({ ...purchase, processor }),
    metadata: purchase.metadata,
  })
  for (const [index, line] of lines.entries()) await insertItem(context, order, line, index + 1)
  const payment = await insertRow(context, Payment, {
    ...{ currency, checkout, invoice, subscription },
    status: 'begun',
    order_id: order.id,
    amount: total,
    provider: provider.name,
    by_hand: byHand,
    expires_at: payableUntil(context.now),
  })
  context.emit(Order, 'created', order)
  return { order, payment }
}

function insertItem(context: Context, order: OrderRow, line: PricedLine, place: number) {
  const { price_variant, product, quantity, setup_fee_amount, amount, amount_discount, currency } = line
  const { product_name, price_variant_name, revoke_after_days } = line
  return insertRow(context, OrderItem, {
    ...{ price_variant, product, quantity, setup_fee_amount, amount, amount_discount, currency },
    ...{ product_name, price_variant_name, revoke_after_days },
    order: order.id,
    line: place,
    unit_amount: line.unit_amount ?? 0,
    amount_refunded: 0,
    amount_tax: line.amount_tax ?? 0,
    tax_code: line.tax_code ?? null,
    order_status: order.status,
  })
}

interface ChannelSource {
  link: string | null
  invoice: string | null
  subscription: string | null
  processor: string
}

/** Invoices and subscription periods have their own channel, even if they are paid in USDC. */
function channelOf({ link, invoice, subscription, processor }: ChannelSource): Channel {
  if (invoice !== null) return 'invoice'
  if (subscription !== null) return 'renewal'
  if (processor === 'x402') return 'x402'
  if (link === null) return 'api'
  return link.startsWith('cl_') ? 'link' : 'storefront'
}

/** The order is absent for a service fee. */
export type PaymentToCollect = Pick<BegunPayment, 'payment'> & Partial<Pick<BegunPayment, 'order'>>
/** Collects a payment from a buyer who is present. Nothing is requested from the provider for a free purchase without later charges. */
export async function collect(
  context: Context,
  begun: PaymentToCollect,
  provider: PaymentProvider,
  { card, ...collected }: Pick<CollectRequest, 'description' | 'email' | 'saveMethod' | 'returnUrl' | 'card'>,
): Promise<void> {
  const { payment } = begun
  if (payment.amount === 0 && !collected.saveMethod) {
    await succeed(context, payment, { reference: null, method: null }, begun.order)
    return
  }
  if (!provider.immediate) {
    await giveUpLater(context, payment)
    await context.enqueue(collectPayment, { payment: payment.id, ...collected }, { awaited: true })
    return
  }
  const request = { ...requestOf(context, payment), ...collected, ...(card !== undefined && { card }) }
  await settleNow(context, begun, await provider.collect(request))
}

export async function charge(
  context: Context,
  begun: BegunPayment,
  provider: string,
  { description, method, awaited = false }: { description: string; method: SavedMethod; awaited?: boolean },
): Promise<void> {
  const { payment } = begun
  const { payments } = context.services
  if (!payments.isImmediate(provider)) {
    await giveUpLater(context, payment)
    await context.enqueue(chargePayment, { payment: payment.id, description, method }, { awaited })
    return
  }
  const request = { ...requestOf(context, payment), description, method }
  await settleNow(context, begun, await payments.named(provider).charge(request))
}

/** Applies an outcome. A payment that is not final, such as one that the buyer must approve, stays open until it expires. */
async function settleNow(
  context: Context,
  { payment, order }: PaymentToCollect,
  outcome: PaymentOutcome,
): Promise<void> {
  const final = outcome.state === 'succeeded' || outcome.state === 'failed'
  await settle(context, final ? payment : await giveUpLater(context, payment), outcome, order)
}

/** Enqueues the job that settles the payment at its expiry. */
async function giveUpLater(context: Context, payment: PaymentRow): Promise<PaymentRow> {
  const settle_job = await context.enqueue(settlePayment, { payment: payment.id }, { runAt: payment.expires_at })
  return changeRow(context, Payment, payment, { settle_job })
}

function requestOf({ accountId }: Context, { id, amount, currency }: PaymentRow) {
  return { accountId, key: id, amount, currency }
}
