import { isolated } from '../../../../format/direction.ts'
import { formatDay, formatMoment } from '../../../../format/moments.ts'
import { formatMoney } from '../../../../format/money.ts'
import { type Letter, type Shop, subjectLine, words } from './letter.ts'

/** A refund, with amounts in minor units of `currency`. */
export interface RefundedData {
  order: string
  name: string
  amount: number
  currency: string
  refundedAt: string
  /** Whether the payment is now fully refunded. */
  isWhole: boolean
}

export function refundedLetter(
  { order, name, currency, refundedAt, isWhole, ...data }: RefundedData,
  shop: Shop,
): Letter {
  const amount = formatMoney(data.amount, currency)
  return {
    subject: subjectLine(`Your refund from ${isolated(shop.name)}`),
    preview: `${amount} for ${name}`,
    heading: 'We have refunded you',
    parts: [
      words(
        `${isolated(shop.name)} has returned ${isWhole ? 'your whole payment' : 'a part of your payment'} for ${isolated(name)}.`,
      ),
      {
        kind: 'facts',
        rows: [
          { label: 'Amount', value: amount },
          { label: 'Date', value: formatDay(refundedAt, shop.timeZone) },
          { label: 'Order', value: order },
        ],
      },
      words('The money goes back to where it came from. Banks take up to ten days to show it.'),
    ],
  }
}

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
