import type { RoleRight } from '../../../../contract/declarations/role-rights.ts'

/** Letters to buyers that an account can turn off. Receipts, invoices and failed payments are always sent. */
const BUYER_LETTERS = ['refund', 'renewal', 'trial', 'cancellation'] as const
export type BuyerLetter = (typeof BUYER_LETTERS)[number]

/** Letters to the team, which each member can turn on or off: the default, and the right needed to open the page it links to. */
export const TEAM_LETTERS = {
  /** Off by default, because a busy shop would learn to ignore them. */
  sales: { wanted: false, needs: 'sales.read' },
  failed_payments: { wanted: true, needs: 'sales.read' },
  /** On by default, because banks allow only a few days to answer. */
  disputes: { wanted: true, needs: 'sales.read' },
  /** Off by default, because the team makes most refunds itself. */
  refunds: { wanted: false, needs: 'sales.read' },
  /** Asks for decisions on plans. */
  plans: { wanted: true, needs: 'programs.write' },
} as const satisfies Record<string, { wanted: boolean; needs: RoleRight }>
export type TeamLetter = keyof typeof TEAM_LETTERS
/** Letters about events, which are gathered before they are sent. */
export type GatheredLetter = Exclude<TeamLetter, 'plans'>

const HOUR_MS = 60 * 60 * 1000

/**
 * The first event is reported at once. Later ones are gathered until this long after the last letter, so that a thousand sales cause
 * only two letters.
 */
export const PAUSE_MS: Record<GatheredLetter, number> = {
  sales: 24 * HOUR_MS,
  failed_payments: 24 * HOUR_MS,
  disputes: HOUR_MS,
  refunds: 24 * HOUR_MS,
}

/** The topic of each letter, as it follows `e-mails about`. */
export const ABOUT: Record<TeamLetter, string> = {
  sales: 'sales',
  failed_payments: 'failed payments',
  disputes: 'disputes',
  refunds: 'refunds',
  plans: 'plans that wait',
}
