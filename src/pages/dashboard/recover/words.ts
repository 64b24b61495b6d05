import { html } from 'hono/html'
import { declineOf } from '../../../format/declines.ts'
import { waitInWords } from '../../../format/durations.ts'
import { formatMoment, formatShortDay } from '../../../format/moments.ts'
import { recovery } from '../../../resources/dashboard/recovery.ts'
import type { Shown } from '../../../resources/nouns.ts'
import type { Page } from '../../parts/markup.ts'
import type { DashboardContext } from '../kit/visit.ts'

export interface PaymentFailure {
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
export function reasonAtLength({ code, message }: PaymentFailure): Page {
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

export function whatFollows(visit: DashboardContext, subscription: Subscription, now: number): Page {
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
