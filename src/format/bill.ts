import { formatMoney } from './money.ts'

/** The amounts of a purchase, in minor units of `currency`. Discounts and refunds are positive numbers. */
export interface Bill {
  currency: string
  /** The sum of all lines including setup fees, before the discount and before added tax. */
  subtotal: number
  /** The part of the subtotal that is shown in a row of its own. */
  setupFee?: number
  discount?: { code: string | null; amount: number } | null
  /** One row per rate, such as `VAT 19%`. */
  taxes?: readonly { label: string; amount: number }[]
  /** Whether prices include the taxes. If so, they are part of the total and not added to it. */
  taxInclusive?: boolean
  total: number
  totalLabel: string
  refunded?: number
  /** The number of lines above the bill. With only one line, the row with the subtotal is left out. */
  lines?: number
}

export interface BillRow {
  /** `step`: added; `less`: subtracted; `total`: the sum so far; `within`: included in the total; `left`: the rest after refunds. */
  kind: 'step' | 'less' | 'total' | 'within' | 'left'
  label: string
  amount: number
  /** The amount as text. All rows have the same number of decimals, so that they align on the right. */
  value: string
}

/** Returns the rows up to the total in the order in which they add up, then included taxes, refunds and the rest. */
export function billRows(bill: Bill): BillRow[] {
  const { currency, subtotal, setupFee = 0, discount, taxes = [], taxInclusive = false, refunded = 0 } = bill
  const row = (kind: BillRow['kind'], label: string, amount: number): BillRow => ({
    ...{ kind, label, amount },
    value: formatMoney(amount, currency),
  })
  const steps = [
    ...(setupFee > 0 ? [row('step', 'One-time setup fee', setupFee)] : []),
    ...(discount && discount.amount > 0 ? [row('less', discountLabel(discount), -discount.amount)] : []),
    ...(taxInclusive ? [] : taxes.map(({ label, amount }) => row('step', label, amount))),
  ]
  const goods = subtotal - setupFee
  const first = goods > 0 && (steps.length > 0 || (bill.lines ?? 1) > 1) ? [row('step', 'Subtotal', goods)] : []
  const within = taxInclusive ? taxes.map(({ label, amount }) => row('within', `Includes ${label}`, amount)) : []
  const back = refunded > 0 ? [row('less', 'Refunded', -refunded), row('left', 'Left', bill.total - refunded)] : []
  return [...first, ...steps, row('total', bill.totalLabel, bill.total), ...within, ...back]
}

function discountLabel({ code }: { code: string | null }): string {
  return code === null ? 'Discount' : `Discount ${code}`
}
