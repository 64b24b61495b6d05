import { isolated } from '../../../../format/direction.ts'
import { formatDay } from '../../../../format/moments.ts'
import { formatMoney } from '../../../../format/money.ts'
import { type Fact, type Letter, type Shop, subjectLine, words } from './letter.ts'

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
