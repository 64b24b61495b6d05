import type { Interval } from '../../../../format/intervals.ts'

/** The terms of a subscription's later payments. Amounts are in minor units of `currency`. */
export interface RenewalTerms {
  product: string
  /** The next payment, after its discount. */
  amount: number
  currency: string
  interval: Interval
  intervalCount: number
  /** Null when no further payment follows. */
  nextAt: string | null
  /** The end of the trial that starts with this order; null for other orders. */
  trialEndsAt: string | null
  /** A description of the saved card for its owner; null when unknown. */
  card: string | null
  /** The number of further payments; null when it is not fixed. */
  installmentsLeft: number | null
}
