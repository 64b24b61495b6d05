import { UNNAMED } from '../catalog/price-variant/price-variant.ts'

/** Returns the name that buyers see: the name of the product, and the name of the price if it has one. */
export function soldName({
  product_name,
  price_variant_name,
}: {
  product_name: string
  price_variant_name: string
}): string {
  return price_variant_name === UNNAMED ? product_name : `${product_name}, ${price_variant_name}`
}
