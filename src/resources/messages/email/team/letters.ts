import type { RoleRight } from '../../../../contract/declarations/role-rights.ts'

/** Letters to buyers that an account can leave out. Receipts, invoices and failed payments are always sent: buyers need them. */
export const BUYER_LETTERS = ['refund', 'renewal', 'trial', 'cancellation'] as const
export type BuyerLetter = (typeof BUYER_LETTERS)[number]

/** Letters to the team, each of whom chooses: whether they are wanted where nobody has chosen, and what it takes to open what they lead to. */
export const TEAM_LETTERS = {
  /** Off: a shop that sells all day would only learn to ignore them. */
  sales: { wanted: false, needs: 'sales.read' },
  failed_payments: { wanted: true, needs: 'sales.read' },
  /** Banks give a few days to answer. */
  disputes: { wanted: true, needs: 'sales.read' },
  /** Off: most refunds are made by the team itself. */
  refunds: { wanted: false, needs: 'sales.read' },
  /** To decide on plans. */
  plans: { wanted: true, needs: 'programs.write' },
} as const satisfies Record<string, { wanted: boolean; needs: RoleRight }>
export type TeamLetter = keyof typeof TEAM_LETTERS
/** Those about things that happen, which are gathered. */
export type GatheredLetter = Exclude<TeamLetter, 'plans'>

const HOUR_MS = 60 * 60 * 1000

/**
 * The first of something is told at once. What follows is gathered until so long after the last letter, so that a thousand sales
 * are two letters.
 */
export const PAUSE_MS: Record<GatheredLetter, number> = {
  sales: 24 * HOUR_MS,
  failed_payments: 24 * HOUR_MS,
  disputes: HOUR_MS,
  refunds: 24 * HOUR_MS,
}

/** What each letter is about, in a few words after `e-mails about`. */
export const ABOUT: Record<TeamLetter, string> = {
  sales: 'sales',
  failed_payments: 'failed payments',
  disputes: 'disputes',
  refunds: 'refunds',
  plans: 'plans that wait',
}
