import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'
import { badge } from '../kit/value.ts'
import { type Viewed, view } from '../kit/view.ts'
import type { Cell, Visit } from '../kit/visit.ts'
import { customerCell } from './customer-cell.ts'
import { amount, amountOf, lessOf } from './money.ts'

type ViewedOrder = Viewed<'order'>

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
  const rows = (order.line_items ?? []).map((item) => {
    const asides = [
      item.price_variant_name,
      item.setup_fee_amount > 0 && `${amountOf(item, 'setup_fee_amount')} setup fee`,
      item.amount_discount > 0 && `${amountOf(item, 'amount_discount')} off`,
    ].filter(Boolean)
    return html`<tr><th scope="row"><a class="row-link" href="${base}/products/${item.product}">${item.product_name}</a><span class="aside">${asides.join(', ')}</span></th>
<td data-label="Quantity" class="end">${item.quantity}</td><td data-label="Price" class="end">${amount(item, 'unit_amount')}</td>
<td data-label="Refunded" class="end">${item.amount_refunded > 0 ? amount(item, 'amount_refunded') : html`<span class="none">–</span>`}</td><td data-label="Amount" class="end">${amount(item)}</td></tr>`
  })
  const sums = [
    order.amount_discount > 0 && (['Discount', lessOf(order, 'amount_discount')] as const),
    ['Total', amountOf(order)] as const,
    order.amount_refunded > 0 && (['Refunded', lessOf(order, 'amount_refunded')] as const),
    order.amount_refunded > 0 && (['Left', amountOf({ ...order, left: leftOf(order) }, 'left')] as const),
  ].filter((sum) => sum !== false)
  return html`<section class="card" aria-labelledby="lines"><h2 id="lines">What was bought</h2>
<div class="table"><table><caption class="unseen">Lines of the order</caption><thead><tr><th scope="col">Product</th><th scope="col" class="end">Quantity</th><th scope="col" class="end">Price</th><th scope="col" class="end">Refunded</th><th scope="col" class="end">Amount</th></tr></thead><tbody>${rows}</tbody></table></div>
<dl class="sums">${sums.map(([words, sum]) => html`<div class="sum"><dt>${words}</dt><dd>${sum}</dd></div>`)}</dl></section>`
}

const PROCESSORS: Record<ViewedOrder['processor'], string> = {
  test: 'Test payment, no real money',
  card: 'Card',
  x402: 'x402, in USDC',
  none: 'Free, nothing to pay',
}

function payment(_: Visit, { charge: found, processor }: ViewedOrder): Page {
  const charge = typeof found === 'object' ? found : null
  const rows = [
    html`<div><dt>Paid by</dt><dd>${PROCESSORS[processor]}</dd></div>`,
    charge && html`<div><dt>State</dt><dd>${badge(charge.status)}</dd></div>`,
    charge?.failure_message && html`<div><dt>Why it failed</dt><dd>${charge.failure_message}</dd></div>`,
    charge?.processor_reference &&
      html`<div><dt>Processor reference</dt><dd><code>${charge.processor_reference}</code></dd></div>`,
  ].filter(Boolean)
  return html`<section class="card" aria-labelledby="payment"><h2 id="payment">Payment</h2><dl class="fields">${rows}</dl></section>`
}
