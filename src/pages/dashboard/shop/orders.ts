import { html } from 'hono/html'
import type { Bill } from '../../../format/bill.ts'
import { plainAmount } from '../../../format/money.ts'
import { formatNumber } from '../../../format/numbers.ts'
import { billTaxes } from '../../../format/tax.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { boughtWords } from '../../../resources/sales/order/items.ts'
import { billList, type Column, dataTable, factList, headedCard, type Page } from '../../parts/markup.ts'
import { mayOpen } from '../kit/page-rights.ts'
import { badge } from '../kit/value.ts'
import { type DashboardContext, type Viewed, view } from '../kit/visit.ts'
import { failedOrder } from '../recover/failure-card.ts'
import { disputesOfOrder } from './disputes.ts'
import { amount, amountOf, customerCell, TAX_FIELDS, taxCard } from './money.ts'

const ORDER_CSV = {
  expand: ['customer', 'line_items'],
  columns: {
    products: ({ line_items = [] }: ViewedOrder) => line_items.map(itemText).join('; '),
    buyer_email: ({ customer }: ViewedOrder) => (typeof customer === 'object' ? customer.email : ''),
    buyer_name: ({ customer }: ViewedOrder) => (typeof customer === 'object' ? (customer.name ?? '') : ''),
    setup_fees: (order: ViewedOrder) =>
      plainAmount(
        (order.line_items ?? []).reduce((sum, item) => sum + item.setup_fee_amount, 0),
        order.currency,
      ),
    net: (order: ViewedOrder) => plainAmount(netOf(order), order.currency),
  },
} as const

type ViewedOrder = Viewed<'order'>
type Item = Shown<'order_item'>

export const orderView = view('order', {
  title: boughtWords,
  lead: 'All purchases and subscription renewals.',
  columns: ['bought', 'customer', 'paid', 'status', 'created_at'],
  cells: {
    bought: { title: 'Bought', show: (_, order) => html`${boughtWords(order)}` },
    paid: {
      title: 'Amount',
      end: true,
      sort: 'amount',
      show: (_, order) =>
        order.amount_refunded > 0
          ? html`${amount(order)}<span class="aside">${amountOf(order, 'amount_refunded')} refunded</span>`
          : amount(order),
    },
    customer: customerCell,
  },
  expand: ['customer', 'line_items'],
  above: [failedOrder, disputesOfOrder, async (visit, order) => lines(visit, order)],
  search: 'E-mail, name, product, ID',
  empty: ({ base }) =>
    html`Share a <a href="${base}/checkout_links">checkout link</a> or the page of a <a href="${base}/products">product</a>: orders appear here.`,
  main: ['id', 'customer', 'paid_at', 'subscription', 'invoice', 'discount', 'created_at'],
  without: [
    'status',
    'amount',
    'subtotal',
    'amount_discount',
    'amount_refunded',
    'charge',
    'amount_tax_refunded',
    ...TAX_FIELDS,
  ],
  sections: [async (_, order) => taxCard(order), async (visit, order) => payment(visit, order)],
  labels: { id: 'Order number', paid_at: 'Paid on', created_at: 'Ordered on' },
  related: ['refund'],
  csv: ORDER_CSV,
  links: (visit, order) => {
    const { base } = visit
    const isLeft =
      leftOf(order) > 0 &&
      order.channel !== 'import' &&
      mayOpen(visit, `/orders/${order.id}/refund`) &&
      (order.status === 'succeeded' || order.status === 'partially_refunded')
    const receipt = html`<a class="button" href="${base}/orders/${order.id}/receipt.pdf" data-turbo="false">Receipt (PDF)</a>`
    const refund = html`<a class="button primary" href="${base}/orders/${order.id}/refund">Refund</a>`
    return html`${order.paid_at === null ? '' : receipt}${isLeft ? refund : ''}`
  },
})

/** Returns the amount that is not refunded. Pending refunds are not subtracted. */
export function leftOf({ amount, amount_refunded }: Pick<ViewedOrder, 'amount' | 'amount_refunded'>): number {
  return amount - amount_refunded
}

function lines({ base }: DashboardContext, order: ViewedOrder): Page {
  const columns: Column<Item>[] = [
    { words: 'Product', cell: (item) => lineName(base, item) },
    { words: 'Quantity', cell: ({ quantity }) => formatNumber(quantity), end: true },
    { words: 'Price', cell: (item) => amount(item, 'unit_amount'), end: true },
    {
      words: 'Refunded',
      cell: (item) => (item.amount_refunded > 0 ? amount(item, 'amount_refunded') : html`<span class="none">–</span>`),
      end: true,
    },
    { words: 'Amount', cell: (item) => amount({ ...item, gross: grossOf(item, order) }, 'gross'), end: true },
  ]
  const rows = order.line_items ?? []
  const table = dataTable({ caption: 'Lines of the order', columns, rows })
  return headedCard('lines', 'What was bought', html`${table}${billList('order-bill', billOf(order))}`)
}

/** Returns a line's amount without its set-up fee, before discount and added tax, so that the lines add up to the subtotal. */
function grossOf(
  { amount, amount_discount, setup_fee_amount, amount_tax }: Item,
  { tax_inclusive }: ViewedOrder,
): number {
  return amount + amount_discount - setup_fee_amount - (tax_inclusive ? 0 : amount_tax)
}

function lineName(base: string, item: Item): Page {
  const asides = [
    item.price_variant_name,
    item.setup_fee_amount > 0 && `${amountOf(item, 'setup_fee_amount')} setup fee`,
    item.amount_discount > 0 && `${amountOf(item, 'amount_discount')} off`,
  ].filter(Boolean)
  return html`<a class="row-link" href="${base}/products/${item.product}">${item.product_name}</a><span class="aside">${asides.join(', ')}</span>`
}

function billOf(order: ViewedOrder): Bill {
  const { currency, subtotal, amount_discount, amount, amount_refunded, discount, line_items = [] } = order
  return {
    ...{ currency, subtotal, total: amount, refunded: amount_refunded, totalLabel: 'Total', lines: line_items.length },
    ...billTaxes(order),
    setupFee: line_items.reduce((sum, item) => sum + item.setup_fee_amount, 0),
    discount: { code: typeof discount === 'object' && discount ? discount.code : null, amount: amount_discount },
  }
}

const PROCESSORS: Record<ViewedOrder['processor'], string> = {
  test: 'Test payment, no real money',
  card: 'Card',
  x402: 'x402, in USDC',
  none: 'Free, nothing to pay',
}

function payment(_: DashboardContext, { charge: found, processor, channel }: ViewedOrder): Page {
  const charge = typeof found === 'object' ? found : null
  const reference = charge?.processor_reference
  const facts = factList('fields', [
    ['Paid by', channel === 'import' ? 'Paid elsewhere, before it was imported' : PROCESSORS[processor]],
    charge && ['State', badge(charge.status)],
    charge?.payer ? ['Wallet that paid', html`<code>${charge.payer}</code>`] : null,
    charge?.network ? ['Network', html`<code>${charge.network}</code>`] : null,
    reference ? ['Processor reference', html`<code>${reference}</code>`] : null,
  ])
  return headedCard('payment', 'Payment', facts)
}

/** Returns the net amount as reports compute it: the payment minus refunds and tax, or 0 if the order is unpaid. */
function netOf({ paid_at, amount, amount_refunded, amount_tax, amount_tax_refunded }: ViewedOrder): number {
  return paid_at === null ? 0 : amount - amount_refunded - (amount_tax - amount_tax_refunded)
}

/** Returns a line in words: `2 × Ruby Handbook (Hardcover)`. */
function itemText({ quantity, product_name, price_variant_name }: Item): string {
  return `${quantity} × ${product_name} (${price_variant_name})`
}
