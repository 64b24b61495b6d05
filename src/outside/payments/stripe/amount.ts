import { minorDigits } from '../../../words/money.ts'
import { RefusedError } from './refused.ts'

/**
 * Digits after the point as Stripe counts them, where they are not two: https://docs.stripe.com/currencies. Icelandic krónur
 * and Ugandan shillings have none, yet Stripe writes them with two. Forints and Taiwan dollars have two when they are
 * charged; only payouts need whole ones.
 */
const STRIPE_DIGITS: Readonly<Record<string, number>> = {
  ...everyOne('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf', 0),
  ...everyOne('bhd jod kwd omr tnd', 3),
}
const USUAL_DIGITS = 2
/** Of three digits, Stripe wants the last to be 0. */
const STEP_OF_THREE_DIGITS = 10

/** An amount in minor units as Stripe counts it. Throws RefusedError for one that Stripe cannot take; nothing is rounded. */
export function toStripeAmount(amount: number, currency: string): number {
  const step = stepOf(currency)
  if (amount % step === 0) return convert(amount, currency)
  throw new RefusedError(
    `The card processor takes amounts in ${currency} only in steps of ${step} minor units, and this one is ${amount}.`,
  )
}

const BASIS_POINTS_OF_ALL = 10_000

/** A share of an amount as Stripe counts it, rounded down to what Stripe can take in the currency. */
export function feeOf(amount: number, currency: string, basisPoints: number): number {
  const fee = Math.floor((amount * basisPoints) / BASIS_POINTS_OF_ALL)
  return convert(fee - (fee % stepOf(currency)), currency)
}

/** The number of our minor units whose multiples Stripe takes. */
function stepOf(currency: string): number {
  const digits = STRIPE_DIGITS[currency] ?? USUAL_DIGITS
  const step = digits === 3 ? STEP_OF_THREE_DIGITS : 1
  return step * Math.max(1, 10 ** (minorDigits(currency) - digits))
}

function convert(amount: number, currency: string): number {
  const shift = (STRIPE_DIGITS[currency] ?? USUAL_DIGITS) - minorDigits(currency)
  return shift >= 0 ? amount * 10 ** shift : amount / 10 ** -shift
}

/** An amount that Stripe told, in minor units of ours. */
export function fromStripeAmount(amount: number, currency: string): number {
  const shift = (STRIPE_DIGITS[currency] ?? USUAL_DIGITS) - minorDigits(currency)
  return shift >= 0 ? Math.round(amount / 10 ** shift) : amount * 10 ** -shift
}

function everyOne(codes: string, digits: number): Record<string, number> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, digits]))
}
