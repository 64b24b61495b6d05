import { html } from 'hono/html'
import { formatNumber } from '../../../words/numbers.ts'
import type { Page } from '../../parts/document.ts'
import { type Fact, factList, headedCard } from '../../parts/facts.ts'
import { type Column, dataTable } from '../../parts/table.ts'
import { badge } from '../kit/value.ts'
import type { Cell, Values, View, Visit } from '../kit/visit.ts'
import { customerCell } from './customer-cell.ts'
import { amount, amountOf, lessOf } from './money.ts'

const bought: Cell = { title: 'Bought', show: (_, order) => html`${boughtWords(order)}` }

const paid: Cell = {
  title: 'Amount',
  end: true,
  show: (_, order) => {
    const back = Number(order.amount_refunded)
    return back > 0
      ? html`${amount(order)}<span class="aside">${amountOf(order, 'amount_refunded')} refunded</span>`
      : amount(order)
  },
}

export const orderView: View = {
  title: boughtWords,
  lead: 'All purchases and subscription renewals.',
  columns: ['bought', 'customer', 'paid', 'status', 'created_at'],
  cells: { bought, paid, customer: customerCell },
  expand: ['customer', 'line_items'],
  above: [async (visit, order) => lines(visit, order)],
  find: 'Order number',
  empty: ({ base }) =>
    html`Share a <a href="${base}/checkout_links">checkout link</a> or the page of a <a href="${base}/products">product</a>: orders appear here.`,
  main: ['id', 'customer', 'paid_at', 'subscription', 'invoice', 'discount', 'created_at'],
  without: ['status', 'amount', 'subtotal', 'amount_discount', 'amount_refunded', 'charge'],
  sections: [async (visit, order) => payment(visit, order)],
  labels: { id: 'Order number', paid_at: 'Paid on', created_at: 'Ordered on' },
  related: ['refund'],
  links: ({ base }, order) =>
    leftOf(order) > 0 && ['succeeded', 'partially_refunded'].includes(String(order.status))
      ? html`<a class="button primary" href="${base}/orders/${String(order.id)}/refund">Refund</a>`
      : null,
}

/** What was not refunded yet; refunds that are pending are not taken off. */
export function leftOf({ amount, amount_refunded }: Values): number {
  return Number(amount) - Number(amount_refunded)
}

/** `Ruby Handbook × 2 and 1 more`. */
export function boughtWords({ line_items: items }: Values): string {
  const [first, ...others] = (items ?? []) as Values[]
  if (!first) return 'Order'
  const name = Number(first.quantity) > 1 ? `${first.product_name} × ${first.quantity}` : String(first.product_name)
  return others.length > 0 ? `${name} and ${others.length} more` : name
}

/** The lines as a bill. */
function lines({ base }: Visit, order: Values): Page {
  const columns: Column<Values>[] = [
    { words: 'Product', cell: (item) => lineName(base, item) },
    { words: 'Quantity', cell: ({ quantity }) => formatNumber(Number(quantity)), end: true },
    { words: 'Price', cell: (item) => amount(item, 'unit_amount'), end: true },
    { words: 'Refunded', cell: refundedCell, end: true },
    { words: 'Amount', cell: (item) => amount(item), end: true },
  ]
  const rows = (order.line_items ?? []) as Values[]
  const table = dataTable({ caption: 'Lines of the order', columns, rows })
  return headedCard('lines', 'What was bought', html`${table}${sums(order)}`)
}

function lineName(base: string, item: Values): Page {
  const asides = [
    String(item.price_variant_name),
    Number(item.setup_fee_amount) > 0 && `${amountOf(item, 'setup_fee_amount')} setup fee`,
    Number(item.amount_discount) > 0 && `${amountOf(item, 'amount_discount')} off`,
  ].filter(Boolean)
  return html`<a class="row-link" href="${base}/products/${String(item.product)}">${String(item.product_name)}</a><span class="aside">${asides.join(', ')}</span>`
}

function refundedCell(item: Values): Page {
  return Number(item.amount_refunded) > 0 ? amount(item, 'amount_refunded') : html`<span class="none">–</span>`
}

function sums(order: Values): Page {
  const sum = (words: string, money: string): Fact => [words, money, { kind: 'sum' }]
  const isRefunded = Number(order.amount_refunded) > 0
  return factList('sums', [
    Number(order.amount_discount) > 0 && sum('Discount', lessOf(order, 'amount_discount')),
    sum('Total', amountOf(order)),
    isRefunded && sum('Refunded', lessOf(order, 'amount_refunded')),
    isRefunded && sum('Left', amountOf({ ...order, left: leftOf(order) }, 'left')),
  ])
}

const PROCESSORS: Record<string, string> = {
  test: 'Test payment, no real money',
  card: 'Card',
  x402: 'x402, in USDC',
  none: 'Free, nothing to pay',
}

function payment(_: Visit, order: Values): Page {
  const charge = order.charge as Values | null
  const how = PROCESSORS[String(order.processor)] ?? String(order.processor)
  const reference = charge?.processor_reference
  const facts = factList('fields', [
    ['Paid by', how],
    charge && ['State', badge(String(charge.status))],
    charge?.failure_message ? ['Why it failed', String(charge.failure_message)] : null,
    reference ? ['Processor reference', html`<code>${String(reference)}</code>`] : null,
  ])
  return headedCard('payment', 'Payment', facts)
}
