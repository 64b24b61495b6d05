import { type FieldErrors, invalid } from '../../../contract/declarations/errors.ts'
import type { Changes } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { movePosition } from '../../../records/positions.ts'
import { changeRow, requireIds } from '../../../records/records.ts'
import { Experience } from '../../content/experience/experience.ts'
import { wasSold } from './in_use.ts'
import { PriceVariant, type PriceVariantRow } from './price_variant.ts'
import { missingIn, settlePricing } from './pricing.ts'

/** Fields that cannot change once a price was sold: buyers agreed to them. */
const FROZEN_ONCE_SOLD = [
  'amount',
  'currency',
  'billing_type',
  'recurring_interval',
  'interval_count',
  'amount_type',
] as const

export async function updatePriceVariant(
  context: Context,
  variant: PriceVariantRow,
  changes: Changes<typeof PriceVariant>,
): Promise<PriceVariantRow> {
  const pricing = settlePricing(changes, variant)
  const missing = missingIn(pricing)
  if (missing) throw invalid({ [missing]: ["can't be blank"] })
  const values: Partial<PriceVariantRow> = { ...changes, ...pricing }
  if (wasSold(variant)) refuseFrozen(variant, values)
  if (changes.experiences)
    values.experiences = await requireIds(context, Experience, changes.experiences, 'experience_ids')
  if (changes.position !== undefined) {
    values.position = await movePosition(
      context,
      PriceVariant,
      { product: variant.product },
      variant.position,
      changes.position,
    )
  }
  const changed = await changeRow(context, PriceVariant, variant, values)
  context.emit(PriceVariant, 'updated', changed)
  return changed
}

function refuseFrozen(variant: PriceVariantRow, values: Partial<PriceVariantRow>): void {
  const errors: FieldErrors = {}
  for (const name of FROZEN_ONCE_SOLD) {
    if (values[name] !== undefined && values[name] !== variant[name])
      errors[name] = ['cannot change once the price has been sold; add another price and archive this one']
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}
