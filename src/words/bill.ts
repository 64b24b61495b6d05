import { formatMoney } from './money.ts'

/** What somebody pays or has paid, as it adds up. Amounts are in minor units of `currency`, discounts and refunds without a sign. */
export interface Bill {
  currency: string
  /** All lines before the discount and before tax on top; setup fees are among them. */
  subtotal: number
  /** Part of the subtotal that has a row of its own. */
  setupFee?: number
  discount?: { code: string | null; amount: number } | null
  /** A row for each rate, such as `VAT 19%`; absent or empty where nothing is taxed. */
  taxes?: readonly { label: string; amount: number }[]
  /** Prices include the taxes, so they are part of the total and not added to it. */
  taxInclusive?: boolean
  total: number
  totalLabel: string
  /** Of the total; absent or 0 where nothing was refunded. */
  refunded?: number
  /** How many lines are listed above it: the subtotal of a single one is itself. */
  lines?: number
}

export interface BillRow {
  /** step: added; less: taken off; total: the sum of the steps so far; within: a part of the total, not added; left: what refunds leave of it. */
  kind: 'step' | 'less' | 'total' | 'within' | 'left'
  label: string
  amount: number
  /** As people read it: all rows have the same decimals, so that they align at their end. */
  value: string
}

/**
 * The rows of a bill, in the order in which they add up: subtotal, setup fee, discount and tax on top, which sum to the total; taxes
 * that prices include; refunds and what they leave. Rows that would say nothing are left out.
 */
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
