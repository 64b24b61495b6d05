import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { deleteRow } from '../../../records/records.ts'
import { takeDiscountOffLinks } from '../../sales/checkout_link/withdraw.ts'
import { Discount, type DiscountRow } from './discount.ts'

export async function deleteDiscount(context: Context, discount: DiscountRow): Promise<void> {
  if (discount.times_redeemed + discount.reserved_count > 0) {
    throw new ApiError(
      'resource_in_use',
      'This discount was redeemed and cannot be deleted; disable it with status: "inactive" instead.',
    )
  }
  await takeDiscountOffLinks(context, discount.id)
  await deleteRow(context, Discount, discount)
  context.emit(Discount, 'deleted', discount)
}
