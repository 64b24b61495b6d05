import type { CheckoutRow } from './checkout.ts'
import type { Line } from './line.ts'

type CartOrigin = Pick<CheckoutRow, 'link' | 'invoice' | 'subscription' | 'formation' | 'line_items'>

/** Whether an invoice, a subscription period or the fee for a company formation has fixed the contents of the checkout. */
export function isSoldAlready(cart: Pick<CartOrigin, 'invoice' | 'subscription' | 'formation'>): boolean {
  return cart.invoice !== null || cart.subscription !== null || cart.formation !== null
}

/** Whether the buyer, not the shop, opened the checkout: at a checkout link or at the URL of a price. */
export function isBuyersCart(checkout: CartOrigin): boolean {
  return checkout.link !== null && !isSoldAlready(checkout)
}

/** Whether the buyer chooses the amount of a line: the price is custom, and the shop has not set the amount. */
export function asksAmount(checkout: CartOrigin, { price_variant, custom }: Line): boolean {
  if (custom === null || isSoldAlready(checkout)) return false
  if (isBuyersCart(checkout)) return true
  return checkout.line_items.every((item) => item.price_variant !== price_variant || item.amount === undefined)
}
