import { missingParameter } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { countOf, openPosition } from '../../../records/positions.ts'
import { insertRow, requireIds, requireRow } from '../../../records/records.ts'
import { currentAccount } from '../../company/account/current.ts'
import { Experience } from '../../content/experience/experience.ts'
import { Product } from '../product/product.ts'
import { PriceVariant, type PriceVariantRow } from './price_variant.ts'
import { missingIn, type Pricing, type PricingInput, settlePricing } from './pricing.ts'

export async function createPriceVariant(
  context: Context,
  input: CreateInput<typeof PriceVariant>,
): Promise<PriceVariantRow> {
  const pricing = newPricing(input)
  const product = await requireRow(context, Product, input.product, 'product_id')
  const variant = await insertRow(context, PriceVariant, {
    ...input,
    ...pricing,
    product: product.id,
    currency: input.currency ?? (await currentAccount(context)).default_currency,
    archived: false,
    position: await place(context, product.id, input.position),
    experiences: await requireIds(context, Experience, input.experiences, 'experience_ids'),
  })
  context.emit(PriceVariant, 'created', variant)
  return variant
}

/** The pricing of a new price. Throws a 422 over contradictions, and a 400 over what is missing. */
export function newPricing(given: PricingInput): Pricing {
  const pricing = settlePricing(given)
  const missing = missingIn(pricing)
  if (missing) throw missingParameter(missing)
  return pricing
}

/** The last place unless one is given; the others move down. */
async function place(context: Context, product: string, wanted: number | undefined): Promise<number> {
  const end = (await countOf(context, PriceVariant, { product })) + 1
  const position = Math.min(wanted ?? end, end)
  if (position < end) await openPosition(context, PriceVariant, { product }, position)
  return position
}
