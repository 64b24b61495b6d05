import { isolated } from '../../../../format/direction.ts'
import { type Letter, subjectLine, words } from './letter.ts'

/** The provider that no longer accepts the account's key. */
export interface PaymentsStoppedData {
  account: string
  provider: string
  /** A sentence from the provider. */
  reason: string
  /** Whether the account's new sales were paid through the provider. */
  isCurrent: boolean
  url: string
}

export function paymentsStoppedLetter({ account, provider, reason, isCurrent, url }: PaymentsStoppedData): Letter {
  const heading = subjectLine(`${provider} no longer takes your key: ${isolated(account)}`)
  const stopped = isCurrent
    ? 'Buyers cannot pay by card until you enter a new key. Renewals of subscriptions wait, and buyers get no e-mail about a failed card.'
    : 'Renewals of subscriptions that were sold through it wait, and buyers get no e-mail about a failed card.'
  return {
    subject: heading,
    preview: stopped,
    heading,
    parts: [
      words(reason),
      words(stopped),
      words('Once a new key works, everything that waited goes on by itself within six hours.'),
      { kind: 'link', label: 'Enter a new key', url },
    ],
  }
}
