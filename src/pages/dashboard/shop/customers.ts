import { html } from 'hono/html'
import { formatMoment } from '../../../format/moments.ts'
import { currencyCode, formatMoney } from '../../../format/money.ts'
import { formatNumber } from '../../../format/numbers.ts'
import type { ValueOf } from '../../../records/dashboard-read.ts'
import { accessGrants } from '../../../resources/dashboard/access-grants.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { boughtWords } from '../../../resources/sales/order/items.ts'
import { type Column, dataTable, type Fact, factList, type Page } from '../../parts/markup.ts'
import { goDone } from '../kit/answers.ts'
import { answeredRows, rowsIn, shown } from '../kit/call.ts'
import { ifOpen, mayOpen } from '../kit/page-rights.ts'
import { badge, number, rowLink } from '../kit/value.ts'
import { type DashboardContext, type DashboardPage, type Offer, type Viewed, view } from '../kit/visit.ts'
import { valueTitle } from '../kit/words.ts'
import { reasonOf } from '../recover/failure-card.ts'
import { amountOf, day, PLACE_FIELDS, placeCard } from './money.ts'

/** The maximum number of tags with a checkbox. People can add other tags by name. */
const MOST_TAGS = 100

async function tagsOf(visit: DashboardContext, customer: Viewed<'customer'>): Promise<Page | null> {
  if (!mayOpen(visit, `/customers/${customer.id}/set-tags`, 'POST')) return shownTags(customer)
  const { rows } = await answeredRows(visit.call('GET /tags', { query: { limit: MOST_TAGS } }))
  const ownIds = new Set(customer.tags.map((tag) => (typeof tag === 'object' ? tag.id : tag)))
  const known = new Set(rows.map(({ id }) => id))
  const all = [...customer.tags.filter((tag) => typeof tag === 'object').filter(({ id }) => !known.has(id)), ...rows]
  const boxes = all.map(
    ({ id, name }) =>
      html`<label class="shop-check"><input type="checkbox" name="tag" value="${id}"${ownIds.has(id) ? html` checked` : ''}> ${name}</label>`,
  )
  return html`<section class="card" aria-labelledby="tags"><h2 id="tags">Tags</h2>
<form class="tag-form" method="post" action="${visit.base}/customers/${encodeURIComponent(customer.id)}/set-tags"><input type="hidden" name="csrf" value="${visit.csrf}">
<fieldset class="shop-checks"><legend class="unseen">Tags of this customer</legend>${boxes}</fieldset>
<div class="inline"><div class="filter"><label for="new-tag">New tag</label><input id="new-tag" name="new" maxlength="100" autocomplete="off"></div><button>Save tags</button></div></form></section>`
}

function shownTags(customer: Viewed<'customer'>): Page | null {
  if (namesOf(customer).length === 0) return null
  return html`<section class="card" aria-labelledby="tags"><h2 id="tags">Tags</h2><p>${tagBadges(customer)}</p></section>`
}

function tagBadges(customer: Viewed<'customer'>): Page {
  return html`${namesOf(customer).map((name) => html`<span class="badge plain">${name}</span> `)}`
}

function namesOf({ tags }: Viewed<'customer'>): string[] {
  return tags.flatMap((tag) => (typeof tag === 'object' ? tag.name : []))
}

async function tagOffers(visit: DashboardContext): Promise<Offer[]> {
  const { rows } = rowsIn(await visit.call('GET /tags', { query: { limit: MOST_TAGS } }))
  return rows.map(({ name }): Offer => [name, name]).toSorted(([one], [other]) => one.localeCompare(other))
}

export const setTags: DashboardPage = {
  path: '/customers/:id/set-tags',
  send: 'customers.write',
  post: async (visit, { id }, form) => {
    const added = form.get('new')?.trim()
    const body = { tags: [...form.getAll('tag'), ...(added ? [added] : [])], mode: 'replace' }
    await shown(visit.call('POST /customers/{id}/tags', { path: { id: id! }, body }))
    return goDone(visit, `${visit.base}/customers/${encodeURIComponent(id!)}`, 'saved')
  },
}

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
      show: (visit, customer) => number(totalSpend(visit, customer)),
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
    { words: 'Product', cell: ({ product, product_name: name }) => rowLink(`${base}/products/${product}`, name) },
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

interface TimelineEvent {
  at: string
  words: string
  address: string | null
}

/** The maximum number of resources of each kind whose events the timeline reads. */
const limit = 20
const MOST_EVENTS = 30

async function timeline(visit: DashboardContext, { id, created_at }: Viewed<'customer'>): Promise<Page | null> {
  const found = await Promise.all(SOURCES.map((happenings) => happenings(visit, id)))
  const first = { at: created_at, words: 'Customer created', address: null }
  const all = [...found.flat(), first].toSorted((one, other) => other.at.localeCompare(one.at)).slice(0, MOST_EVENTS)
  const lines = all.map(({ at, words, address }) => {
    const what = address === null ? words : html`<a href="${visit.base}${address}">${words}</a>`
    return html`<li class="happening"><time datetime="${at}">${formatMoment(at, visit.account.timezone)}</time> <span>${what}</span></li>`
  })
  return html`<section class="related" aria-labelledby="timeline"><header><h2 id="timeline">Timeline</h2></header><ol class="timeline">${lines}</ol></section>`
}

/** Returns the customer's events from one kind of resource, or none if the person may not see these resources. */
type TimelineSource = (visit: DashboardContext, customer: string) => Promise<TimelineEvent[]>

function at(moment: string | null, words: string, address: string | null): TimelineEvent[] {
  return moment === null ? [] : [{ at: moment, words, address }]
}

const orders: TimelineSource = async ({ call }, customer) => {
  const answer = await call('GET /orders', { query: { customer, limit, expand: ['line_items', 'charge'] } })
  return rowsIn(answer).rows.flatMap((order) => {
    const own = `/orders/${order.id}`
    const bought = boughtWords(order)
    if (order.status === 'failed') return at(order.created_at, failedWords(order, bought), own)
    return at(
      order.paid_at,
      order.amount === 0 ? `Got ${bought} for free` : `Paid ${amountOf(order)} for ${bought}`,
      own,
    )
  })
}

/** Returns a sentence such as `Could not pay $20.00 for Reading Club. The card has expired.` */
function failedWords(order: Shown<'order', 'charge'>, bought: string): string {
  const { failure_code: code = null, failure_message: message = null } = order.charge ?? {}
  return `Could not pay ${amountOf(order)} for ${bought}. ${reasonOf({ code, message })}`
}

const subscriptions: TimelineSource = async ({ call }, customer) => {
  const answer = await call('GET /subscriptions', { query: { customer, limit, expand: ['product'] } })
  return rowsIn(answer).rows.flatMap(({ id, product: { name }, created_at, paused_at, canceled_at }) => {
    const own = `/subscriptions/${id}`
    return [
      ...at(created_at, `Subscribed to ${name}`, own),
      ...at(paused_at, `Paused the subscription to ${name}`, own),
      ...at(canceled_at, `Canceled the subscription to ${name}`, own),
    ]
  })
}

const invoices: TimelineSource = async ({ call }, customer) => {
  const answer = await call('GET /invoices', { query: { customer, limit } })
  return rowsIn(answer).rows.flatMap((invoice) => {
    const own = `/invoices/${invoice.id}`
    return [
      ...at(invoice.created_at, `Got invoice ${invoice.number} of ${amountOf(invoice)}`, own),
      ...at(invoice.paid_at, `Paid invoice ${invoice.number}`, own),
      ...at(invoice.voided_at, `Invoice ${invoice.number} was voided`, own),
    ]
  })
}

const emails: TimelineSource = async ({ call }, customer) => {
  const answer = await call('GET /emails', { query: { customer, limit } })
  return rowsIn(answer).rows.flatMap(({ id, subject, created_at }) =>
    at(created_at, `E-mail: ${subject}`, `/emails/${id}`),
  )
}

const submissions: TimelineSource = async ({ call }, customer) => {
  const answer = await call('GET /form_submissions', { query: { customer, limit, expand: ['form'] } })
  return rowsIn(answer).rows.flatMap(({ id, form, created_at }) =>
    at(created_at, `Answered ${form.name}`, `/form_submissions/${id}`),
  )
}

const reviews: TimelineSource = async ({ call }, customer) => {
  const answer = await call('GET /reviews', { query: { customer, limit, expand: ['product'] } })
  return rowsIn(answer).rows.flatMap(({ id, product, rating, created_at }) =>
    at(created_at, `Gave ${product.name} ${rating} of 5 stars`, `/reviews/${id}`),
  )
}

const SOURCES = [orders, subscriptions, invoices, emails, submissions, reviews]
