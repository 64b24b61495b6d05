import type { Context } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import { Discount } from '../../catalog/discount/discount.ts'
import { processorOf } from '../payment/provider.ts'
import { isSoldAlready } from './cart.ts'
import type { CheckoutRow } from './checkout.ts'
import { price, pricedFields } from './price.ts'
import type { TaxPlace } from './tax/terms.ts'
import { movedTo } from './update.ts'

/** A change of the buyer's tax location; absent fields keep their values. */
export type GivenPlace = Partial<TaxPlace>

/** Returns an open checkout with the prices for another tax location; stores nothing. Throws a 422 for an invalid location. */
export async function atPlace(context: Context, checkout: CheckoutRow, given: GivenPlace): Promise<CheckoutRow> {
  const moved = isSoldAlready(checkout) ? null : await movedTo(context, checkout, given)
  if (moved === null) return checkout
  const discount = checkout.discount === null ? null : ((await findRow(context, Discount, checkout.discount)) ?? null)
  const processor = await processorOf(context, checkout)
  return { ...checkout, ...pricedFields(price(checkout.lines, discount, moved.tax), processor), ...moved.place }
}
