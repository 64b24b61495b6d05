/**
 * Splits a total in proportion to the weights. Parts are rounded down, and the units left over go one each to the largest weights. No part
 * exceeds its weight. Throws a RangeError if the total exceeds the sum of the weights.
 */
export function allocate(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  if (!Number.isSafeInteger(total) || total < 0 || total > sum)
    throw new RangeError(`A total of ${total} cannot be spread over ${sum}.`)
  if (total === sum) return [...weights]
  const parts = weights.map((weight) => Number((BigInt(total) * BigInt(weight)) / BigInt(sum)))
  let left = parts.reduce((rest, part) => rest - part, total)
  for (const index of [...weights.keys()].sort((a, b) => weights[b]! - weights[a]! || a - b)) {
    if (left === 0) break
    parts[index]! += 1
    left -= 1
  }
  return parts
}

/** Returns `percent` percent of an amount, rounded half up; `percent` has at most two decimals. */
export function percentOf(amount: number, percent: number): number {
  return Math.floor((amount * Math.round(percent * 100) + 5000) / 10_000)
}
