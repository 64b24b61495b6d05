import type { Interval } from '../../../../format/intervals.ts'

/** A subscription's later payments, with amounts in minor units of `currency`. */
export interface RenewalTerms {
  product: string
  /** The amount of the next payment after its discount. */
  amount: number
  currency: string
  interval: Interval
  intervalCount: number
  /** The time of the next payment; null if there is none. */
  nextAt: string | null
  /** The end of the trial that starts with the order; null if none starts. */
  trialEndsAt: string | null
  /** A description that the card's owner recognizes; null if unknown. */
  card: string | null
  /** The number of further payments; null if it is not fixed. */
  installmentsLeft: number | null
}
