import { html } from 'hono/html'
import { currencyCode, formatMoney } from '../../../format/money.ts'
import { formatNumber } from '../../../format/numbers.ts'
import type { ValueOf } from '../../../records/dashboard-read.ts'
import { accessGrants } from '../../../resources/dashboard/access-grants.ts'
import { type Column, dataTable, type Fact, factList, type Page } from '../../parts/markup.ts'
import { ifOpen } from '../kit/page-rights.ts'
import { badge } from '../kit/value.ts'
import { type DashboardContext, type Viewed, view } from '../kit/visit.ts'
import { valueTitle } from '../kit/words.ts'
import { tagBadges, tagOffers, tagsOf } from './customer-tags.ts'
import { timeline } from './customer-timeline.ts'
import { day, PLACE_FIELDS, placeCard } from './money.ts'

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
  search: 'E-mail or name',
  bulk: [
    {
      name: 'tag',
      button: 'Add tag',
      method: 'post',
      below: '/tags',
      body: { mode: 'add' },
      asks: { field: 'tags', words: 'Tag' },
      says: (tag) => ({
        happens: [`gets the tag “${tag}”`, `get the tag “${tag}”`],
        isAlready: ['has it already', 'have it already'],
        happened: [`got the tag “${tag}”`, `got the tag “${tag}”`],
        wasAlready: ['had it already', 'had it already'],
      }),
    },
  ],
  columns: ['who', 'email', 'labels', 'customer_type', 'orders_count', 'spend', 'created_at'],
  expand: ['tags'],
  offers: { tag: tagOffers },
  cells: {
    who: { title: 'Name', show: (_, { name, email }) => html`${name ?? email}` },
    labels: { title: 'Tags', show: (_, customer) => tagBadges(customer) },
    orders_count: { title: 'Orders', end: true, show: (_, { orders_count: count }) => html`${count}` },
    spend: {
      title: 'Spent',
      end: true,
      sort: 'total_spend',
      show: (visit, customer) => html`<span class="number">${totalSpend(visit, customer)}</span>`,
    },
  },
  above: [async (visit, customer) => summary(visit, customer), tagsOf],
  main: ['email', 'name', 'phone_number', 'confirmed_at', 'created_at'],
  without: ['tags', 'orders_count', 'total_spend', 'customer_type', 'first_name', 'last_name', ...PLACE_FIELDS],
  sections: [async (_, customer) => placeCard(customer), access, timeline],
  related: ['subscription', 'order', 'invoice', 'email', 'form_submission', 'review'],
  withoutActions: ['tags'],
  links: (visit, { id }) =>
    html`${ifOpen(visit, '/emails/new', html`<a class="button" href="${visit.base}/emails/new?customer=${id}">Send e-mail</a>`)}
${ifOpen(visit, '/invoices/new', html`<a class="button" href="${visit.base}/invoices/new?customer=${id}">Create invoice</a>`)}`,
  form: {
    groups: [
      { names: ['email', 'name', 'phone_number', 'tags'] },
      { title: 'Tax', names: ['country', 'region', 'vat_id'] },
    ],
    labels: { name: 'Full name', vat_id: 'VAT ID' },
    hints: {
      email: 'Each customer has a unique address.',
      tags: 'Create new tags on the customer’s page.',
      country: 'Where the customer is taxed. Running subscriptions follow a change from their next payment on.',
      region: 'A US state or a Canadian province, where rates have regions.',
      vat_id: 'Of a business in another country than yours, which then pays without tax.',
    },
  },
})

const TYPES: Record<Viewed<'customer'>['customer_type'], string> = {
  lead: 'No purchases yet',
  free: 'Free purchases only',
  paid: 'Has paid',
}

function totalSpend({ account }: DashboardContext, { total_spend: spend }: Viewed<'customer'>): string {
  return formatMoney(spend, account.default_currency)
}

function summary(visit: DashboardContext, customer: Viewed<'customer'>): Page {
  const tile = (words: string, figure: string, note: string): Fact => [
    words,
    figure,
    { kind: 'card shop-tile', note: { kind: 'tile-note', words: note } },
  ]
  const currency = currencyCode(visit.account.default_currency)
  const { orders_count: orders, customer_type: type, created_at: since, confirmed_at: confirmed } = customer
  return factList('shop-tiles', [
    tile('Total spent', totalSpend(visit, customer), `In ${currency}, minus refunds`),
    tile('Orders', formatNumber(orders), TYPES[type]),
    tile('Customer since', day(visit, since), confirmed ? 'Address confirmed' : 'Address not confirmed'),
  ])
}

async function access(visit: DashboardContext, { id }: Viewed<'customer'>): Promise<Page | null> {
  const grants = await visit.read(accessGrants, id)
  if (grants.length === 0) return null
  return html`<section class="related" aria-labelledby="access"><header><h2 id="access">Access</h2></header>
${dataTable({ caption: 'Access', columns: grantColumns(visit), rows: grants })}</section>`
}

type Grant = ValueOf<typeof accessGrants>[number]

function grantColumns(visit: DashboardContext): Column<Grant>[] {
  const { base } = visit
  const source = ({ subscription, order_id: order }: Grant) =>
    html`<a href="${base}/${subscription ? `subscriptions/${subscription}` : `orders/${order}`}">${valueTitle(subscription ? 'subscription' : 'order')}</a>`
  return [
    {
      words: 'Product',
      cell: ({ product, product_name: name }) =>
        html`<a class="row-link" href="${base}/products/${product}">${name}</a>`,
    },
    { words: 'State', cell: ({ status }) => badge(status) },
    { words: 'From', cell: ({ starts_at }) => day(visit, starts_at) },
    { words: 'Until', cell: (grant) => accessEnd(visit, grant) },
    { words: 'By', cell: source },
  ]
}

function accessEnd(visit: DashboardContext, { ends_at, subscription }: Grant): string {
  if (ends_at) return day(visit, ends_at)
  return subscription ? 'End of subscription' : 'No end date'
}
