import type { LetterLimits } from '../../../providers/mail/provider.ts'

/** Shares of the settings EMAILS_PER_DAY and EMAILS_PER_RECIPIENT. */
interface LetterShares {
  /** Letters of this kind that an account may send in a day. Letters to its members only may be unlimited. */
  account: number
  /** Letters of this kind that one address may receive in a day. */
  recipient: number
  /** The name in the messages of refusals. */
  plural: string
}

/**
 * The kinds of letters. Each has its own budgets, so that using up one kind, for example by filling in forms, never blocks another,
 * such as receipts.
 */
export const LETTER_KINDS = {
  /** Written by members and programs. They are transactional, so each customer gets a few a day. */
  message: { account: 1, recipient: 1, plural: 'e-mails' },
  /** An invoice can be addressed to anybody. */
  invoice: { account: 1, recipient: 1, plural: 'invoices' },
  /** Each follows a payment, and a shop may sell all day. */
  receipt: { account: 10, recipient: 5, plural: 'receipts' },
  /** Nothing was paid, so anybody can cause them for any address. */
  free_receipt: { account: 1, recipient: 0.5, plural: 'receipts of free orders' },
  /** Four attempts in a period, for each subscription that one person may have. */
  failed_renewal: { account: 10, recipient: 1, plural: 'reminders of failed payments' },
  /** Each is sent by a person. */
  failed_order: { account: 1, recipient: 0.5, plural: 'reminders of failed payments' },
  /** About payments that were made: refunds, upcoming renewals, and the end of trials and subscriptions. */
  buyer_notice: { account: 10, recipient: 1, plural: 'notices of refunds and subscriptions' },
  /** Sent only to members who want them, and gathered into few letters. */
  team_notice: { account: 1, recipient: 25, plural: 'notices of what happens in the shop' },
  /** Anybody can cause them for any address. */
  form_confirmation: { account: 1, recipient: 0.5, plural: 'requests to confirm a submission' },
  /** A form has ten addresses, and each is asked once a week. */
  address_confirmation: { account: 0.1, recipient: 0.25, plural: 'requests to confirm a notification address' },
  /** The recipients have agreed to receive them. */
  form_notice: { account: 5, recipient: 25, plural: 'notices of submissions' },
  /** Sent only to members. */
  task_result: { account: 1, recipient: 25, plural: 'results of tasks' },
  /** Sent only to members, and at most once in five minutes. */
  plans_waiting: { account: 1, recipient: 25, plural: 'notices of plans' },
  /** An account has at most 100 open invitations. */
  invitation: { account: 0.1, recipient: 0.25, plural: 'invitations' },
  /**
   * Refills once in 15 minutes, while each link works for an hour: a stranger who uses up a person's letters leaves a link that works.
   * Each member has a separate budget.
   */
  password: { account: Number.POSITIVE_INFINITY, recipient: 5, plural: 'links to set a password' },
  /** Sent to an address that somebody claims as their own. */
  address_change: { account: 0.1, recipient: 0.25, plural: 'requests to confirm an address' },
  /** Anybody can request a link for any customer, but it is only sent to addresses of customers. */
  buyer_link: { account: 1, recipient: 5, plural: 'links to the page of a buyer' },
  /** Reports changes of a person's sign-in, or results that the person waited for. */
  account_notice: { account: Number.POSITIVE_INFINITY, recipient: 2.5, plural: 'notices about the account' },
} as const satisfies Record<string, LetterShares>

export type LetterKind = keyof typeof LETTER_KINDS

/** Returns how many letters of a kind an account may send in a day, in total and to one address. */
export function allowanceOf(kind: LetterKind, { perDay, perRecipient }: LetterLimits) {
  const { account, recipient } = LETTER_KINDS[kind]
  return { account: wholeShare(account, perDay), recipient: wholeShare(recipient, perRecipient) }
}

function wholeShare(share: number, limit: number): number {
  return Math.max(1, Math.floor(share * limit))
}
