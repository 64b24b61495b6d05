import type { Context } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import { Discount } from '../../catalog/discount/discount.ts'
import { processorOf } from '../payment/provider.ts'
import { isSoldAlready } from './cart.ts'
import type { CheckoutRow } from './checkout.ts'
import { price, pricedFields } from './price.ts'
import type { TaxPlace } from './tax/terms.ts'
import { movedTo } from './update.ts'

/** A change of the buyer's country, region or VAT id; absent parts stay as they are. */
export type GivenPlace = Partial<TaxPlace>

/** Returns an open checkout, priced for another country, region or VAT id, without storing it. Throws a 422 for an invalid one. */
export async function atPlace(context: Context, checkout: CheckoutRow, given: GivenPlace): Promise<CheckoutRow> {
  const moved = isSoldAlready(checkout) ? null : await movedTo(context, checkout, given)
  if (moved === null) return checkout
  const discount = checkout.discount === null ? null : ((await findRow(context, Discount, checkout.discount)) ?? null)
  const processor = await processorOf(context, checkout)
  return { ...checkout, ...pricedFields(price(checkout.lines, discount, moved.tax), processor), ...moved.place }
}
