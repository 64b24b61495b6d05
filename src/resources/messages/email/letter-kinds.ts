import type { LetterLimits } from '../../../providers/mail/provider.ts'

/** The daily limits of a kind of letter, as factors of the settings EMAILS_PER_DAY and EMAILS_PER_RECIPIENT. */
interface LetterShares {
  /** The factor of EMAILS_PER_DAY for one account. It may be infinite for letters to members. */
  account: number
  /** The factor of EMAILS_PER_RECIPIENT for one address. */
  recipient: number
  /** The plural in messages about an exceeded limit. */
  plural: string
}

/**
 * The kinds of letters. Each kind has its own rate limits, because a person who uses up one limit, for example by filling in forms, must
 * not block other letters, such as receipts.
 */
export const LETTER_KINDS = {
  /** E-mails that members and software clients write. They are transactional, so a customer gets only a few a day. */
  message: { account: 1, recipient: 1, plural: 'e-mails' },
  /** Invoices, which can be addressed to anybody. */
  invoice: { account: 1, recipient: 1, plural: 'invoices' },
  /** Receipts of payments. A busy shop may have sales all day. */
  receipt: { account: 10, recipient: 5, plural: 'receipts' },
  /** Receipts of free orders. Anybody can cause them for any address, because nothing is paid. */
  free_receipt: { account: 1, recipient: 0.5, plural: 'receipts of free orders' },
  /** Up to four letters per unpaid period, for each subscription that a person may have. */
  failed_renewal: { account: 10, recipient: 1, plural: 'reminders of failed payments' },
  /** Reminders that a person sends one by one. */
  failed_order: { account: 1, recipient: 0.5, plural: 'reminders of failed payments' },
  /** Letters about refunds, upcoming renewals, and the end of trials and subscriptions. All follow a sale. */
  buyer_notice: { account: 10, recipient: 1, plural: 'notices of refunds and subscriptions' },
  /** Letters to members who want them. They report several events at once, so there are few of them. */
  team_notice: { account: 1, recipient: 25, plural: 'notices of what happens in the shop' },
  /** Anybody can cause such a letter to any address by filling in a form. */
  form_confirmation: { account: 1, recipient: 0.5, plural: 'requests to confirm a submission' },
  /** A form has up to ten addresses, and each gets such a letter at most once a week. */
  address_confirmation: { account: 0.1, recipient: 0.25, plural: 'requests to confirm a notification address' },
  /** Letters to recipients who have agreed to receive them. */
  form_notice: { account: 5, recipient: 25, plural: 'notices of submissions' },
  /** Results of tasks, which only members receive. */
  task_result: { account: 1, recipient: 25, plural: 'results of tasks' },
  /** Letters about plans, which only members receive, at most once in five minutes. */
  plans_waiting: { account: 1, recipient: 25, plural: 'notices of plans' },
  /** Letters to invited people. An account has at most 100 open invitations. */
  invitation: { account: 0.1, recipient: 0.25, plural: 'invitations' },
  /**
   * The limit allows another letter every 15 minutes, while each link works for an hour. If a stranger uses up the limit, the person
   * therefore still has a working link. Each member has a separate limit.
   */
  password: { account: Number.POSITIVE_INFINITY, recipient: 5, plural: 'links to set a password' },
  /** Letters to an address that somebody claims as their own. */
  address_change: { account: 0.1, recipient: 0.25, plural: 'requests to confirm an address' },
  /** Anybody can request such a link for any address, but it is only sent to addresses of customers. */
  buyer_link: { account: 1, recipient: 5, plural: 'links to the page of a buyer' },
  /** Letters about changes of how a person signs in, or about results for which the person waits. */
  account_notice: { account: Number.POSITIVE_INFINITY, recipient: 2.5, plural: 'notices about the account' },
} as const satisfies Record<string, LetterShares>

export type LetterKind = keyof typeof LETTER_KINDS

/** Returns the number of letters of a kind that an account may send in a day, in total and to one address. */
export function allowanceOf(kind: LetterKind, { perDay, perRecipient }: LetterLimits) {
  const { account, recipient } = LETTER_KINDS[kind]
  return { account: wholeShare(account, perDay), recipient: wholeShare(recipient, perRecipient) }
}

function wholeShare(share: number, limit: number): number {
  return Math.max(1, Math.floor(share * limit))
}
