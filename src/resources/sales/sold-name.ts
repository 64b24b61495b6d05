import { UNNAMED } from '../catalog/price-variant/price-variant.ts'

/** Returns a buyer's name for a price: the name of its product, and its own if it has one. */
export function soldName({
  product_name,
  price_variant_name,
}: {
  product_name: string
  price_variant_name: string
}): string {
  return price_variant_name === UNNAMED ? product_name : `${product_name}, ${price_variant_name}`
}
