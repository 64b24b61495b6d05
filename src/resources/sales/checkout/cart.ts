import type { Row } from '../../../contract/noun.ts'
import type { Checkout } from './checkout.ts'
import type { Line } from './line.ts'

type Owned = Pick<Row<typeof Checkout>, 'link' | 'invoice' | 'subscription' | 'line_items'>

/** Whether the buyer put the cart together, by opening a link or a price, rather than the shop for its buyer. */
export function isBuyersCart({ link, invoice, subscription }: Owned): boolean {
  return link !== null && invoice === null && subscription === null
}

/** Whether the buyer names the price of a line: a custom one, unless the shop has named it. */
export function asksAmount(checkout: Owned, { price_variant, custom }: Line): boolean {
  if (custom === null || checkout.invoice !== null || checkout.subscription !== null) return false
  if (isBuyersCart(checkout)) return true
  return checkout.line_items.every((item) => item.price_variant !== price_variant || item.amount === undefined)
}
