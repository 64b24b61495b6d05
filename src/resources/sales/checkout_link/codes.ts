import type { Context } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import { isSoldAlready } from '../checkout/cart.ts'
import type { CheckoutRow } from '../checkout/checkout.ts'
import { CheckoutLink } from './checkout_link.ts'

type Opened = Pick<CheckoutRow, 'link' | 'invoice' | 'subscription' | 'formation'>

/** Whether the buyer of a checkout may enter a code: not for what is billed, nor where its link says no or is gone. */
export async function allowsDiscountCodes(context: Context, { link, ...billed }: Opened): Promise<boolean> {
  if (isSoldAlready(billed)) return false
  // A price has its address too, which is no link.
  if (link === null || !CheckoutLink.isId(link)) return true
  return (await findRow(context, CheckoutLink, link))?.allow_discount_codes ?? false
}
