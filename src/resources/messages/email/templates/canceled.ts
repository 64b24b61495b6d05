import { isolated } from '../../../../format/direction.ts'
import { formatDay } from '../../../../format/moments.ts'
import { type Letter, reach, type Shop, subjectLine, words } from './letter.ts'

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
