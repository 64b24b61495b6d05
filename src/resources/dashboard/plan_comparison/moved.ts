import type { ComparedChange, ComparedField, MovedAmounts } from './plan_comparison.ts'

interface Moved extends ComparedField {
  currency: string
  from: number
  to: number
}

/** How amounts move over all changes, by field and currency. */
export function movedAmounts(changes: ComparedChange[]): MovedAmounts[] {
  const moved = changes.flatMap(({ fields, currency }) => fields.flatMap((field) => movedOf(field, currency)))
  return [...Map.groupBy(moved, ({ name, currency }) => `${name} ${currency}`).values()].map(summed)
}

function movedOf(field: ComparedField, currency: string | null): Moved[] {
  const { money, from, to } = field
  if (!money || currency === null || typeof from !== 'number' || typeof to !== 'number') return []
  return [{ ...field, from, to, currency }]
}

function summed(moved: Moved[]): MovedAmounts {
  const differences = moved.map(({ from, to }) => to - from)
  const percents = moved.map(({ from, to }) => (from === 0 ? null : ((to - from) / from) * 100))
  const known = percents.filter((percent) => percent !== null)
  const all = known.length === percents.length
  return {
    field: moved[0]!.name,
    currency: moved[0]!.currency,
    raised: differences.filter((difference) => difference > 0).length,
    lowered: differences.filter((difference) => difference < 0).length,
    least: nearest(differences),
    most: farthest(differences),
    least_percent: all ? nearest(known) : null,
    most_percent: all ? farthest(known) : null,
  }
}

/** The one that is nearest to 0, and the one that is farthest from it. */
const nearest = (numbers: number[]) => numbers.reduce((one, other) => (Math.abs(other) < Math.abs(one) ? other : one))
const farthest = (numbers: number[]) => numbers.reduce((one, other) => (Math.abs(other) > Math.abs(one) ? other : one))
