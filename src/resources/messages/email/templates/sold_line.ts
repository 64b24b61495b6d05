import { formatMoney } from '../../../../words/money.ts'
import type { Line } from './letter.ts'

/** One thing that is sold, in minor units. */
export interface SoldLine {
  name: string
  quantity: number
  unitAmount: number
  /** For all of them. */
  amount: number
}

export function lineOf({ name, quantity, unitAmount, amount }: SoldLine, currency: string): Line {
  const several = quantity > 1
  return {
    name: several ? `${quantity} × ${name}` : name,
    detail: several ? `${formatMoney(unitAmount, currency)} each` : null,
    value: formatMoney(amount, currency),
  }
}
