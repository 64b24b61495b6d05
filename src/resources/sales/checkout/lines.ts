import { type FieldErrors, invalid, requireValid } from '../../../contract/declarations/errors.ts'
import { MAX_AMOUNT } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { findNamed } from '../../../records/records.ts'
import { PriceVariant, type PriceVariantRow } from '../../catalog/price-variant/price-variant.ts'
import { Product, type ProductRow } from '../../catalog/product/product.ts'
import { type LineItem, MAX_QUANTITY } from './checkout.ts'
import type { Line, Recurring } from './line.ts'

/** Builds cart lines from request items, at current prices. Throws a 422 that names every problem. */
export async function linesOf(context: Context, items: readonly LineItem[]): Promise<Line[]> {
  if (items.length === 0) throw invalid({ line_items: ["can't be blank"] })
  const variants = await findNamed(context, PriceVariant, 'price_variant', items)
  const products = await findNamed(context, Product, 'product', variants.values())
  const lines = linesFrom(items, variants, products, context.now)
  const problem = whyNotTogether(lines)
  if (problem) throw invalid({ line_items: [problem] })
  return lines
}

interface MergedItem {
  item: LineItem
  /** The index of the first request item with this price. */
  index: number
}

function linesFrom(
  items: readonly LineItem[],
  variants: Map<string, PriceVariantRow>,
  products: Map<string, ProductRow>,
  now: string,
): Line[] {
  const errors: FieldErrors = {}
  const merged = mergeByPrice(items, errors)
  const lines = merged.flatMap(({ item, index }) => {
    const at = `line_items.${index}`
    const variant = variants.get(item.price_variant)
    const product = variant && products.get(variant.product)
    if (!variant || !product) {
      errors[`${at}.price_variant`] = ['is not the id of a price in this account']
      return []
    }
    const problem = whyNotForSale(variant, product, item.quantity, now)
    if (problem) errors[`${at}.price_variant`] = [problem]
    if (item.quantity > MAX_QUANTITY) errors[`${at}.quantity`] = [`must be at most ${MAX_QUANTITY}`]
    const amountProblem = whyNotAmount(variant, item.amount)
    if (amountProblem) errors[`${at}.amount`] = [amountProblem]
    return [lineOf(variant, product, item)]
  })
  requireValid(errors)
  return lines
}

function mergeByPrice(items: readonly LineItem[], errors: FieldErrors): MergedItem[] {
  const merged = new Map<string, MergedItem>()
  for (const [index, item] of items.entries()) {
    const same = merged.get(item.price_variant)
    if (!same) merged.set(item.price_variant, { item, index })
    else if (same.item.amount !== item.amount)
      errors[`line_items.${index}.amount`] = ['differs from the amount of the same price in another line']
    else same.item = { ...item, quantity: same.item.quantity + item.quantity }
  }
  return [...merged.values()]
}

/** Returns the reason why a buyer cannot pay `amount` minor units for one unit, or null. */
export function whyNotAmount(
  {
    amount_type,
    minimum_amount,
    maximum_amount,
  }: Pick<PriceVariantRow, 'amount_type' | 'minimum_amount' | 'maximum_amount'>,
  amount: number | undefined,
): string | null {
  if (amount === undefined) return null
  if (amount_type !== 'custom') return 'can only be set for custom prices'
  const [least, most] = [minimum_amount ?? 0, maximum_amount ?? MAX_AMOUNT]
  return amount < least || amount > most ? `must be from ${least} to ${most}` : null
}

export function lineOf(
  variant: PriceVariantRow,
  product: ProductRow,
  { quantity, amount }: Omit<LineItem, 'price_variant'>,
): Line {
  const custom = variant.amount_type === 'custom'
  return {
    price_variant: variant.id,
    product: product.id,
    product_name: product.name,
    price_variant_name: variant.name,
    quantity,
    // Null means that the buyer must choose the amount; a minimum of 0 is not suggested.
    unit_amount: custom ? (amount ?? variant.preset_amount ?? (variant.minimum_amount || null)) : (variant.amount ?? 0),
    currency: variant.currency,
    custom: custom ? { minimum: variant.minimum_amount, maximum: variant.maximum_amount } : null,
    recurring: recurringOf(variant),
    revoke_after_days: variant.revoke_after_days,
    tax_code: product.tax_code,
  }
}

function recurringOf(variant: PriceVariantRow): Recurring | null {
  if (variant.billing_type !== 'subscription') return null
  return {
    interval: variant.recurring_interval!,
    interval_count: variant.interval_count ?? 1,
    installment_count: variant.installment_count,
    setup_fee_amount: variant.setup_fee_amount ?? 0,
    trial_period_days: variant.trial_period_days,
  }
}

/** Returns the reason why these lines cannot be in one cart, or null. */
export function whyNotTogether(lines: readonly Pick<Line, 'currency' | 'recurring'>[]): string | null {
  const currencies = new Set(lines.map((line) => line.currency))
  if (currencies.size > 1) return `must be in one currency, not ${[...currencies].join(' and ')}`
  const subscriptions = lines.filter((line) => line.recurring).length
  if (subscriptions > 1) return 'can contain at most one subscription'
  return subscriptions === 1 && lines.length > 1 ? 'cannot mix a subscription with other prices' : null
}

type SoldPrice = Pick<PriceVariantRow, 'archived' | 'quantity_available'>
type SoldProduct = Pick<ProductRow, 'status' | 'available_from' | 'available_until'>

/** Returns the reason as a predicate, such as `is sold out`, or null if `quantity` units can be bought now. */
export function whyNotForSale(variant: SoldPrice, product: SoldProduct, quantity: number, now: string): string | null {
  if (variant.archived) return 'is archived and no longer for sale'
  if (product.status !== 'active')
    return `belongs to a product that is ${product.status}; only active products can be sold`
  if (product.available_from !== null && product.available_from > now)
    return `is not for sale before ${product.available_from}`
  if (product.available_until !== null && product.available_until <= now)
    return `has not been for sale since ${product.available_until}`
  return whyNotInStock(variant, quantity)
}

/** Like `whyNotForSale`, but in words for buyers, who do not know the statuses of products. */
export function whyNotOffered(variant: SoldPrice, product: SoldProduct, quantity: number, now: string): string | null {
  if (variant.archived || product.status !== 'active') return 'is not for sale'
  return whyNotForSale(variant, product, quantity, now)
}

export function whyNotInStock({ quantity_available: left }: Pick<SoldPrice, 'quantity_available'>, quantity: number) {
  if (left === null || left >= quantity) return null
  return left === 0 ? 'is sold out' : `has only ${left} left`
}
