import { UNNAMED } from '../catalog/price_variant/price_variant.ts'

/** What a buyer calls a price: its product, and its own name where that says more. */
export function soldName({
  product_name,
  price_variant_name,
}: {
  product_name: string
  price_variant_name: string
}): string {
  return price_variant_name === UNNAMED ? product_name : `${product_name}, ${price_variant_name}`
}
