import { isolated } from '../../../../format/direction.ts'
import { type Letter, type Shop, subjectLine, words } from './letter.ts'

export interface BuyerLinkData {
  link: string
}

export function buyerLinkLetter({ link }: BuyerLinkData, { name }: Shop): Letter {
  return {
    subject: subjectLine(`Your purchases from ${isolated(name)}`),
    preview: 'A link to your orders, receipts, downloads and subscriptions.',
    heading: 'Open your purchases',
    parts: [
      words(`With this link you reach your orders, receipts, downloads and subscriptions at ${isolated(name)}.`),
      { kind: 'link', label: 'Open my purchases', url: link },
      words('It works once, for 30 minutes. If you did not ask for it, ignore this message; nothing will change.'),
    ],
  }
}
