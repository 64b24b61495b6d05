import { millionthsOf, type TaxRate } from '../../../../contract/declarations/tax-rate.ts'

/** The whole, in millionths. */
const MILLION = 1_000_000

/** The tax on an amount for each rate, in the order of the rates. */
export interface Tax {
  taxes: number[]
  net: number
}

/** Returns the rates that apply to a tax code, which are the most specific ones only. */
export function ratesFor(rates: readonly TaxRate[], taxCode: string | null | undefined): TaxRate[] {
  const code = taxCode ?? null
  const ofRegion = rates.filter(({ region }) => region !== null)
  const ofCountry = rates.filter(({ region }) => region === null)
  for (const some of [ofRegion, ofCountry]) {
    const exact = code === null ? [] : some.filter(({ tax_code }) => tax_code === code)
    if (exact.length > 0) return exact
    const usual = some.filter(({ tax_code }) => tax_code === null)
    if (usual.length > 0) return usual
  }
  return []
}

/**
 * Computes the tax on an amount in integers, rounded half up. Added taxes are computed for each rate, and included ones for all rates
 * together and then split. All rates of a place are of the same kind. Amounts and rates are small enough for the products to be exact.
 */
export function taxOf(amount: number, rates: readonly TaxRate[]): Tax {
  const shares = rates.map(millionthsOf)
  if (!isInclusive(rates)) return { taxes: shares.map((share) => divideHalfUp(amount * share, MILLION)), net: amount }
  const all = shares.reduce((sum, share) => sum + share, 0)
  const tax = divideHalfUp(amount * all, MILLION + all)
  return { taxes: splitTax(tax, shares), net: amount - tax }
}

export function isInclusive(rates: readonly TaxRate[]): boolean {
  return rates.some(({ inclusive }) => inclusive)
}

/** Splits a tax in proportion to its rates, without losing a unit. */
function splitTax(tax: number, shares: readonly number[]): number[] {
  const all = shares.reduce((sum, share) => sum + share, 0)
  let [until, given] = [0, 0]
  return shares.map((share) => {
    until += share
    const part = (all === 0 ? 0 : divideHalfUp(tax * until, all)) - given
    given += part
    return part
  })
}

/** Divides integers, rounding half up. */
function divideHalfUp(dividend: number, divisor: number): number {
  return Math.floor((2 * dividend + divisor) / (2 * divisor))
}

/**
 * Returns the part of a line's tax that belongs to everything refunded of it so far. It is computed from the sum of all refunds, so that
 * the parts of a full refund add up to the whole.
 */
export function taxRefunded(tax: number, refunded: number, amount: number): number {
  if (tax === 0 || amount === 0) return 0
  // The product may exceed the range of safe integers.
  const [twice, whole] = [2n * BigInt(tax) * BigInt(refunded), BigInt(amount)]
  return Number((twice + whole) / (2n * whole))
}
