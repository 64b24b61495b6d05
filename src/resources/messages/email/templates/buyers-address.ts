import { isolated } from '../../../../format/direction.ts'
import { type Letter, type Shop, subjectLine, words } from './letter.ts'

export function newAddressLetter({ link }: { link: string }, { name }: Shop): Letter {
  return {
    subject: subjectLine(`Confirm your new address for ${isolated(name)}`),
    preview: 'Your receipts will go to this address.',
    heading: 'Confirm your new e-mail address',
    parts: [
      words(`This address was entered as the new one of a buyer at ${isolated(name)}. Please confirm that it was you.`),
      { kind: 'link', label: 'Use this address', url: link },
      words('The link works once, for 30 minutes. If it was not you, ignore this message; nothing will change.'),
    ],
  }
}

export function addressChangedLetter({ email }: { email: string }, { name }: Shop): Letter {
  return {
    subject: subjectLine(`Your e-mail address for ${isolated(name)} was changed`),
    preview: `Receipts now go to ${email}.`,
    heading: 'Your e-mail address was changed',
    parts: [
      words(`Your purchases from ${isolated(name)} now belong to the address ${email}, and receipts go there.`),
      words('If you did not change it, tell the shop at once.'),
    ],
  }
}

export function buyerLinkLetter({ link }: { link: string }, { name }: Shop): Letter {
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
