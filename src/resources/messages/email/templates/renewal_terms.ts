import type { Interval } from '../../../../words/intervals.ts'

/** The later payments of a subscription. Amounts are in minor units of `currency`. */
export interface RenewalTerms {
  product: string
  /** The next payment, after its discount. */
  amount: number
  currency: string
  interval: Interval
  intervalCount: number
  /** Null when no further payment follows. */
  nextAt: string | null
  /** The trial that begins with this order; null for other orders. */
  trialEndsAt: string | null
  /** The saved card as its owner knows it; null where the provider did not say. */
  card: string | null
  /** Payments that follow, where their number is fixed. */
  installmentsLeft: number | null
}
