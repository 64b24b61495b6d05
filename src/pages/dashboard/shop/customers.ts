import { html } from 'hono/html'
import { currencyCode, formatMoney } from '../../../words/money.ts'
import { formatNumber } from '../../../words/numbers.ts'
import type { Page } from '../../parts/document.ts'
import { rowsIn } from '../kit/ask.ts'
import { badge } from '../kit/value.ts'
import { type Viewed, view } from '../kit/view.ts'
import type { Visit } from '../kit/visit.ts'
import { valueTitle } from '../kit/words.ts'
import { tagsOf } from './customer-tags.ts'
import { timeline } from './customer-timeline.ts'
import { day } from './money.ts'

export const customerView = view('customer', {
  actions: {
    delete: {
      button: 'Delete',
      lead: () =>
        'Their reviews and void invoices are kept but no longer linked to them. A customer with orders cannot be deleted.',
      danger: true,
    },
  },
  lead: 'Everyone who bought something or left an e-mail address.',
  columns: ['who', 'email', 'customer_type', 'orders_count', 'spend', 'created_at'],
  cells: {
    who: { title: 'Name', show: (_, { name, email }) => html`${name ?? email}` },
    orders_count: { title: 'Orders', end: true, show: (_, { orders_count: count }) => html`${count}` },
    spend: {
      title: 'Spent',
      end: true,
      show: (visit, customer) => html`<span class="number">${spentBy(visit, customer)}</span>`,
    },
  },
  above: [async (visit, customer) => summary(visit, customer), tagsOf],
  main: ['email', 'name', 'phone_number', 'confirmed_at', 'created_at'],
  without: ['tags', 'orders_count', 'total_spend', 'customer_type', 'first_name', 'last_name'],
  sections: [access, timeline],
  related: ['subscription', 'order', 'invoice', 'email', 'form_submission', 'review'],
  withoutActions: ['tags'],
  links: ({ base }, { id }) => html`<a class="button" href="${base}/emails/new?customer=${id}">Send e-mail</a>
<a class="button" href="${base}/invoices/new?customer=${id}">Create invoice</a>`,
  form: {
    groups: [{ names: ['email', 'name', 'phone_number', 'tags'] }],
    labels: { name: 'Full name' },
    hints: { email: 'Each customer has a unique address.', tags: 'Create new tags on the customer’s page.' },
  },
})

const TYPES: Record<Viewed<'customer'>['customer_type'], string> = {
  lead: 'No purchases yet',
  free: 'Free purchases only',
  paid: 'Has paid',
}

function spentBy({ account }: Visit, { total_spend: spend }: Viewed<'customer'>): string {
  return formatMoney(spend, account.default_currency)
}

function summary(visit: Visit, customer: Viewed<'customer'>): Page {
  const figures = [
    ['Total spent', spentBy(visit, customer), `In ${currencyCode(visit.account.default_currency)}, minus refunds`],
    ['Orders', formatNumber(customer.orders_count), TYPES[customer.customer_type]],
    [
      'Customer since',
      day(visit, customer.created_at),
      customer.confirmed_at ? 'Address confirmed' : 'Address not confirmed',
    ],
  ]
  return html`<dl class="shop-tiles">${figures.map(([words, figure, note]) => html`<div class="card shop-tile"><dt>${words}</dt><dd>${figure}</dd><dd class="tile-note">${note}</dd></div>`)}</dl>`
}

/** What a customer may use, and until when. */
async function access(visit: Visit, { id }: Viewed<'customer'>): Promise<Page | null> {
  const { rows: grants } = rowsIn(await visit.ask('GET /access_grants', { query: { customer: id } }))
  if (grants.length === 0) return null
  const rows = grants.map(
    (
      grant,
    ) => html`<tr><th scope="row"><a class="row-link" href="${visit.base}/products/${grant.product}">${grant.product_name}</a></th>
<td data-label="State">${badge(grant.status)}</td><td data-label="From">${day(visit, grant.starts_at)}</td>
<td data-label="Until">${grant.ends_at ? day(visit, grant.ends_at) : grant.subscription ? 'End of subscription' : 'No end date'}</td>
<td data-label="By"><a href="${visit.base}/${grant.subscription ? `subscriptions/${grant.subscription}` : `orders/${grant.order}`}">${valueTitle(grant.subscription ? 'subscription' : 'order')}</a></td></tr>`,
  )
  return html`<section class="related" aria-labelledby="access"><header><h2 id="access">Access</h2></header>
<div class="table"><table><caption class="unseen">Access</caption><thead><tr><th scope="col">Product</th><th scope="col">State</th><th scope="col">From</th><th scope="col">Until</th><th scope="col">By</th></tr></thead><tbody>${rows}</tbody></table></div></section>`
}
