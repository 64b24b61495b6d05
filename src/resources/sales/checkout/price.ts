import { invalid } from '../../../contract/declarations/errors.ts'
import { MAX_AMOUNT } from '../../../contract/values/values.ts'
import type { DiscountRow } from '../../catalog/discount/discount.ts'
import type { Processor } from '../payment/payment.ts'
import { isTarget } from './discounts.ts'
import type { Line } from './line.ts'
import { linesFor, type Taxed, withTax } from './tax/apply.ts'
import type { TaxTerms } from './tax/terms.ts'
import { totalsOf } from './totals.ts'

export interface Priced extends Taxed {
  discount: DiscountRow | null
  /** Null if the buyer's country is not known. */
  tax: TaxTerms | null
}

/** Throws a 422 if the cart costs more than `MAX_AMOUNT`. */
export function price(given: readonly Line[], discount: DiscountRow | null, tax: TaxTerms | null): Priced {
  const lines = linesFor(given, tax)
  const untaxed = totalsOf(lines, discount, (line) => discount !== null && isTarget(discount, line))
  const totals = withTax(untaxed, tax)
  const most = Math.max(totals.subtotal, totals.total, ...lines.map((line) => (line.unit_amount ?? 0) * line.quantity))
  if (most > MAX_AMOUNT) throw invalid({ line_items: [`exceed the maximum payment, ${MAX_AMOUNT}`] })
  return { ...totals, discount, tax }
}

export function pricedFields(priced: Priced, processor: Processor) {
  const { lines, discount, subtotal, amount_discount, total, tax } = priced
  const { amount_tax, tax_inclusive, tax_lines, reverse_charge } = priced
  return {
    lines,
    currency: lines[0]!.currency,
    mode: lines.some((line) => line.recurring) ? ('subscription' as const) : ('payment' as const),
    subtotal,
    amount_discount,
    ...{ amount_tax, tax_inclusive, tax_lines, reverse_charge, tax },
    total,
    discount: discount?.id ?? null,
    discount_code: discount?.code ?? null,
    processor: total === 0 && !isEverCharged(lines) ? ('none' as const) : processor,
  }
}

/** Whether the cart contains a subscription, which is charged later even if nothing is due today. */
export function isEverCharged(lines: readonly Line[]): boolean {
  return lines.some((line) => line.recurring !== null)
}

/** Whether every line has a unit price; a custom price has none until its amount is chosen. */
export function hasAllAmounts(lines: readonly Line[]): boolean {
  return lines.every((line) => line.unit_amount !== null)
}
