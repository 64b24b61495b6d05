import { formatDay } from '../../../format/moments.ts'
import { formatMoney } from '../../../format/money.ts'
import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { listenersOf } from '../../../records/listeners.ts'
import { findNamed, findRow, findRows, requireRow } from '../../../records/records.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { Discount } from '../../catalog/discount/discount.ts'
import { PriceVariant } from '../../catalog/price-variant/price-variant.ts'
import { currentAccount } from '../../company/account/current.ts'
import { accessUrl } from '../../content/experience/access.ts'
import { queueReceipt } from '../../messages/email/service-mail.ts'
import type { RenewalTerms } from '../../messages/email/templates/renewal-terms.ts'
import type { SoldLine } from '../../messages/email/templates/sold-line.ts'
import { letterTaxes } from '../checkout/tax/letter.ts'
import type { OrderItemRow } from '../order-item/order-item.ts'
import {
  buyerLines,
  type Paper,
  type PaperFact,
  type PaperLine,
  type PaperTax,
  sellerOf,
  taxNotes,
  taxTotals,
} from '../paper.ts'
import { soldName } from '../sold-name.ts'
import { savedMethod } from '../subscription/card.ts'
import { isPaidUp, priceOfNext } from '../subscription/period.ts'
import { Subscription } from '../subscription/subscription.ts'
import { taxOfNext } from '../subscription/tax.ts'
import { itemsByOrder, readItemsAhead } from './items.ts'
import { Order, type OrderRow } from './order.ts'
import { isTest } from './show.ts'

/** This is a job, so that the buyer does not wait for the e-mail. */
export const sendReceipt = dueJob('order.receipt', {
  emits: ['email.created'],
  async foresee(context: Context, paid: { order: string }[]) {
    // Leaves out free orders that give access to something: they get a receipt too, but finding them takes more queries.
    const all = [...(await findNamed(context, Order, 'order', paid)).values()]
    const letters = await Promise.all(all.map(async (order) => order.amount > 0 || (await trialOf(context, order))))
    const orders = all.filter((_, index) => letters[index])
    const customers = await findNamed(context, Customer, 'customer', orders)
    return [...customers.values()].map(({ email: to }) => ({ kind: 'email', to }))
  },
  async readAhead(context, paid) {
    const ids = paid.map(({ order }) => order)
    const [orders, items] = await Promise.all([
      findRows(context, Order, ids),
      readItemsAhead(context, ids),
      currentAccount(context),
      listenersOf(context),
    ])
    await Promise.all([
      findNamed(context, Customer, 'customer', orders.values()),
      findNamed(context, PriceVariant, 'price_variant', items),
    ])
  },
  async work(context: Context, { order: id }: { order: string }) {
    const order = await requireRow(context, Order, id)
    const [customer, byOrder] = await Promise.all([
      findRow(context, Customer, order.customer),
      itemsByOrder([id], context),
    ])
    if (!customer) return
    const items = byOrder.get(id) ?? []
    if ((await letterAfter(context, order, items)) === null) return
    const [opens, renewal, taxes, discount] = await Promise.all([
      givesAccess(context, items),
      renewalOf(context, order),
      letterTaxes(context, order),
      order.amount_discount > 0 ? discountOf(context, order) : null,
    ])
    // Receipts of renewals link to the buyer's page too, because the card is replaced there; e-mails about a trial have another link.
    const isRenewed = renewal !== null && renewal.nextAt !== null && renewal.trialEndsAt === null
    const access = opens || isRenewed ? accessUrl(context, customer.id) : null
    await queueReceipt(
      context,
      { to: customer.email, customer: customer.id },
      {
        order: id,
        isRenewal: order.checkout === null,
        paidAt: order.paid_at!,
        currency: order.currency,
        lines: items.map((item) => soldLine(item, order)),
        ...taxes,
        setupFee: items.reduce((sum, item) => sum + item.setup_fee_amount, 0),
        discount,
        total: order.amount,
        renewal,
        accessUrl: access,
      },
    )
  },
})

/** Returns null if nothing was paid and the order gives no access. The e-mail about a trial also bills the setup fee. */
export async function letterAfter(
  context: Context,
  order: OrderRow,
  items: readonly OrderItemRow[],
): Promise<'trial' | 'receipt' | null> {
  if (await trialOf(context, order)) return 'trial'
  return order.amount > 0 || (await givesAccess(context, items)) ? 'receipt' : null
}

/** Returns the subscription if the order began its trial, otherwise null. */
async function trialOf(context: Context, { id, subscription }: OrderRow) {
  const found = subscription === null ? undefined : await findRow(context, Subscription, subscription)
  return found?.order === id && found.trial_ends_at !== null ? found : null
}

/** The amount is before discount and without added tax; the setup fee is listed separately. */
function soldLine(item: OrderItemRow, { tax_inclusive }: OrderRow): SoldLine {
  const { quantity, unit_amount, amount, amount_discount, setup_fee_amount, amount_tax } = item
  const added = tax_inclusive ? 0 : amount_tax
  return {
    name: soldName(item),
    quantity,
    unitAmount: unit_amount,
    amount: amount + amount_discount - setup_fee_amount - added,
  }
}

async function givesAccess(context: Context, items: readonly OrderItemRow[]): Promise<boolean> {
  const ids = items.map(({ price_variant }) => price_variant)
  const variants = [...(await findRows(context, PriceVariant, ids)).values()]
  return variants.some(({ experiences }) => experiences.length > 0)
}

async function discountOf(context: Context, { discount, amount_discount }: OrderRow) {
  const known = discount === null ? undefined : await findRow(context, Discount, discount)
  return { code: known?.code ?? null, amount: amount_discount }
}

async function renewalOf(context: Context, order: OrderRow): Promise<RenewalTerms | null> {
  const subscription =
    order.subscription === null ? undefined : await findRow(context, Subscription, order.subscription)
  if (!subscription) return null
  const { terms, currency, ends_at, current_period_end, payments_count, method } = subscription
  const trial = await trialOf(context, order)
  return {
    product: terms.product_name,
    amount: priceOfNext(subscription, await taxOfNext(context, subscription)).total,
    currency,
    interval: terms.interval,
    intervalCount: terms.interval_count,
    nextAt: ends_at !== null || isPaidUp(subscription) ? null : current_period_end,
    trialEndsAt: trial?.trial_ends_at ?? null,
    card: method === null ? null : (savedMethod(method).card ?? null),
    installmentsLeft: terms.installment_count === null ? null : terms.installment_count - payments_count,
  }
}

/** Free orders have a receipt too. */
export function hasReceipt({ paid_at }: Pick<OrderRow, 'paid_at'>): boolean {
  return paid_at !== null
}

export async function receiptOf(context: Context, order: OrderRow): Promise<Paper> {
  const account = await currentAccount(context)
  const customer = await findRow(context, Customer, order.customer)
  const items = (await itemsByOrder([order.id], context)).get(order.id) ?? []
  const tax: PaperTax = order
  const paidAt = order.paid_at ?? order.created_at
  return {
    title: 'Receipt',
    number: order.id,
    test: isTest(context, order),
    shop: sellerOf(account),
    buyer: customer ? buyerLines(customer.name, customer.email, tax) : [],
    facts: [
      { label: 'Order', value: order.id },
      { label: 'Paid on', value: formatDay(paidAt, account.timezone) },
    ],
    lines: items.flatMap((item) => linesOf(item, tax)),
    totals: await totalsOf(context, order, tax),
    notes: taxNotes(tax),
    at: paidAt,
  }
}

/** The amount is before discount and without added tax; the setup fee has a line of its own. */
function linesOf(item: OrderItemRow & { amount_tax?: number }, { tax_inclusive }: PaperTax): PaperLine[] {
  const { quantity, unit_amount, amount, amount_discount, setup_fee_amount: fee, currency, amount_tax = 0 } = item
  const gross = amount + amount_discount - fee - (tax_inclusive ? 0 : amount_tax)
  const name = soldName(item)
  const detail = quantity > 1 ? `${quantity} × ${formatMoney(unit_amount, currency)}` : null
  const line = { name, detail, quantity, amount: formatMoney(gross, currency) }
  if (fee === 0) return [line]
  return [line, { name: `Setup fee, ${name}`, detail: null, quantity: 1, amount: formatMoney(fee, currency) }]
}

async function totalsOf(context: Context, order: OrderRow, tax: PaperTax): Promise<PaperFact[]> {
  const { currency, subtotal, amount_discount: off, amount, amount_refunded: back } = order
  const money = (value: number) => formatMoney(value, currency)
  const taxes = taxTotals(tax)
  const code = off > 0 ? (await discountOf(context, order)).code : null
  const discount = off > 0 ? [{ label: code === null ? 'Discount' : `Discount ${code}`, value: money(-off) }] : []
  const less =
    off > 0 && !tax.tax_inclusive && taxes.length > 0 ? [{ label: 'After discount', value: money(subtotal - off) }] : []
  const sums = [{ label: 'Subtotal', value: money(subtotal) }, ...discount, ...less, ...taxes]
  const paid = { label: 'Total paid', value: money(amount) }
  if (back === 0) return [...sums, paid]
  return [
    ...sums,
    paid,
    { label: 'Refunded', value: money(-back) },
    { label: 'Total after refunds', value: money(amount - back) },
  ]
}
