import { invalid } from '../../../contract/declarations/errors.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Discount, type DiscountRow } from '../../catalog/discount/discount.ts'
import { codeKey, shownStatus } from '../../catalog/discount/terms.ts'
import type { Line } from './line.ts'

/** Throws a 422 with the reason if the code is unknown or its discount cannot be used for these lines. */
export async function requireDiscount(context: Context, code: string, lines: readonly Line[]): Promise<DiscountRow> {
  const discount = await requireKnownCode(context, code)
  refuse(whyNotApplicable(discount, lines))
  return discount
}

/** Like `requireDiscount`, but does not check the lines. */
export async function requireKnownCode(context: Context, code: string): Promise<DiscountRow> {
  const raw = await rowsOf(context, 'discounts').selectAll().where('code_key', '=', codeKey(code)).executeTakeFirst()
  if (!raw) throw invalid({ discount_code: ['is not valid'] })
  const discount = decode(Discount, raw)
  refuse(whyNotNow(discount, context.now))
  return discount
}

function refuse(problem: string | null): void {
  if (problem) throw invalid({ discount_code: [problem] })
}

/** Returns null if the discount was deleted or can no longer be used for these lines. */
export async function stillUsable(context: Context, id: string, lines: readonly Line[]): Promise<DiscountRow | null> {
  const discount = await findRow(context, Discount, id)
  return discount && whyNotUsable(discount, lines, context.now) === null ? discount : null
}

/** Returns the reason as a predicate, such as `has expired`, or null if the discount can be used. */
export function whyNotUsable(discount: DiscountRow, lines: readonly Line[], now: string): string | null {
  return whyNotNow(discount, now) ?? whyNotApplicable(discount, lines)
}

export function whyNotNow(discount: DiscountRow, now: string): string | null {
  const status = shownStatus(discount, now)
  if (status === 'inactive') return 'is switched off'
  if (status === 'scheduled') return `cannot be used before ${discount.starts_at}`
  const { max_redemptions: most, times_redeemed } = discount
  if (status === 'expired') return most !== null && times_redeemed >= most ? 'has been used up' : 'has expired'
  return null
}

export function whyNotApplicable(discount: DiscountRow, lines: readonly Line[]): string | null {
  if (!lines.some((line) => isTarget(discount, line))) return 'does not apply to any of the items'
  if (discount.currency !== null && discount.currency !== lines[0]?.currency)
    return `works only for purchases in ${discount.currency}`
  return null
}

export function isTarget(discount: DiscountRow, { product, price_variant }: Line): boolean {
  const { applies_to_product_ids: products, price_variants: variants } = discount
  if (products.length + variants.length === 0) return true
  return products.includes(product) || variants.includes(price_variant)
}
