import { isolated } from '../../../../format/direction.ts'
import { formatMoment } from '../../../../format/moments.ts'
import { formatMoney } from '../../../../format/money.ts'
import { type Letter, type Shop, subjectLine, words } from './letter.ts'

export interface FailedOrderData {
  name: string
  /** In minor units of `currency`. */
  amount: number
  currency: string
  payUrl: string
  /** The expiry of the payment link. */
  until: string
}

export function failedOrderLetter({ name, amount, currency, payUrl, until }: FailedOrderData, shop: Shop): Letter {
  const price = formatMoney(amount, currency)
  return {
    subject: subjectLine(`Your payment to ${isolated(shop.name)} did not go through`),
    preview: `${price} for ${name}`,
    heading: 'Your payment did not go through',
    parts: [
      words(`You wanted to buy ${isolated(name)}, but the payment failed and nothing was charged. You can pay here:`),
      { kind: 'link', label: `Pay ${price}`, url: payUrl },
      words(
        `The page is open until ${formatMoment(until, shop.timeZone)}. If you no longer want it, you do not need to do anything.`,
      ),
    ],
  }
}
