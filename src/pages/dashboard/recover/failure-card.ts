import { html } from 'hono/html'
import { declineOf } from '../../../format/declines.ts'
import { waitInWords } from '../../../format/durations.ts'
import { formatMoment, formatShortDay } from '../../../format/moments.ts'
import { recovery } from '../../../resources/dashboard/recovery.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { headedCard, type Page } from '../../parts/markup.ts'
import { shown } from '../kit/call.ts'
import { ifOpen } from '../kit/page-rights.ts'
import type { DashboardContext, Viewed } from '../kit/visit.ts'
import { amountOf } from '../shop/money.ts'

type UnpaidSubscription = Pick<
  Viewed<'subscription'>,
  | 'id'
  | 'status'
  | 'amount_due'
  | 'customer'
  | 'currency'
  | 'last_payment_error'
  | 'last_payment_error_code'
  | 'failed_payments_count'
  | 'next_payment_attempt_at'
  | 'unpaid_until'
>

/** Shows why the payment failed and the possible actions. Returns null if nothing is unpaid. */
export async function unpaidSubscription(
  visit: DashboardContext,
  subscription: UnpaidSubscription,
): Promise<Page | null> {
  const { id, status, failed_payments_count: tries } = subscription
  if (status !== 'past_due' && status !== 'unpaid') return null
  const failure = { code: subscription.last_payment_error_code, message: subscription.last_payment_error }
  const due = amountOf(subscription, 'amount_due')
  return headedCard(
    'failed',
    `The payment of ${due} failed`,
    html`${reasonAtLength(failure)}${whatFollows(visit, subscription, await momentOf(visit))}
<p class="soft">${tries === 1 ? 'It was tried once.' : `It was tried ${tries} times.`}</p>
${recoverButtons(visit, { kind: 'subscription', id, about: due, to: addressOf(subscription) }, { charge: due })}`,
  )
}

/** Shows why the payment failed. For a subscription's order, it shows the actions that the subscription has now. */
export async function failedOrder(visit: DashboardContext, order: Viewed<'order'>): Promise<Page | null> {
  if (order.status !== 'failed') return null
  const charge = typeof order.charge === 'object' ? order.charge : null
  const why = reasonAtLength({ code: charge?.failure_code ?? null, message: charge?.failure_message ?? null })
  return headedCard('failed', 'The payment failed', html`${why}${await nextOf(visit, order)}`)
}

async function nextOf(visit: DashboardContext, order: Viewed<'order'>): Promise<Page> {
  const [about, to] = [amountOf(order), addressOf(order)]
  const id = idOf(order.subscription)
  if (id !== null) {
    const subscription = await shown(visit.call('GET /subscriptions/{id}', { path: { id } }))
    const link = html`<a href="${visit.base}/subscriptions/${id}">The subscription</a>`
    if (subscription.status !== 'past_due' && subscription.status !== 'unpaid')
      return html`<p>${link} has nothing left to pay.</p>`
    const due = amountOf(subscription, 'amount_due')
    return html`${whatFollows(visit, subscription, await momentOf(visit))}${recoverButtons(visit, { kind: 'subscription', id, about: due, to }, { charge: due })}`
  }
  const invoice = idOf(order.invoice)
  if (invoice !== null)
    return html`<p>The buyer can try again at the page of the <a href="${visit.base}/invoices/${invoice}">invoice</a>.</p>${recoverButtons(visit, { kind: 'invoice', id: invoice, about, to })}`
  return html`<p>Nothing was charged, and nothing is tried again by itself: the buyer can pay by the link.</p>${recoverButtons(visit, { kind: 'order', id: order.id, about, to })}`
}

function idOf(reference: string | { id: string } | null): string | null {
  return typeof reference === 'object' ? (reference?.id ?? null) : reference
}

function addressOf({ customer }: Pick<UnpaidSubscription, 'customer'>): string | null {
  return typeof customer === 'object' ? customer.email : null
}

/** The path of the page that charges a saved card, below the account's address. */
export const CHARGE = '/recover/charge'

/** An unpaid resource. `kind` is the name of the request field for `id`. */
interface UnpaidItem {
  kind: 'subscription' | 'invoice' | 'order'
  id: string
  /** The subject of the buttons, for screen readers. */
  about: string
  /** The buyer's e-mail address, unless the page shows it near the buttons. */
  to?: string | null
  /** Whether the page already shows the payment link. */
  linked?: boolean
}

/** Renders the buttons to recover a payment. `charge` is the amount for which the saved card can be charged now. */
export function recoverButtons(
  visit: DashboardContext,
  unpaid: UnpaidItem,
  { charge }: { charge?: string | null } = {},
): Page {
  const now = charge ? chargeLink(visit, unpaid, charge) : ''
  return html`<div class="recover-buttons">${now}
${unpaid.linked ? '' : form(visit, unpaid, { to: 'link', words: 'Copy payment link' })}
${form(visit, unpaid, { to: 'mail', words: unpaid.to ? `E-mail payment link to ${unpaid.to}` : 'E-mail payment link' })}</div>`
}

function chargeLink(visit: DashboardContext, { id, about }: UnpaidItem, amount: string): Page | '' {
  const { base, path } = visit
  const query = new URLSearchParams({ subscription: id, back: path.slice(base.length) })
  const link = html`<a class="button primary" href="${base}${CHARGE}?${query}">Charge ${amount} now<span class="unseen">: ${about}</span></a>`
  return ifOpen(visit, CHARGE, link)
}

/** Renders a form with one button, which mails the payment link or copies it. Without scripts, a page shows the link to copy. */
function form(
  visit: DashboardContext,
  { kind, id, about }: UnpaidItem,
  { to, words }: { to: 'link' | 'mail'; words: string },
): Page {
  const { base, csrf, path } = visit
  const copies =
    to === 'link' ? html` data-turbo="false" data-controller="payment-link" data-action="payment-link#copy"` : ''
  return html`<form class="button-form" method="post" action="${base}/recover/${to}"${copies}><input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="${kind}" value="${id}"><input type="hidden" name="back" value="${path.slice(base.length)}">
<button>${words}<span class="unseen">: ${about}</span></button></form>`
}

interface PaymentFailure {
  code: string | null
  message: string | null
}

type Subscription = Pick<Shown<'subscription'>, 'status' | 'next_payment_attempt_at' | 'unpaid_until'>

/** Returns why a payment failed, in a sentence for the merchant. */
export function reasonOf({ code, message }: PaymentFailure): string {
  // For unknown codes, the provider's message is more precise than ours.
  return (code === null || code === 'other') && message ? message : declineOf(code).merchant
}

/** Returns why a payment failed, with advice and, if it differs, the provider's message. */
function reasonAtLength({ code, message }: PaymentFailure): Page {
  const reason = reasonOf({ code, message })
  const own = message && message !== reason ? html`<p class="soft">The payment provider says: “${message}”</p>` : ''
  return html`<p><strong>${reason}</strong> ${declineOf(code).advice}</p>${own}`
}

/** Returns the account's time in ms. Only the time of test accounts differs from the system's. */
export async function momentOf(visit: DashboardContext): Promise<number> {
  if (!visit.account.test) return Date.now()
  return Date.parse((await visit.read(recovery)).at)
}

/** Shows a time in full: `3 March 2035, 10:00 (in 2 days)`. */
function whenOf({ account }: DashboardContext, timestamp: string, now: number): Page {
  const seconds = (Date.parse(timestamp) - now) / 1000
  const relative = seconds > 0 ? `in ${waitInWords(seconds)}` : 'now'
  return html`<strong><time datetime="${timestamp}">${formatMoment(timestamp, account.timezone)}</time></strong> (${relative})`
}

function whatFollows(visit: DashboardContext, subscription: Subscription, now: number): Page {
  const { next_payment_attempt_at: next, unpaid_until: until } = subscription
  const tries = next
    ? html`The card is charged again on ${whenOf(visit, next, now)}.`
    : html`The card is not charged again by itself.`
  const end = until
    ? html` Without a payment, the subscription is canceled on ${whenOf(visit, until, now)}; the buyer keeps the access until then.`
    : ''
  return html`<p>${tries}${end}</p>`
}

export function nextTryInShort(
  { account }: DashboardContext,
  { next_payment_attempt_at: next, unpaid_until: until }: Subscription,
  now: number,
): Page {
  const day = (moment: string) =>
    html`<time datetime="${moment}">${formatShortDay(moment, account.timezone)}</time><span class="aside">in ${waitInWords(Math.max(0, Date.parse(moment) - now) / 1000)}</span>`
  if (next) return day(next)
  return until
    ? html`No more tries<span class="aside">ends ${formatShortDay(until, account.timezone)}</span>`
    : html`<span class="none">–</span>`
}
