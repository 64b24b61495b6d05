import { invalid } from '../../../contract/declarations/errors.ts'
import type { Row } from '../../../contract/declarations/noun.ts'
import { MAX_AMOUNT } from '../../../contract/values/values.ts'
import type { Discount } from '../../catalog/discount/discount.ts'
import type { Processor } from '../payment/payment.ts'
import { isTarget } from './discounts.ts'
import type { Line } from './line.ts'
import { type Totals, totalsOf } from './totals.ts'

/** A cart with its prices: what the fields of a checkout are made from. */
export interface Priced extends Totals {
  discount: Row<typeof Discount> | null
}

/** Prices a cart. Throws a 422 when it costs more than an amount can hold. */
export function price(lines: readonly Line[], discount: Row<typeof Discount> | null): Priced {
  const totals = totalsOf(lines, discount, (line) => discount !== null && isTarget(discount, line))
  const most = Math.max(totals.subtotal, ...lines.map((line) => (line.unit_amount ?? 0) * line.quantity))
  if (most > MAX_AMOUNT) throw invalid({ line_items: [`exceed the maximum payment, ${MAX_AMOUNT}`] })
  return { ...totals, discount }
}

/** The fields of a checkout that its cart decides. */
export function pricedFields({ lines, discount, subtotal, amount_discount, total }: Priced, processor: Processor) {
  return {
    lines,
    currency: lines[0]!.currency,
    mode: lines.some((line) => line.recurring) ? ('subscription' as const) : ('payment' as const),
    subtotal,
    amount_discount,
    amount_tax: 0,
    total,
    discount: discount?.id ?? null,
    discount_code: discount?.code ?? null,
    processor: total === 0 && !isEverCharged(lines) ? ('none' as const) : processor,
  }
}

/** Whether anything of the cart may be charged later, though nothing may be due today. */
export function isEverCharged(lines: readonly Line[]): boolean {
  return lines.some((line) => line.recurring !== null)
}

/** Whether every line has its price: buyers of custom prices may still have to name one. */
export function hasAllAmounts(lines: readonly Line[]): boolean {
  return lines.every((line) => line.unit_amount !== null)
}
