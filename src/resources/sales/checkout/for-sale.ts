import type { PriceVariantRow } from '../../catalog/price-variant/price-variant.ts'
import type { ProductRow } from '../../catalog/product/product.ts'

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
