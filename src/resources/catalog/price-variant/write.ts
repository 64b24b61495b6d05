import { sql } from 'kysely'
import { ApiError, invalid, missingParameter, requireValid } from '../../../contract/declarations/errors.ts'
import type { Changes, CreateInput } from '../../../contract/declarations/noun.ts'
import { compileForIds } from '../../../database/compile-once.ts'
import type { Context, InAccount } from '../../../records/context.ts'
import { closePosition, countOf, movePosition, openPosition, placeOf } from '../../../records/positions.ts'
import { changeRow, deleteRow, insertRow, requireIds, requireRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { currentAccount } from '../../company/account/current.ts'
import { Experience } from '../../content/experience/experience.ts'
import { withdrawFromLinks } from '../../sales/checkout-link/withdraw.ts'
import { withdrawFromDiscounts } from '../discount/write.ts'
import { Product } from '../product/product.ts'
import { PriceVariant, type PriceVariantRow } from './price-variant.ts'
import { missingIn, type Pricing, type PricingInput, settlePricing } from './pricing.ts'

/** Fields that cannot change once a price was sold, because buyers agreed to their values. */
const FROZEN_ONCE_SOLD = [
  'amount',
  'currency',
  'billing_type',
  'recurring_interval',
  'interval_count',
  'amount_type',
] as const

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
    position: await positionFor(context, product.id, input.position),
    experiences: await requireIds(context, Experience, input.experiences, 'experience_ids'),
  })
  return context.emit(PriceVariant, 'created', variant)
}

/** Returns the pricing of a new price. Throws a 422 for contradictions, and a 400 for missing fields. */
export function newPricing(given: PricingInput): Pricing {
  const pricing = settlePricing(given)
  const missing = missingIn(pricing)
  if (missing) throw missingParameter(missing)
  return pricing
}

/** Returns the position of a new price, by default the last, and moves the prices from that position on back by one. */
async function positionFor(context: Context, product: string, wanted: number | undefined): Promise<number> {
  const end = (await countOf(context, PriceVariant, { product })) + 1
  const position = Math.min(wanted ?? end, end)
  if (position < end) await openPosition(context, PriceVariant, { product }, position)
  return position
}

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
  return context.emit(PriceVariant, 'updated', await changeRow(context, PriceVariant, variant, values))
}

function refuseFrozen(variant: PriceVariantRow, values: Partial<PriceVariantRow>): void {
  const why = 'cannot change once the price has been sold; add another price and archive this one'
  const frozen = FROZEN_ONCE_SOLD.filter((name) => values[name] !== undefined && values[name] !== variant[name])
  requireValid(Object.fromEntries(frozen.map((name) => [name, [why]])))
}

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

/** A product or price that is about to be deleted, and all prices that this deletes. */
interface Deletion {
  thing: 'product' | 'price'
  id: string
  variants: readonly { id: string; sold_count: number }[]
  /** The alternative to deletion that the error message recommends. */
  instead: string
}

/** Throws a 400 if an order, open checkout or invoice contains one of the prices. A subscription always has an order. */
export async function requireUnused(context: Context, going: Deletion): Promise<void> {
  const use = await useOf(context, going)
  if (use !== null)
    throw new ApiError('resource_in_use', `This ${going.thing} ${use} and cannot be deleted; ${going.instead} instead.`)
}

async function useOf({ db, accountId }: Context, { id, variants }: Deletion): Promise<string | null> {
  const ids = variants.map((variant) => variant.id)
  if (variants.some(wasSold) || (await ordered(db, accountId, ids)).length > 0) return 'was ordered'
  if ((await billed(db, accountId, ids)).length > 0) return 'is on an invoice'
  return (await isInOpenCart({ db, accountId }, id)) ? 'is in an open checkout' : null
}

const ordered = compileForIds((db: Context['db'], accountId, variantIds) =>
  rowsOf({ db, accountId }, 'order_items').select('id').where('price_variant', 'in', variantIds).limit(sql.lit(1)),
)

const billed = compileForIds((db: Context['db'], accountId, variantIds) =>
  rowsOf({ db, accountId }, 'invoices').select('id').where('price_variant', 'in', variantIds).limit(sql.lit(1)),
)

/** Searches the JSON text for the quoted id, which JSON does not escape. The status is an SQL literal, so that the index is used. */
async function isInOpenCart(context: InAccount, id: string): Promise<boolean> {
  const open = rowsOf(context, 'checkouts').select('id').where('status', '=', sql.lit('open'))
  return (await open.where('lines', 'like', `%"${id}"%`).limit(1).executeTakeFirst()) !== undefined
}

function wasSold({ sold_count }: { sold_count: number }): boolean {
  return sold_count > 0
}
