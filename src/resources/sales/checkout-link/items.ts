import { invalid } from '../../../contract/declarations/errors.ts'
import type { BodyCheck } from '../../../contract/declarations/operation.ts'
import type { Context } from '../../../records/context.ts'
import { findNamed, findRow, findRows, requireIds, requireRow } from '../../../records/records.ts'
import { Discount } from '../../catalog/discount/discount.ts'
import { PriceVariant } from '../../catalog/price-variant/price-variant.ts'
import { Product } from '../../catalog/product/product.ts'
import { isSoldAlready } from '../checkout/cart.ts'
import type { CheckoutRow } from '../checkout/checkout.ts'
import { whyNotApplicable, whyNotNow, whyNotUsable } from '../checkout/discounts.ts'
import type { Line } from '../checkout/line.ts'
import { lineOf, whyNotTogether } from '../checkout/lines.ts'
import { CheckoutLink } from './checkout-link.ts'

/** Returns a line per price, even if not for sale. Throws a 404 for an unknown price, and a 422 if prices cannot be sold together. */
export async function requireItems(context: Context, given: string[]): Promise<Line[]> {
  if (given.length === 0) throw invalid({ price_variants: ["can't be blank"] })
  const ids = await requireIds(context, PriceVariant, given, 'price_variants')
  const variants = await findRows(context, PriceVariant, ids)
  const products = await findNamed(context, Product, 'product', variants.values())
  const lines = ids.map((id) => {
    const variant = variants.get(id)!
    return lineOf(variant, products.get(variant.product)!, { quantity: 1 })
  })
  const problem = products.size < lines.length ? 'can contain at most one price of each product' : whyNotTogether(lines)
  if (problem !== null) throw invalid({ price_variants: [problem] })
  return lines
}

/** Returns the discount id. Throws a 404 for an unknown discount, and a 422 for one that cannot be used now. */
export async function requireLinkDiscount(context: Context, id: string, lines: readonly Line[]): Promise<string> {
  const discount = await requireRow(context, Discount, id, 'discount')
  refuse(whyNotUsable(discount, lines, context.now))
  return discount.id
}

export const LINK_CHECKS: readonly BodyCheck<Context, { price_variants?: string[]; discount?: string | null }>[] = [
  {
    fields: ['price_variants'],
    check: (context, { price_variants }) => price_variants && requireItems(context, price_variants),
  },
  {
    fields: ['discount'],
    check: async (context, { discount }) =>
      discount && refuse(whyNotNow(await requireRow(context, Discount, discount, 'discount'), context.now)),
  },
]

/** Throws a 422 if the discount applies to none of the lines; an expired discount is accepted. */
export async function requireDiscountApplies(context: Context, id: string, lines: readonly Line[]): Promise<void> {
  const discount = await findRow(context, Discount, id)
  if (discount) refuse(whyNotApplicable(discount, lines))
}

function refuse(problem: string | null): void {
  if (problem !== null) throw invalid({ discount: [problem] })
}

type CheckoutSource = Pick<CheckoutRow, 'link' | 'invoice' | 'subscription' | 'formation'>

/** Returns false if the contents are fixed (`isSoldAlready`), or if the checkout link forbids codes or was deleted. */
export async function allowsDiscountCodes(context: Context, { link, ...billed }: CheckoutSource): Promise<boolean> {
  if (isSoldAlready(billed)) return false
  // A checkout that was opened at the URL of a price has the id of that price in `link`.
  if (link === null || !CheckoutLink.isId(link)) return true
  return (await findRow(context, CheckoutLink, link))?.allow_discount_codes ?? false
}
