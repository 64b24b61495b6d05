import { allocate, percentOf } from '../allocation.ts'
import type { Line, PricedLine } from './line.ts'

/** The fields of a discount that determine its amount; the `DiscountTerms` of a subscription have them too. */
export interface Reduction {
  discount_type: 'percent_off' | 'amount_off'
  percent_off: number | null
  amount_off: number | null
}

export interface Totals {
  subtotal: number
  amount_discount: number
  total: number
  lines: PricedLine[]
}

/** Computes the amounts due now; in a trial, only setup fees. The discount reduces lines that `isTarget` accepts, but no setup fees. */
export function totalsOf(
  lines: readonly Line[],
  reduction: Reduction | null = null,
  isTarget: (line: Line) => boolean = () => true,
): Totals {
  const prices = lines.map(chargedNow)
  const targets = lines.map((line, index) => (reduction && isTarget(line) ? prices[index]! : 0))
  const discounts = reduction ? reductionsOf(reduction, targets) : targets
  const priced = lines.map((line, index) => {
    const setup_fee_amount = line.recurring?.setup_fee_amount ?? 0
    const amount_discount = discounts[index]!
    return { ...line, setup_fee_amount, amount_discount, amount: prices[index]! + setup_fee_amount - amount_discount }
  })
  const total = sum(priced.map(({ amount }) => amount))
  const amount_discount = sum(discounts)
  return { subtotal: total + amount_discount, amount_discount, total, lines: priced }
}

/** Returns by how much the discount reduces each amount. */
export function reductionsOf(reduction: Reduction, amounts: readonly number[]): number[] {
  if (reduction.discount_type === 'percent_off')
    return amounts.map((amount) => Math.min(amount, percentOf(amount, reduction.percent_off ?? 0)))
  return allocate(Math.min(reduction.amount_off ?? 0, sum(amounts)), amounts)
}

/** Returns 0 in a trial, or if the buyer has not chosen an amount yet. */
function chargedNow({ unit_amount, quantity, recurring }: Line): number {
  return recurring?.trial_period_days ? 0 : (unit_amount ?? 0) * quantity
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0)
}
