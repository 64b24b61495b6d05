import { isolated } from '../../../../format/direction.ts'
import { formatDay } from '../../../../format/moments.ts'
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
