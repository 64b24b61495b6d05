import type { Interval } from '../../../../format/intervals.ts'

/** The terms of a subscription's later payments. Amounts are in minor units of `currency`. */
export interface RenewalTerms {
  product: string
  /** The amount of the next payment after its discount. */
  amount: number
  currency: string
  interval: Interval
  intervalCount: number
  /** The time of the next payment; null when there is none. */
  nextAt: string | null
  /** The end of a trial that starts with the order; null when none starts. */
  trialEndsAt: string | null
  /** A description of the saved card that its owner recognizes; null when unknown. */
  card: string | null
  /** The number of further payments; null when it is not fixed. */
  installmentsLeft: number | null
}
