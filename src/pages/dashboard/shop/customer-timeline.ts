import { html } from 'hono/html'
import { formatMoment } from '../../../words/moments.ts'
import type { Page } from '../../parts/document.ts'
import { refusalOf, type Values, type Visit } from '../kit/visit.ts'
import { amountOf } from './money.ts'
import { boughtWords } from './orders.ts'

interface Happening {
  at: string
  words: string
  address: string | null
}

/** Of each list; a timeline is of what happened lately. */
const MOST_EACH = 20
const MOST = 30

/** What happened with a customer, the latest first. */
export async function timeline(visit: Visit, customer: Values): Promise<Page | null> {
  const id = String(customer.id)
  const found = await Promise.all(
    SOURCES.map(async ({ path, query, happenings }) => {
      const answer = await visit.ask('GET', path, { query: { ...query(id), limit: MOST_EACH } })
      return refusalOf(answer) ? [] : (answer.body.data as Values[]).flatMap((one) => happenings(one))
    }),
  )
  const first = { at: String(customer.created_at), words: 'Customer created', address: null }
  const all = [...found.flat(), first].toSorted((one, other) => other.at.localeCompare(one.at)).slice(0, MOST)
  const lines = all.map(({ at, words, address }) => {
    const what = address === null ? words : html`<a href="${visit.base}${address}">${words}</a>`
    return html`<li class="happening"><time datetime="${at}">${formatMoment(at, visit.account.timezone)}</time> <span>${what}</span></li>`
  })
  return html`<section class="related" aria-labelledby="timeline"><header><h2 id="timeline">Timeline</h2></header><ol class="timeline">${lines}</ol></section>`
}

interface Source {
  path: string
  query(customer: string): Values
  happenings(one: Values): Happening[]
}

const ofCustomer = (customer: string) => ({ customer })

function at(moment: unknown, words: string, address: string | null): Happening[] {
  return typeof moment === 'string' ? [{ at: moment, words, address }] : []
}

const SOURCES: Source[] = [
  {
    path: '/orders',
    query: (customer) => ({ customer, expand: ['line_items'] }),
    happenings: (order) => {
      const own = `/orders/${order.id}`
      const bought = boughtWords(order)
      if (order.status === 'failed') return at(order.created_at, `Could not pay ${amountOf(order)} for ${bought}`, own)
      return at(
        order.paid_at,
        Number(order.amount) === 0 ? `Got ${bought} for free` : `Paid ${amountOf(order)} for ${bought}`,
        own,
      )
    },
  },
  {
    path: '/subscriptions',
    query: (customer) => ({ customer, expand: ['product'] }),
    happenings: (subscription) => {
      const own = `/subscriptions/${subscription.id}`
      const name = String((subscription.product as Values | null)?.name ?? 'it')
      return [
        ...at(subscription.created_at, `Subscribed to ${name}`, own),
        ...at(subscription.paused_at, `Paused the subscription to ${name}`, own),
        ...at(subscription.canceled_at, `Canceled the subscription to ${name}`, own),
      ]
    },
  },
  {
    path: '/invoices',
    query: ofCustomer,
    happenings: (invoice) => {
      const own = `/invoices/${invoice.id}`
      return [
        ...at(invoice.created_at, `Got invoice ${invoice.number} of ${amountOf(invoice)}`, own),
        ...at(invoice.paid_at, `Paid invoice ${invoice.number}`, own),
        ...at(invoice.voided_at, `Invoice ${invoice.number} was voided`, own),
      ]
    },
  },
  {
    path: '/emails',
    query: ofCustomer,
    happenings: (email) => at(email.created_at, `E-mail: ${email.subject}`, `/emails/${email.id}`),
  },
  {
    path: '/form_submissions',
    query: (customer) => ({ customer, expand: ['form'] }),
    happenings: (submission) =>
      at(
        submission.created_at,
        `Answered ${(submission.form as Values | null)?.name ?? 'a form'}`,
        `/form_submissions/${submission.id}`,
      ),
  },
  {
    path: '/reviews',
    query: (customer) => ({ customer, expand: ['product'] }),
    happenings: (review) =>
      at(
        review.created_at,
        `Gave ${(review.product as Values | null)?.name ?? 'a product'} ${review.rating} of 5 stars`,
        `/reviews/${review.id}`,
      ),
  },
]
