import { type FieldErrors, invalid } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { findNamed, findRow, findRows } from '../../../records/records.ts'
import { Discount } from '../../catalog/discount/discount.ts'
import { PriceVariant, type PriceVariantRow } from '../../catalog/price-variant/price-variant.ts'
import { Product } from '../../catalog/product/product.ts'
import type { CheckoutRow } from './checkout.ts'
import { openCheckout } from './create.ts'
import { whyNotUsable } from './discounts.ts'
import { whyNotOffered } from './for-sale.ts'
import type { Line } from './line.ts'
import { lineOf, whyNotTogether } from './lines.ts'
import { type Priced, price } from './price.ts'

/** One unit of a price; `problem` is the reason why it cannot be bought now, or null. */
interface OfferedItem {
  line: Line
  problem: string | null
}

/** The items that a checkout link, or the URL of a price, offers now. */
export interface Offer {
  items: OfferedItem[]
  /** The items that can be bought, with their totals; null if there are none. */
  priced: Priced | null
  /** The reason why the items cannot be bought together, or null. */
  problem: string | null
  /** The offer's discount code if it cannot be applied, with the reason; otherwise null. */
  refusedCode: { code: string; problem: string } | null
}

/** Offers one unit of each price; unknown prices are left out. */
export async function offerOf(
  context: Context,
  variantIds: readonly string[],
  discountId: string | null,
): Promise<Offer> {
  const items = await itemsOf(context, variantIds)
  const lines = items.flatMap(({ line, problem }) => (problem === null ? [line] : []))
  const problem = whyNotTogether(lines)
  if (lines.length === 0 || problem !== null) return { items, priced: null, problem, refusedCode: null }
  const discount = discountId === null ? undefined : await findRow(context, Discount, discountId)
  const refusal = discount ? whyNotUsable(discount, lines, context.now) : null
  return {
    items,
    priced: price(lines, discount && refusal === null ? discount : null, null),
    problem,
    refusedCode: discount && refusal !== null ? { code: discount.code, problem: refusal } : null,
  }
}

async function itemsOf(context: Context, variantIds: readonly string[]): Promise<OfferedItem[]> {
  const variants = await findRows(context, PriceVariant, variantIds)
  const products = await findNamed(context, Product, 'product', variants.values())
  return variantIds.flatMap((id) => {
    const variant = variants.get(id)
    const product = variant && products.get(variant.product)
    if (!variant || !product) return []
    return [
      { line: lineOf(variant, product, { quantity: 1 }), problem: whyNotOffered(variant, product, 1, context.now) },
    ]
  })
}

export function whatPriceOffers(context: Context, variant: PriceVariantRow): Promise<Offer> {
  return offerOf(context, [variant.id], null)
}

/** Throws a 422 if the price is not for sale. */
export async function openFromPrice(context: Context, variant: PriceVariantRow): Promise<CheckoutRow> {
  return openOffer(context, await whatPriceOffers(context, variant), { link: variant.id })
}

/** Opens a checkout for the items that can be bought. Throws a 422 that names each problem if there are none. */
export function openOffer(context: Context, offer: Offer, values: Partial<CheckoutRow> = {}): Promise<CheckoutRow> {
  if (offer.priced === null) throw invalid(problemsOf(offer))
  const line_items = offer.priced.lines.map(({ price_variant, quantity }) => ({ price_variant, quantity }))
  return openCheckout(context, {
    priced: offer.priced,
    email: null,
    customer: null,
    values: { ...values, line_items },
  })
}

function problemsOf({ items, problem }: Offer): FieldErrors {
  if (problem !== null || items.length === 0) return { line_items: [problem ?? 'are no longer for sale'] }
  return Object.fromEntries(
    items.map(({ problem }, index) => [`line_items.${index}.price_variant`, [problem ?? 'is not for sale']]),
  )
}
