import type { PriceDraft } from './drafts.ts'

export const MAX_NAME = 100

type OneTimePrice = Omit<PriceDraft, 'sourceId' | 'aliases' | 'name' | 'quantity_available'>

/** Returns a one-time price, which is free if the amount is 0. */
export function fixedPrice(amount: number, currency: string, before: number | null = null): OneTimePrice {
  const discounted_from_amount = before !== null && before > amount && amount > 0 ? before : null
  const pricing = amount === 0 ? { amount, amount_type: 'free' as const } : { amount, discounted_from_amount }
  return {
    ...{ currency, pricing, createdAt: null, revoke_after_days: null },
    ...{ waitlist: false, hidden: false, archived: false, benefits: [] },
  }
}

/** Returns the keys by which order lines may refer to a price: the SKU first, if there is one, then the name. */
export function priceKeys({
  sku,
  product,
  variant,
}: {
  sku: string | null
  product: string
  variant: string
}): string[] {
  const name = variant === '' ? product : `${product} - ${variant}`
  return [...(sku === null ? [] : [skuKey(sku)]), nameKey(name)]
}

export function skuKey(sku: string): string {
  return `sku:${sku}`
}

export function nameKey(name: string): string {
  return `name:${name.toLowerCase()}`
}
