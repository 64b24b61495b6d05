import type { Context } from '../../../records/context.ts'
import { closePosition, placeOf } from '../../../records/positions.ts'
import { deleteRow } from '../../../records/records.ts'
import { withdrawFromLinks } from '../../sales/checkout_link/withdraw.ts'
import { withdrawFromDiscounts } from '../discount/targets.ts'
import { requireUnused } from './in_use.ts'
import { PriceVariant, type PriceVariantRow } from './price_variant.ts'

export async function deletePriceVariant(context: Context, variant: PriceVariantRow): Promise<void> {
  const instead = 'archive it with archived: true'
  await requireUnused(context, { thing: 'price', id: variant.id, variants: [variant], instead })
  await withdrawFromDiscounts(context, [variant.id])
  await withdrawFromLinks(context, [variant.id])
  const siblings = { product: variant.product }
  await deleteRow(context, PriceVariant, variant, await placeOf(context, PriceVariant, siblings, variant.position))
  await closePosition(context, PriceVariant, siblings, variant.position)
  context.emit(PriceVariant, 'deleted', variant)
}
