/** Returns the nearest candidate; null if more than a third of the letters, and more than one, differ (Damerau–Levenshtein distance). */
export function nearest(written: string, candidates: Iterable<string>): string | null {
  let best: string | null = null
  let bestDistance = Math.max(1, Math.floor(written.length / 3)) + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - written.length) >= bestDistance) continue
    const distance = editDistance(written.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best
}

/** Longer paths are not compared, because that takes time. */
const MAX_PATH_LENGTH = 200

/** Returns the nearest path of as many segments; null if in a segment more than a quarter of the letters, and more than one, differ. */
export function nearestPath(written: readonly string[], candidates: readonly (readonly string[])[]): string | null {
  const whole = `/${written.join('/')}`
  const isNear = (part: string, name = '') =>
    editDistance(part.toLowerCase(), name.toLowerCase()) <= Math.max(1, Math.floor(part.length / 4))
  if (whole.length > MAX_PATH_LENGTH) return null
  const sized = candidates.filter(({ length }) => length === written.length)
  const near = sized.filter((path) => written.every((part, at) => isNear(part, path[at])))
  return nearest(
    whole,
    near.map((path) => `/${path.join('/')}`),
  )
}

/** Returns a suggestion such as ` (did you mean "active"?)`, or an empty string. */
export function didYouMean(written: string, candidates: Iterable<string>): string {
  const found = nearest(written.slice(0, 100), candidates)
  return found === null || found === written ? '' : ` (did you mean "${found}"?)`
}

/** Counts the letters to insert, delete, replace or swap with a neighbour to turn `a` into `b`. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let distance = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1))
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        distance = Math.min(distance, beforeLast[column - 2]! + 1)
      }
      current.push(distance)
    }
    ;[beforeLast, last] = [last, current]
  }
  return last[b.length]!
}
