import type { LetterLimits } from '../../../providers/mail/provider.ts'

/** Factors of the settings EMAILS_PER_DAY and EMAILS_PER_RECIPIENT. */
interface LetterShares {
  /** The factor of EMAILS_PER_DAY for one account, infinite for some letters to members. */
  account: number
  /** The factor of EMAILS_PER_RECIPIENT for one address. */
  recipient: number
  /** The plural in messages about an exceeded limit. */
  plural: string
}

/** Each kind has its own limits, so that a person who uses up one, for example with a form, does not block others, such as receipts. */
export const LETTER_KINDS = {
  /** E-mails that members and software clients write to customers. */
  message: { account: 1, recipient: 1, plural: 'e-mails' },
  /** Invoices can be addressed to anybody. */
  invoice: { account: 1, recipient: 1, plural: 'invoices' },
  /** A busy shop may have sales all day. */
  receipt: { account: 10, recipient: 5, plural: 'receipts' },
  /** Anybody can have these letters sent to any address, because nothing is paid. */
  free_receipt: { account: 1, recipient: 0.5, plural: 'receipts of free orders' },
  /** Up to four letters per unpaid period, for each subscription of a person. */
  failed_renewal: { account: 10, recipient: 1, plural: 'reminders of failed payments' },
  /** Reminders that a person sends one by one. */
  failed_order: { account: 1, recipient: 0.5, plural: 'reminders of failed payments' },
  /** Letters about refunds, upcoming renewals, and the end of trials and subscriptions. Each follows a sale. */
  buyer_notice: { account: 10, recipient: 1, plural: 'notices of refunds and subscriptions' },
  /** Letters to members who want them. Each reports several events at once, so they are few. */
  team_notice: { account: 1, recipient: 25, plural: 'notices of what happens in the shop' },
  /** Anybody can have this letter sent to any address by filling in a form. */
  form_confirmation: { account: 1, recipient: 0.5, plural: 'requests to confirm a submission' },
  /** A form has up to ten addresses, and each gets this letter at most once a week. */
  address_confirmation: { account: 0.1, recipient: 0.25, plural: 'requests to confirm a notification address' },
  /** The recipients have agreed to these letters. */
  form_notice: { account: 5, recipient: 25, plural: 'notices of submissions' },
  /** Only members receive these letters. */
  task_result: { account: 1, recipient: 25, plural: 'results of tasks' },
  /** Only members receive these letters, at most once in five minutes. */
  plans_waiting: { account: 1, recipient: 25, plural: 'notices of plans' },
  /** An account has at most 100 open invitations. */
  invitation: { account: 0.1, recipient: 0.25, plural: 'invitations' },
  /** Allows a letter every 15 minutes, while links work for an hour, so a stranger cannot leave a person without a working link. */
  password: { account: Number.POSITIVE_INFINITY, recipient: 5, plural: 'links to set a password' },
  /** Letters to an address that somebody claims as their own. */
  address_change: { account: 0.1, recipient: 0.25, plural: 'requests to confirm an address' },
  /** Anybody can request this link for any address, but only customers receive it. */
  buyer_link: { account: 1, recipient: 5, plural: 'links to the page of a buyer' },
  /** Letters about changes of a person's sign-in, or about results for which the person waits. */
  account_notice: { account: Number.POSITIVE_INFINITY, recipient: 2.5, plural: 'notices about the account' },
} as const satisfies Record<string, LetterShares>

export type LetterKind = keyof typeof LETTER_KINDS

/** Letters that daily caps of tokens neither count nor stop: those to members, and those that keep an account safe. */
export const UNCAPPED: readonly LetterKind[] = [
  ...(['team_notice', 'form_notice', 'task_result', 'plans_waiting'] as const),
  ...(['password', 'address_change', 'buyer_link', 'account_notice'] as const),
]

/** Returns the maximum number of letters of a kind per day: for one account, and for one address. */
export function allowanceOf(kind: LetterKind, { perDay, perRecipient }: LetterLimits) {
  const { account, recipient } = LETTER_KINDS[kind]
  return { account: wholeShare(account, perDay), recipient: wholeShare(recipient, perRecipient) }
}

function wholeShare(share: number, limit: number): number {
  return Math.max(1, Math.floor(share * limit))
}
