import { digitsOfAll, minorDigits } from '../../../format/money.ts'
import { RefusedError } from './faults.ts'

/**
 * The decimals that Stripe uses for currencies that do not have two: https://docs.stripe.com/currencies. Icelandic krónur and Ugandan
 * shillings have none but are absent, because Stripe uses two. Forints and Taiwan dollars need whole amounts only in payouts.
 */
const STRIPE_DIGITS: Readonly<Record<string, number>> = {
  ...digitsOfAll('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf', 0),
  ...digitsOfAll('bhd jod kwd omr tnd', 3),
}
const USUAL_DIGITS = 2
/** The step, in minor units, of amounts with three decimals: Stripe requires the last decimal to be 0. */
const STEP_OF_THREE_DIGITS = 10

/** Converts an amount to Stripe's minor units. Throws RefusedError instead of rounding. */
export function toStripeAmount(amount: number, currency: string): number {
  const step = stepOf(currency)
  if (amount % step === 0) return convert(amount, currency)
  throw new RefusedError(
    `The card processor takes amounts in ${currency} only in steps of ${step} minor units, and this one is ${amount}.`,
  )
}

const BASIS_POINTS_OF_ALL = 10_000

/** Returns a share of an amount in Stripe's minor units, rounded down to an amount that Stripe accepts. */
export function feeOf(amount: number, currency: string, basisPoints: number): number {
  const fee = Math.floor((amount * basisPoints) / BASIS_POINTS_OF_ALL)
  return convert(fee - (fee % stepOf(currency)), currency)
}

/** Returns the step of amounts at Stripe, in our minor units. All amounts must be multiples of it. */
function stepOf(currency: string): number {
  const digits = STRIPE_DIGITS[currency] ?? USUAL_DIGITS
  const step = digits === 3 ? STEP_OF_THREE_DIGITS : 1
  return step * Math.max(1, 10 ** (minorDigits(currency) - digits))
}

function convert(amount: number, currency: string): number {
  const shift = (STRIPE_DIGITS[currency] ?? USUAL_DIGITS) - minorDigits(currency)
  return shift >= 0 ? amount * 10 ** shift : amount / 10 ** -shift
}

export function fromStripeAmount(amount: number, currency: string): number {
  const shift = (STRIPE_DIGITS[currency] ?? USUAL_DIGITS) - minorDigits(currency)
  return shift >= 0 ? Math.round(amount / 10 ** shift) : amount * 10 ** -shift
}
