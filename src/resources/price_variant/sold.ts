/** Whether a buyer ever paid this price. Takes the row as stored: the count is not a declared field. */
export function wasSold(variant: object): boolean {
  return ((variant as { sold_count?: number }).sold_count ?? 0) > 0
}

export function requireNeverSold(variants: object[], refusal: () => Error): void {
  if (variants.some(wasSold)) throw refusal()
}
