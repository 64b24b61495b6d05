import { html } from 'hono/html'
import type { Shown } from '../../../resources/nouns.ts'
import { formatNumber } from '../../../words/numbers.ts'
import type { Page } from '../../parts/document.ts'
import { type Fact, factList, headedCard } from '../../parts/facts.ts'
import { type Column, dataTable } from '../../parts/table.ts'
import { badge } from '../kit/value.ts'
import { type Viewed, view } from '../kit/view.ts'
import type { Cell, Visit } from '../kit/visit.ts'
import { failedOrder } from '../recover/failure-card.ts'
import { customerCell } from './customer-cell.ts'
import { amount, amountOf, lessOf } from './money.ts'

type ViewedOrder = Viewed<'order'>
type Item = Shown<'order_item'>

const bought: Cell<ViewedOrder> = { title: 'Bought', show: (_, order) => html`${boughtWords(order)}` }

const paid: Cell<ViewedOrder> = {
  title: 'Amount',
  end: true,
  show: (_, order) => {
    return order.amount_refunded > 0
      ? html`${amount(order)}<span class="aside">${amountOf(order, 'amount_refunded')} refunded</span>`
      : amount(order)
  },
}

export const orderView = view('order', {
  title: boughtWords,
  lead: 'All purchases and subscription renewals.',
  columns: ['bought', 'customer', 'paid', 'status', 'created_at'],
  cells: { bought, paid, customer: customerCell },
  expand: ['customer', 'line_items'],
  above: [failedOrder, async (visit, order) => lines(visit, order)],
  find: 'Order number',
  empty: ({ base }) =>
    html`Share a <a href="${base}/checkout_links">checkout link</a> or the page of a <a href="${base}/products">product</a>: orders appear here.`,
  main: ['id', 'customer', 'paid_at', 'subscription', 'invoice', 'discount', 'created_at'],
  without: ['status', 'amount', 'subtotal', 'amount_discount', 'amount_refunded', 'charge'],
  sections: [async (visit, order) => payment(visit, order)],
  labels: { id: 'Order number', paid_at: 'Paid on', created_at: 'Ordered on' },
  related: ['refund'],
  links: ({ base }, order) =>
    leftOf(order) > 0 && (order.status === 'succeeded' || order.status === 'partially_refunded')
      ? html`<a class="button primary" href="${base}/orders/${order.id}/refund">Refund</a>`
      : null,
})

/** What was not refunded yet; refunds that are pending are not taken off. */
export function leftOf({ amount, amount_refunded }: Pick<ViewedOrder, 'amount' | 'amount_refunded'>): number {
  return amount - amount_refunded
}

/** `Ruby Handbook × 2 and 1 more`. */
export function boughtWords({ line_items: [first, ...others] = [] }: Pick<ViewedOrder, 'line_items'>): string {
  if (!first) return 'Order'
  const name = first.quantity > 1 ? `${first.product_name} × ${first.quantity}` : first.product_name
  return others.length > 0 ? `${name} and ${others.length} more` : name
}

/** The lines as a bill. */
function lines({ base }: Visit, order: ViewedOrder): Page {
  const columns: Column<Item>[] = [
    { words: 'Product', cell: (item) => lineName(base, item) },
    { words: 'Quantity', cell: ({ quantity }) => formatNumber(quantity), end: true },
    { words: 'Price', cell: (item) => amount(item, 'unit_amount'), end: true },
    { words: 'Refunded', cell: refundedCell, end: true },
    { words: 'Amount', cell: (item) => amount(item), end: true },
  ]
  const rows = order.line_items ?? []
  const table = dataTable({ caption: 'Lines of the order', columns, rows })
  return headedCard('lines', 'What was bought', html`${table}${sums(order)}`)
}

function lineName(base: string, item: Item): Page {
  const asides = [
    item.price_variant_name,
    item.setup_fee_amount > 0 && `${amountOf(item, 'setup_fee_amount')} setup fee`,
    item.amount_discount > 0 && `${amountOf(item, 'amount_discount')} off`,
  ].filter(Boolean)
  return html`<a class="row-link" href="${base}/products/${item.product}">${item.product_name}</a><span class="aside">${asides.join(', ')}</span>`
}

function refundedCell(item: Item): Page {
  return item.amount_refunded > 0 ? amount(item, 'amount_refunded') : html`<span class="none">–</span>`
}

function sums(order: ViewedOrder): Page {
  const sum = (words: string, money: string): Fact => [words, money, { kind: 'sum' }]
  const isRefunded = order.amount_refunded > 0
  return factList('sums', [
    order.amount_discount > 0 && sum('Discount', lessOf(order, 'amount_discount')),
    sum('Total', amountOf(order)),
    isRefunded && sum('Refunded', lessOf(order, 'amount_refunded')),
    isRefunded && sum('Left', amountOf({ ...order, left: leftOf(order) }, 'left')),
  ])
}

const PROCESSORS: Record<ViewedOrder['processor'], string> = {
  test: 'Test payment, no real money',
  card: 'Card',
  x402: 'x402, in USDC',
  none: 'Free, nothing to pay',
}

function payment(_: Visit, { charge: found, processor }: ViewedOrder): Page {
  const charge = typeof found === 'object' ? found : null
  const reference = charge?.processor_reference
  const facts = factList('fields', [
    ['Paid by', PROCESSORS[processor]],
    charge && ['State', badge(charge.status)],
    charge?.payer ? ['Wallet that paid', html`<code>${charge.payer}</code>`] : null,
    charge?.network ? ['Network', html`<code>${charge.network}</code>`] : null,
    reference ? ['Processor reference', html`<code>${reference}</code>`] : null,
  ])
  return headedCard('payment', 'Payment', facts)
}
