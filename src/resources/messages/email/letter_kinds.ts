import type { LetterLimits } from '../../../outside/mail/provider.ts'

/** Shares of the settings LETTERS_PER_DAY and LETTERS_PER_RECIPIENT. */
interface Share {
  /** Letters of the kind that an account may send in a day; without a limit where they go to its members alone. */
  account: number
  /** Those of them that may go to one address. */
  recipient: number
  /** What refusals call them. */
  plural: string
}

/**
 * What letters are about. Each kind has budgets of its own, so that whoever uses up one, such as a stranger who fills in forms,
 * never stops another, such as receipts.
 */
export const LETTER_KINDS = {
  /** What members and programs write: transactional, so a few a day for each customer. */
  message: { account: 1, recipient: 1, plural: 'e-mails' },
  /** Anybody's address can be on an invoice. */
  invoice: { account: 1, recipient: 1, plural: 'invoices' },
  /** Money was paid for each, and a shop may sell all day. */
  receipt: { account: 10, recipient: 5, plural: 'receipts' },
  /** Nothing was paid, so anybody can cause them for any address. */
  free_receipt: { account: 1, recipient: 0.5, plural: 'receipts of free orders' },
  /** Four tries of a period, of as many subscriptions as one person may have. */
  failed_renewal: { account: 10, recipient: 1, plural: 'reminders of failed payments' },
  /** A person sends each. */
  failed_order: { account: 1, recipient: 0.5, plural: 'reminders of failed payments' },
  /** About what was paid for: refunds, renewals that come, trials and subscriptions that end. */
  buyer_notice: { account: 10, recipient: 1, plural: 'notices of refunds and subscriptions' },
  /** To members alone, gathered, and only while they want them. */
  team_notice: { account: 1, recipient: 25, plural: 'notices of what happens in the shop' },
  /** Anybody can cause them for any address. */
  form_confirmation: { account: 1, recipient: 0.5, plural: 'requests to confirm a submission' },
  /** A form has ten addresses, and each is asked once a week. */
  address_confirmation: { account: 0.1, recipient: 0.25, plural: 'requests to confirm a notification address' },
  /** Their recipients have agreed to them. */
  form_notice: { account: 5, recipient: 25, plural: 'notices of submissions' },
  /** To members alone. */
  task_result: { account: 1, recipient: 25, plural: 'results of tasks' },
  /** To members alone, and never more than one in five minutes. */
  plans_waiting: { account: 1, recipient: 25, plural: 'notices of plans' },
  /** An account has at most 100 open invitations. */
  invitation: { account: 0.1, recipient: 0.25, plural: 'invitations' },
  /**
   * One in a quarter of an hour in the long run, and each link works for an hour: whoever asks for somebody else's letters
   * leaves that person a link that works. Letters to some members take none from the others.
   */
  password: { account: Number.POSITIVE_INFINITY, recipient: 5, plural: 'links to set a password' },
  /** To an address that somebody says is the own one. */
  address_change: { account: 0.1, recipient: 0.25, plural: 'requests to confirm an address' },
  /** Anybody can ask for a link to any customer's page, but it goes to addresses of customers alone. */
  buyer_link: { account: 1, recipient: 5, plural: 'links to the page of a buyer' },
  /** Tells people what happened to their sign-in, or what they waited for. */
  account_notice: { account: Number.POSITIVE_INFINITY, recipient: 2.5, plural: 'notices about the account' },
} as const satisfies Record<string, Share>

export type LetterKind = keyof typeof LETTER_KINDS

/** How many letters of a kind an account may send in a day, in all and to one address. */
export function allowanceOf(kind: LetterKind, { perDay, perRecipient }: LetterLimits) {
  const { account, recipient } = LETTER_KINDS[kind]
  return { account: wholeShare(account, perDay), recipient: wholeShare(recipient, perRecipient) }
}

function wholeShare(share: number, limit: number): number {
  return Math.max(1, Math.floor(share * limit))
}
