import type { CheckoutRow } from './checkout.ts'
import type { Line } from './line.ts'

type CartOrigin = Pick<CheckoutRow, 'link' | 'invoice' | 'subscription' | 'formation' | 'line_items'>

/** Whether a checkout pays for what was agreed elsewhere: an invoice, a subscription period or a formation. Its contents cannot change. */
export function isSoldAlready({
  invoice,
  subscription,
  formation,
}: Pick<CartOrigin, 'invoice' | 'subscription' | 'formation'>) {
  return invoice !== null || subscription !== null || formation !== null
}

/** Whether the buyer put the cart together by opening a link or a price, rather than the shop. */
export function isBuyersCart(checkout: CartOrigin): boolean {
  return checkout.link !== null && !isSoldAlready(checkout)
}

/** Whether the buyer chooses the amount of a line: for a custom price, unless the shop has set it. */
export function asksAmount(checkout: CartOrigin, { price_variant, custom }: Line): boolean {
  if (custom === null || isSoldAlready(checkout)) return false
  if (isBuyersCart(checkout)) return true
  return checkout.line_items.every((item) => item.price_variant !== price_variant || item.amount === undefined)
}
