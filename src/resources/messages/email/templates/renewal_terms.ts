import type { Interval } from '../../../../words/intervals.ts'

/** What a subscription will take later, as letters tell it. Amounts are in minor units of `currency`. */
export interface RenewalTerms {
  product: string
  /** What the next payment takes, its discount taken off. */
  amount: number
  currency: string
  interval: Interval
  intervalCount: number
  /** Null when no further payment follows. */
  nextAt: string | null
  /** Its trial begins with this order, and nothing is charged until its end; null for other orders. */
  trialEndsAt: string | null
  /** The saved card as its owner knows it; null where the provider did not say. */
  card: string | null
  /** Payments that follow, where their number is fixed. */
  installmentsLeft: number | null
}
