import type { Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import { CheckoutLink } from '../checkout_link/checkout_link.ts'
import type { Checkout } from './checkout.ts'
import type { Line } from './line.ts'

type Owned = Pick<Row<typeof Checkout>, 'link' | 'invoice' | 'subscription' | 'line_items'>

/** Whether the buyer put the cart together, by opening a link, rather than the shop for its buyer. */
export function isBuyersCart({ link, invoice, subscription }: Owned): boolean {
  return link !== null && invoice === null && subscription === null
}

/** Whether the buyer names the price of a line: a custom one, unless the shop has named it. */
export function asksAmount(checkout: Owned, { price_variant, custom }: Line): boolean {
  if (custom === null || checkout.invoice !== null || checkout.subscription !== null) return false
  if (isBuyersCart(checkout)) return true
  return checkout.line_items.every((item) => item.price_variant !== price_variant || item.amount === undefined)
}

/** Whether the buyer may enter a code: not for what is billed, nor where the link says no. */
export async function takesCodes(context: Context, { link, invoice, subscription }: Owned): Promise<boolean> {
  if (invoice !== null || subscription !== null) return false
  if (link === null || !CheckoutLink.isId(link)) return true
  return (await findRow(context, CheckoutLink, link))?.allow_discount_codes ?? false
}
