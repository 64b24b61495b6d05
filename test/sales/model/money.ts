import type { Rate } from './state.ts'

/** Millionths of the whole. */
const ONE = 1_000_000

/** What a code takes off. */
export interface Reduction {
  /** Hundredths of a percent; null for an amount. */
  percent: number | null
  off: number | null
}

/** What is taken off each amount. */
export function reductions({ percent, off }: Reduction, amounts: readonly number[]): number[] {
  if (percent !== null) return amounts.map((amount) => halfUp(BigInt(amount) * BigInt(percent), 10_000n))
  return spread(Math.min(off!, total(amounts)), amounts)
}

/** The whole number that is nearest to a fraction; the larger of two. */
function halfUp(numerator: bigint, denominator: bigint): number {
  const [whole, rest] = [numerator / denominator, numerator % denominator]
  return Number(rest * 2n >= denominator ? whole + 1n : whole)
}

/** Parts of a total in proportion to weights, which it does not exceed; what is left goes to the largest, one each. */
export function spread(amount: number, weights: readonly number[]): number[] {
  const all = BigInt(total(weights))
  if (all === 0n) return weights.map(() => 0)
  const parts = weights.map((weight) => Number((BigInt(amount) * BigInt(weight)) / all))
  const left = amount - total(parts)
  const largest = weights
    .map((weight, place) => ({ weight, place }))
    .sort((a, b) => b.weight - a.weight || a.place - b.place)
  for (const { place } of largest.slice(0, left)) parts[place]! += 1
  return parts
}

/** The tax of an amount: part of it where the price includes it, otherwise on top. */
export function taxOf(amount: number, rate: Rate | null): number {
  if (rate === null) return 0
  const whole = rate.inclusive ? ONE + rate.share : ONE
  return halfUp(BigInt(amount) * BigInt(rate.share), BigInt(whole))
}

/** The tax in what was refunded of an amount. */
export function taxIn(refunded: number, { amount, tax }: { amount: number; tax: number }): number {
  return amount === 0 ? 0 : halfUp(BigInt(tax) * BigInt(refunded), BigInt(amount))
}

export function total(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0)
}
