import { isolated } from '../../../../words/direction.ts'
import { formatDay } from '../../../../words/moments.ts'
import { formatMoney } from '../../../../words/money.ts'
import { type Fact, type Letter, type Shop, subjectLine, words } from './letter.ts'

/** A payment for a subscription that failed. */
export interface FailedRenewalData {
  product: string
  /** What is owed, in minor units of `currency`. */
  amount: number
  currency: string
  /** In words for the buyer, as a sentence: `The card was declined.` Null when it is not known. */
  reason: string | null
  /** Null when there will be no other try. */
  nextTryAt: string | null
  /** Null when access has ended. */
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
