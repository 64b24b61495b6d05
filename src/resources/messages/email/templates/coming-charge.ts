import { isolated } from '../../../../format/direction.ts'
import { everyInterval, type Interval } from '../../../../format/intervals.ts'
import { formatDay } from '../../../../format/moments.ts'
import { formatMoney } from '../../../../format/money.ts'
import { type Letter, reach, type Shop, subjectLine, words } from './letter.ts'

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
      {
        kind: 'facts',
        rows: [
          { label: 'Amount', value: amount },
          { label: 'Date', value: day },
        ],
      },
      words(`You do not need to do anything to keep it. ${howToCancel(day, shop)}`),
    ],
  }
}

function howToCancel(day: string, shop: Shop): string {
  if (shop.purchasesUrl === undefined) return `To cancel before ${day}, ${reach(shop)}.`
  return `You can cancel before ${day} on the page of your purchases.`
}
