import { ApiError } from '../../../contract/errors.ts'
import type { Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import { closePosition, placeOf } from '../../../records/positions.ts'
import { deleteRow } from '../../../records/records.ts'
import { withdrawFromDiscounts } from '../discount/targets.ts'
import { PriceVariant } from './price_variant.ts'
import { requireNeverSold } from './sold.ts'

export async function deletePriceVariant(context: Context, variant: Row<typeof PriceVariant>): Promise<void> {
  requireNeverSold([variant], soldPrice)
  await withdrawFromDiscounts(context, [variant.id])
  const siblings = { product: variant.product }
  await deleteRow(context, PriceVariant, variant, await placeOf(context, PriceVariant, siblings, variant.position))
  await closePosition(context, PriceVariant, siblings, variant.position)
  context.emit(PriceVariant, 'deleted', variant)
}

function soldPrice(): ApiError {
  return new ApiError(
    'resource_in_use',
    'This price was sold and cannot be deleted; archive it with archived: true instead.',
  )
}
