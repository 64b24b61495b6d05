import { millionthsOf, type TaxRate } from '../../../../contract/declarations/tax-rate.ts'

/** 100 percent in millionths, the unit in which rates are computed. */
const MILLION = 1_000_000

/** `taxes` has the tax of each rate, in the order of the rates. */
export interface Tax {
  taxes: number[]
  net: number
}

/** Returns the most specific rates for a tax code: a region's before a country's, and those for the code before general ones. */
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
 * Computes taxes in integers, rounded half up: added rates one by one, included rates together and then split. `rates` never mixes both
 * kinds. Amount × rate is small enough to be exact.
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

/** Splits a tax in proportion to the shares. The parts add up to `tax` exactly. */
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

function divideHalfUp(dividend: number, divisor: number): number {
  return Math.floor((2 * dividend + divisor) / (2 * divisor))
}

/** Returns the tax in the refunded part of a line. `refunded` is the sum of all refunds, so that their taxes add up to the whole tax. */
export function taxRefunded(tax: number, refunded: number, amount: number): number {
  if (tax === 0 || amount === 0) return 0
  // The product may exceed the range of safe integers.
  const [twice, whole] = [2n * BigInt(tax) * BigInt(refunded), BigInt(amount)]
  return Number((twice + whole) / (2n * whole))
}
