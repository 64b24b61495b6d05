import { isolated } from '../../../../format/direction.ts'
import { everyInterval, type Interval } from '../../../../format/intervals.ts'
import { formatDay } from '../../../../format/moments.ts'
import { formatMoney } from '../../../../format/money.ts'
import { type Fact, facts, type Letter, reach, type Shop, subjectLine, words } from './letter.ts'

/** A renewal after a long period, or the first payment after a trial. */
export interface ComingChargeData {
  product: string
  endsTrial: boolean
  /** In minor units of `currency`. */
  amount: number
  currency: string
  interval: Interval
  intervalCount: number
  chargedAt: string
}

export function comingChargeLetter(data: ComingChargeData, shop: Shop): Letter {
  const { endsTrial, interval, intervalCount } = data
  const product = isolated(data.product)
  const [amount, day] = [formatMoney(data.amount, data.currency), formatDay(data.chargedAt, shop.timeZone)]
  const every = everyInterval({ interval, interval_count: intervalCount })
  const what = endsTrial
    ? `Your trial of ${product} ends on ${day}. It then costs ${amount} ${every} until you cancel.`
    : `${product} renews on ${day}, and ${amount} will be charged to your saved card.`
  return {
    subject: subjectLine(endsTrial ? `Your trial of ${product} ends soon` : `${product} renews soon`),
    preview: `${amount} on ${day}`,
    heading: endsTrial ? 'Your trial ends soon' : 'Your subscription renews soon',
    parts: [
      words(what),
      facts(['Amount', amount], ['Date', day]),
      words(`You do not need to do anything to keep it. ${howToCancel(day, shop)}`),
    ],
  }
}

function howToCancel(day: string, shop: Shop): string {
  if (shop.purchasesUrl === undefined) return `To cancel before ${day}, ${reach(shop)}.`
  return `You can cancel before ${day} on the page of your purchases.`
}

export interface FailedRenewalData {
  product: string
  /** The amount due, in minor units of `currency`. */
  amount: number
  currency: string
  /** A sentence for the buyer, such as `The card was declined.`; null if unknown. */
  reason: string | null
  /** The time of the next attempt; null after the last one. */
  nextTryAt: string | null
  /** The time at which access ends; null if it has already ended. */
  accessEndsAt: string | null
  payUrl: string
}

export function failedRenewalLetter(data: FailedRenewalData, shop: Shop): Letter {
  const { product, reason, payUrl } = data
  const amount = formatMoney(data.amount, data.currency)
  return {
    subject: subjectLine(`Your payment for ${isolated(product)} failed`),
    preview: `${amount} could not be charged.`,
    heading: 'Your payment failed',
    parts: [
      words(`We could not renew ${isolated(product)}.${reason === null ? '' : ` ${reason}`}`),
      { kind: 'facts', rows: [{ label: 'Amount', value: amount }, ...datesOf(data, shop)] },
      { kind: 'link', label: `Pay ${amount}`, url: payUrl },
      words(whatFollows(data, shop)),
    ],
  }
}

function datesOf({ nextTryAt, accessEndsAt }: FailedRenewalData, { timeZone }: Shop): Fact[] {
  const dates: [string, string | null][] = [
    ['Next attempt', nextTryAt],
    ['Access until', accessEndsAt],
  ]
  return dates.flatMap(([label, at]) => (at === null ? [] : [{ label, value: formatDay(at, timeZone) }]))
}

function whatFollows({ nextTryAt, accessEndsAt }: FailedRenewalData, { timeZone }: Shop): string {
  const again =
    nextTryAt === null
      ? 'We will not try again automatically.'
      : `We will try again on ${formatDay(nextTryAt, timeZone)}. If your card works by then, you do not need to do anything.`
  const access =
    accessEndsAt === null
      ? 'Your access has ended.'
      : `Without a payment, your access ends on ${formatDay(accessEndsAt, timeZone)}.`
  return `${again} ${access}`
}

/** A subscription that was canceled, or that ended unpaid. */
export interface CanceledData {
  product: string
  endsAt: string
  isOver: boolean
  /** Whether the subscription ended because a period remained unpaid. */
  isUnpaid: boolean
  /** Whether the subscription was never charged because it was in its trial. */
  inTrial: boolean
}

export function canceledLetter({ endsAt, isOver, isUnpaid, inTrial, ...data }: CanceledData, shop: Shop): Letter {
  const product = isolated(data.product)
  const day = formatDay(endsAt, shop.timeZone)
  const what = isUnpaid
    ? `We could not charge you for ${product}, so your subscription ended on ${day}.`
    : isOver
      ? `Your ${inTrial ? 'trial' : 'subscription'} of ${product} was canceled and ended on ${day}.`
      : `Your ${inTrial ? 'trial' : 'subscription'} of ${product} was canceled. You can use it until ${day}.`
  const heading = isUnpaid ? 'Your subscription has ended' : `Your ${inTrial ? 'trial' : 'subscription'} is canceled`
  return {
    subject: subjectLine(`${heading}: ${product}`),
    preview: isOver ? `Ended on ${day}` : `Until ${day}`,
    heading,
    parts: [
      words(what),
      words(`Nothing more will be charged. If this is a mistake, or you want to come back, ${reach(shop)}.`),
    ],
  }
}
