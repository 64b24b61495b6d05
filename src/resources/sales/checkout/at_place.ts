import type { Context } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import { Discount } from '../../catalog/discount/discount.ts'
import { processorOf } from '../payment/provider.ts'
import { isSoldAlready } from './cart.ts'
import type { CheckoutRow } from './checkout.ts'
import { price, pricedFields } from './price.ts'
import type { TaxPlace } from './tax/terms.ts'
import { movedTo } from './update.ts'

/** What a buyer says of where they are taxed; what is absent stays as it is. */
export type GivenPlace = Partial<TaxPlace>

/** An open checkout as it would be where its buyer says to be taxed. Nothing is written. Throws a 422 over a place that cannot be. */
export async function atPlace(context: Context, checkout: CheckoutRow, given: GivenPlace): Promise<CheckoutRow> {
  const moved = isSoldAlready(checkout) ? null : await movedTo(context, checkout, given)
  if (moved === null) return checkout
  const discount = checkout.discount === null ? null : ((await findRow(context, Discount, checkout.discount)) ?? null)
  const processor = await processorOf(context, checkout)
  return { ...checkout, ...pricedFields(price(checkout.lines, discount, moved.tax), processor), ...moved.place }
}
