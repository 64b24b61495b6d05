import { html } from 'hono/html'
import { formatMoment } from '../../../format/moments.ts'
import type { Shown } from '../../../resources/nouns.ts'
import type { Page } from '../../parts/markup.ts'
import { rowsIn } from '../kit/call.ts'
import type { DashboardContext, Viewed } from '../kit/visit.ts'
import { reasonOf } from '../recover/failure-card.ts'
import { amountOf } from './money.ts'
import { boughtWords } from './orders.ts'

interface TimelineEvent {
  at: string
  words: string
  address: string | null
}

/** The maximum number of recent events of each kind of resource. */
const MOST_EACH = 20
const MOST = 30

export async function timeline(visit: DashboardContext, { id, created_at }: Viewed<'customer'>): Promise<Page | null> {
  const found = await Promise.all(SOURCES.map((happenings) => happenings(visit, id)))
  const first = { at: created_at, words: 'Customer created', address: null }
  const all = [...found.flat(), first].toSorted((one, other) => other.at.localeCompare(one.at)).slice(0, MOST)
  const lines = all.map(({ at, words, address }) => {
    const what = address === null ? words : html`<a href="${visit.base}${address}">${words}</a>`
    return html`<li class="happening"><time datetime="${at}">${formatMoment(at, visit.account.timezone)}</time> <span>${what}</span></li>`
  })
  return html`<section class="related" aria-labelledby="timeline"><header><h2 id="timeline">Timeline</h2></header><ol class="timeline">${lines}</ol></section>`
}

/** Returns the customer's events from one kind of resource, or none if the person may not see these resources. */
type TimelineSource = (visit: DashboardContext, customer: string) => Promise<TimelineEvent[]>

const limit = MOST_EACH

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
