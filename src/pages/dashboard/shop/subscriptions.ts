import { html } from 'hono/html'
import { everyInterval } from '../../../format/intervals.ts'
import type { Page } from '../../parts/markup.ts'
import { becomes } from '../derived/chosen.ts'
import { badge, number } from '../kit/value.ts'
import { type DashboardContext, type Viewed, view } from '../kit/visit.ts'
import { unpaidSubscription } from '../recover/failure-card.ts'
import { amountOf, customerCell, day, PLACE_FIELDS, placeCard } from './money.ts'

type ViewedSubscription = Viewed<'subscription'>
type SubscriptionState = Pick<ViewedSubscription, 'status' | 'ends_at' | 'cancellation_reason'>

export const subscriptionView = view('subscription', {
  title: ({ product: sold }) => `Subscription to ${typeof sold === 'object' ? sold.name : 'a product'}`,
  empty: ({ base }) =>
    html`Add a price that is a subscription to a <a href="${base}/products">product</a>: subscribers appear here.`,
  lead: 'Purchases that renew every period at their original price.',
  search: 'E-mail, name or product',
  bulk: [{ name: 'charge', button: 'Charge now', method: 'post', word: 'charge_now', says: becomes('charged') }],
  columns: ['product', 'customer', 'terms', 'status', 'next'],
  cells: {
    product: {
      title: 'Subscription to',
      show: (_, { product: sold }) => html`${typeof sold === 'object' ? sold.name : sold}`,
    },
    customer: customerCell,
    terms: { title: 'Amount', end: true, show: (_, one) => number(termsOf(one)) },
    status: { title: 'Status', show: (_, one) => badge(stateOf(one)) },
    next: { title: 'Next', show: (visit, one) => html`${nextInShort(visit, one)}` },
  },
  state: stateOf,
  expand: ['customer', 'product', 'price_variant'],
  above: [
    unpaidSubscription,
    async (visit, subscription) =>
      isUnpaid(subscription)
        ? null
        : html`<section class="card" aria-labelledby="next"><h2 id="next">What happens next</h2><p>${whatHappens(visit, subscription)}</p></section>`,
  ],
  main: [
    'customer',
    'product',
    'price_variant',
    'quantity',
    'current_period_end',
    'trial_ends_at',
    'ends_at',
    'resumes_at',
    'payments_count',
    'discount',
    'cancellation_reason',
    'created_at',
  ],
  without: [
    ...PLACE_FIELDS,
    ...(['status', 'amount', 'currency', 'amount_due', 'failed_payments_count'] as const),
    ...(['last_payment_error', 'last_payment_error_code', 'next_payment_attempt_at', 'unpaid_until'] as const),
  ],
  labels: {
    price_variant: 'Price',
    current_period_end: 'Paid until',
    trial_ends_at: 'Trial until',
    ends_at: 'Ends on',
    resumes_at: 'Resumes on',
    payments_count: 'Payments so far',
    created_at: 'Subscribed on',
  },
  sections: [async (_, subscription) => placeCard(subscription)],
  related: ['order'],
  actions: {
    cancel: {
      button: ({ ends_at }) => (ends_at === null ? 'Cancel' : 'End now'),
      // A subscription that already ends later can only be ended immediately.
      fixed: ({ ends_at }) => (ends_at === null ? {} : { immediately: true }),
      danger: true,
      lead: (visit, subscription) => cancelWords(visit, subscription),
      labels: { immediately: 'End immediately', reason: 'Cancellation reason' },
      hints: {
        immediately:
          'Yes: the subscription and its access end now. No: it ends with the paid period and can be resumed until then. Nothing is refunded in either case.',
        reason: 'For your own reference. Shown on this page.',
      },
    },
    pause: {
      button: 'Pause',
      lead: (visit, { current_period_end: end }) =>
        `Nothing is charged while it is paused.${end ? ` The buyer keeps the access already paid for until ${day(visit, end)}.` : ''} Trials continue.`,
      labels: { resumes_at: 'Resume automatically on' },
      hints: { resumes_at: 'Leave empty to resume manually.' },
    },
    resume: {
      button: 'Resume',
      lead: (visit, subscription) => resumeWords(visit, subscription),
    },
  },
})

/** Returns the displayed state. After a cancellation or the last installment, a subscription is `ending` until its end date. */
export function stateOf({ status, ends_at, cancellation_reason: reason }: SubscriptionState): string {
  if (status === 'canceled') return reason === 'completed' ? 'completed' : 'canceled'
  if (ends_at === null) return status
  return status === 'trialing' ? 'trial_ending' : 'ending'
}

/** Returns the price and interval in words: `$9.00 every month`. */
function termsOf(subscription: ViewedSubscription): string {
  const price = subscription.price_variant
  if (typeof price !== 'object' || price.recurring_interval === null) return amountOf(subscription)
  const rhythm = { interval: price.recurring_interval, interval_count: price.interval_count ?? 1 }
  return `${amountOf(subscription)} ${everyInterval(rhythm)}`
}

function isUnpaid({ status }: ViewedSubscription): boolean {
  return status === 'past_due' || status === 'unpaid'
}

function nextInShort(visit: DashboardContext, subscription: ViewedSubscription): string {
  const { status, ends_at, trial_ends_at, current_period_end, resumes_at } = subscription
  const { next_payment_attempt_at, unpaid_until } = subscription
  if (status === 'canceled') return ends_at ? `Ended ${day(visit, ends_at)}` : 'Ended'
  if (ends_at) return `Ends ${day(visit, ends_at)}`
  if (status === 'paused') return resumes_at ? `Resumes ${day(visit, resumes_at)}` : 'Until it is resumed'
  if (status === 'trialing') return `First payment ${day(visit, trial_ends_at)}`
  if (status === 'active' && current_period_end) return `Renews ${day(visit, current_period_end)}`
  if (next_payment_attempt_at) return `Charged again ${day(visit, next_payment_attempt_at)}`
  return unpaid_until ? `Unpaid, ends ${day(visit, unpaid_until)}` : 'Being charged'
}

function whatHappens(visit: DashboardContext, subscription: ViewedSubscription): Page {
  const { status, canceled, ends_at, trial_ends_at, current_period_end: end, resumes_at } = subscription
  const on = (moment: string | null) => html`<strong>${day(visit, moment)}</strong>`
  if (status === 'canceled')
    return html`It has ended${ends_at ? html` on ${on(ends_at)}` : ''}. Nothing more is charged.`
  if (ends_at && !canceled)
    return html`Its last installment is paid. It ends on ${on(ends_at)}, and nothing more is charged.`
  if (ends_at)
    return html`${status === 'trialing' ? 'Its trial' : 'It'} ends on ${on(ends_at)} and will not continue, because it was canceled. Nothing more is charged; until then it can be resumed.`
  if (status === 'paused')
    return html`Nothing is charged. ${resumes_at ? html`It resumes automatically on ${on(resumes_at)}.` : 'It stays paused until someone resumes it.'} ${end ? html`The access lasts until ${day(visit, end)}.` : ''}`
  if (status === 'trialing')
    return html`It is free until ${on(trial_ends_at)}. Then <strong>${termsOf(subscription)}</strong> is charged, before discounts.`
  return html`<strong>${amountOf(subscription)}</strong> is charged on ${on(end)}, before discounts; the terms are ${termsOf(subscription)}.`
}

function cancelWords(
  visit: DashboardContext,
  { status, current_period_end: end, ends_at }: ViewedSubscription,
): string {
  if (ends_at)
    return `The subscription and its access end now, not on ${day(visit, ends_at)}. This cannot be undone, and nothing is refunded.`
  const runsOn = (status === 'active' || status === 'trialing') && end
  if (!runsOn)
    return 'The subscription and its access end immediately, because there is no current paid period. Nothing is refunded.'
  return `Nothing more is charged. It continues until the paid period ends on ${day(visit, end)}, unless you end it now.`
}

function resumeWords(visit: DashboardContext, subscription: ViewedSubscription): string {
  const { current_period_end: end } = subscription
  const isOver = !end || Date.parse(end) <= Date.now()
  return isOver
    ? `A new period starts now, and ${amountOf(subscription)} is charged immediately.`
    : `It continues as before: the next payment of ${amountOf(subscription)} is on ${day(visit, end)}.`
}
