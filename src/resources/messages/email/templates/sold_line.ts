import { formatMoney } from '../../../../words/money.ts'
import type { Line } from './letter.ts'

/** One thing that is sold, in minor units. */
export interface SoldLine {
  name: string
  quantity: number
  unitAmount: number
  /** For all of them. */
  amount: number
  /** Shown where tax is. */
  taxCode?: string | null
}

export function lineOf({ name, quantity, unitAmount, amount, taxCode = null }: SoldLine, currency: string): Line {
  const several = quantity > 1
  const details = [
    ...(several ? [`${formatMoney(unitAmount, currency)} each`] : []),
    ...(taxCode === null ? [] : [`tax code ${taxCode}`]),
  ]
  return {
    name: several ? `${quantity} × ${name}` : name,
    detail: details.length > 0 ? details.join(', ') : null,
    value: formatMoney(amount, currency),
  }
}
