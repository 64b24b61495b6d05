import type { RoleRight } from '../../../../contract/declarations/role-rights.ts'
import { HOUR_MS } from '../../../../contract/values/values.ts'

/** Letters that an account can turn off. Receipts, invoices and letters about failed payments are always sent. */
export const BUYER_LETTERS = ['refund', 'renewal', 'trial', 'cancellation'] as const
export type BuyerLetter = (typeof BUYER_LETTERS)[number]

/** Letters that each member can turn on or off, with the default and the right that the linked page requires. */
export const TEAM_LETTERS = {
  /** Off by default, because members of a busy shop would start to ignore such letters. */
  sales: { wanted: false, needs: 'sales.read' },
  failed_payments: { wanted: true, needs: 'sales.read' },
  /** On by default, because banks allow only a few days for a response. */
  disputes: { wanted: true, needs: 'sales.read' },
  /** Off by default, because the team makes most refunds itself. */
  refunds: { wanted: false, needs: 'sales.read' },
  plans: { wanted: true, needs: 'programs.write' },
} as const satisfies Record<string, { wanted: boolean; needs: RoleRight }>
export type TeamLetter = keyof typeof TEAM_LETTERS
export type GatheredLetter = Exclude<TeamLetter, 'plans'>

/** The pause after a letter. Events during the pause are reported together after it, so that a thousand sales cause two letters. */
export const PAUSE_MS: Record<GatheredLetter, number> = {
  sales: 24 * HOUR_MS,
  failed_payments: 24 * HOUR_MS,
  disputes: HOUR_MS,
  refunds: 24 * HOUR_MS,
}

/** The topic of each letter, after the words `e-mails about`. */
export const ABOUT: Record<TeamLetter, string> = {
  sales: 'sales',
  failed_payments: 'failed payments',
  disputes: 'disputes',
  refunds: 'refunds',
  plans: 'plans that wait',
}

export function isTeamLetter(letter: string): letter is TeamLetter {
  return Object.hasOwn(TEAM_LETTERS, letter)
}
