import type { Row } from '../../contract/declarations/noun.ts'
import { everyInterval } from '../../format/intervals.ts'
import { formatDay } from '../../format/moments.ts'
import { formatMoney } from '../../format/money.ts'
import { nextDue } from '../../resources/sales/subscription/schedule.ts'
import type { Subscription } from '../../resources/sales/subscription/subscription.ts'

type SubscriptionRow = Row<typeof Subscription>

export interface Clock {
  timeZone: string
  now: string
}

/** Returns the price and interval of a subscription, such as `2 × $9.00 every month`. */
export function termsWords({ terms, quantity, currency }: SubscriptionRow): string {
  const each = formatMoney(terms.unit_amount, currency)
  return `${quantity > 1 ? `${quantity} × ` : ''}${each} ${everyInterval(terms)}`
}

/** Returns a sentence about the next event of the subscription. `next` is the amount of the next payment. */
export function nextWords(subscription: SubscriptionRow, next: number, { timeZone, now }: Clock): string {
  const { status, current_period_end: end, ends_at, resumes_at } = subscription
  const day = (moment: string) => formatDay(moment, timeZone)
  const amount = formatMoney(next, subscription.currency)
  if (status === 'canceled') return ends_at === null ? 'Ended.' : `Ended on ${day(ends_at)}.`
  if (status === 'past_due' || status === 'unpaid') return failedWords(subscription, amount, { timeZone, now })
  if (status === 'paused') {
    const until = end !== null && end > now ? ` You have access until ${day(end)}.` : ''
    return `Paused: nothing is charged.${resumes_at === null ? '' : ` It resumes on ${day(resumes_at)}.`}${until}`
  }
  if (ends_at !== null && status === 'trialing')
    return `Your trial ends on ${day(ends_at)} and will not continue. Nothing will be charged.`
  if (ends_at !== null) return `Ends on ${day(ends_at)} and will not continue. Nothing more will be charged.`
  if (end === null) return ''
  return `${status === 'trialing' ? 'Free until then. First' : 'Next'} payment: ${amount} on ${day(end)}.`
}

function failedWords(subscription: SubscriptionRow, amount: string, { timeZone, now }: Clock): string {
  const due = nextDue(subscription, now)
  const again = due?.step === 'charge' ? ` It is tried again on ${formatDay(due.at, timeZone)}.` : ''
  return `The last payment of ${amount} failed.${again}`
}
