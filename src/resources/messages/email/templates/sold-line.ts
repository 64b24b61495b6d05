import { formatMoney } from '../../../../format/money.ts'
import type { Line } from './letter.ts'

export interface SoldLine {
  name: string
  quantity: number
  unitAmount: number
  /** The amount of the whole line in minor units. */
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
