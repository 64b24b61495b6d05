import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import { ApiError, invalid, missingParameter, requireValid } from '../../../contract/declarations/errors.ts'
import type { Changes, CreateInput } from '../../../contract/declarations/noun.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, deleteRow, requireIds } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { insertUnique } from '../../../records/unique.ts'
import { takeDiscountOffLinks } from '../../sales/checkout-link/withdraw.ts'
import type { Tables } from '../../tables.ts'
import { PriceVariant } from '../price-variant/price-variant.ts'
import { Product } from '../product/product.ts'
import { Discount, type DiscountRow } from './discount.ts'
import { codeKey, missingIn, requireFreeCode, settleTerms, type Terms } from './terms.ts'

/** Fields that cannot change once a code was redeemed, because buyers were promised their values. */
const FROZEN_ONCE_REDEEMED = ['discount_type', 'percent_off', 'amount_off', 'currency'] as const

export async function createDiscount(context: Context, input: CreateInput<typeof Discount>): Promise<DiscountRow> {
  const terms = newTerms(context, input)
  const targets = await requireTargets(context, input)
  const values = { ...input, ...terms, ...targets, code_key: codeKey(input.code) }
  return context.emit(Discount, 'created', await insertUnique(context, Discount, values, 'code_key', 'code'))
}

/** Returns the terms of a new discount. Throws a 422 for terms that contradict each other, and a 400 for a missing one. */
export function newTerms({ now }: Context, given: Partial<CreateInput<typeof Discount>>): Terms {
  const terms = settleTerms(given, null, now)
  const missing = missingIn(terms)
  if (missing) throw missingParameter(missing)
  return terms
}

export async function updateDiscount(
  context: Context,
  discount: DiscountRow,
  changes: Changes<typeof Discount>,
): Promise<DiscountRow> {
  const terms = settleTerms(changes, discount, context.now)
  const missing = missingIn(terms)
  if (missing) throw invalid({ [missing]: ["can't be blank"] })
  if (discount.times_redeemed + discount.reserved_count > 0) refuseFrozen(discount, terms)
  if (changes.code !== undefined) await requireFreeCode(context, changes.code, discount.id)
  const key = changes.code === undefined ? {} : { code_key: codeKey(changes.code) }
  const targets = await requireTargets(context, changes)
  const changed = await changeRow(context, Discount, discount, { ...changes, ...terms, ...targets, ...key })
  return context.emit(Discount, 'updated', changed)
}

function refuseFrozen(discount: DiscountRow, terms: Terms): void {
  const why = 'cannot change once the code has been redeemed; create another code and disable this one'
  const frozen = FROZEN_ONCE_REDEEMED.filter((name) => terms[name] !== discount[name])
  requireValid(Object.fromEntries(frozen.map((name) => [name, [why]])))
}

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

interface DiscountTargets {
  applies_to_product_ids?: string[]
  price_variants?: string[]
}

/** Returns the ids of the products and prices that a discount applies to. Throws a 404 for an unknown one. */
async function requireTargets(
  context: Context,
  { applies_to_product_ids, price_variants }: DiscountTargets,
): Promise<DiscountTargets> {
  return {
    ...(applies_to_product_ids && {
      applies_to_product_ids: await requireIds(context, Product, applies_to_product_ids, 'applies_to_product_ids'),
    }),
    ...(price_variants && {
      price_variants: await requireIds(context, PriceVariant, price_variants, 'price_variants'),
    }),
  }
}

/** Removes products and prices from discounts. A discount without any left would apply to everything, so it is switched off. */
export async function withdrawFromDiscounts(context: Context, ids: string[]): Promise<void> {
  const gone = new Set(ids)
  const discounts = await discountsOn(context, ids)
  await context.remember(Discount, discounts)
  for (const discount of discounts) {
    const applies_to_product_ids = discount.applies_to_product_ids.filter((id) => !gone.has(id))
    const price_variants = discount.price_variants.filter((id) => !gone.has(id))
    const withoutTargets = applies_to_product_ids.length + price_variants.length === 0
    const changes = { applies_to_product_ids, price_variants, ...(withoutTargets && { switched: 'inactive' as const }) }
    context.emit(Discount, 'updated', await changeRow(context, Discount, discount, changes))
  }
}

/** SQLite limits the nesting of conditions to 1,000, and each target adds two conditions. */
const TARGETS_PER_QUERY = 200

async function discountsOn(context: Context, ids: string[]): Promise<DiscountRow[]> {
  const found = new Map<string, DiscountRow>()
  for (let start = 0; start < ids.length; start += TARGETS_PER_QUERY) {
    const named = rowsOf(context, 'discounts')
      .selectAll()
      .where((eb) => eb.or(ids.slice(start, start + TARGETS_PER_QUERY).flatMap((id) => naming(eb, id))))
    for (const raw of await named.execute()) found.set(raw.id, decode(Discount, raw))
  }
  return [...found.values()]
}

/** Searches the JSON text for the quoted id. This works because ids contain no character that JSON escapes. */
function naming(eb: ExpressionBuilder<Tables, 'discounts'>, id: string) {
  return [eb('applies_to_product_ids', 'like', `%"${id}"%`), eb('price_variants', 'like', `%"${id}"%`)]
}

/** Returns SQL for discounts that name a product or one of its prices. Discounts that apply to everything do not match. */
export function onProduct({ accountId }: Context, id: string): RawBuilder<boolean> {
  return sql<boolean>`(applies_to_product_ids like ${`%"${id}"%`} or exists (
    select 1 from price_variants as price where price.account_id = ${accountId} and price.product = ${id}
    and discounts.price_variants like '%"' || price.id || '"%'))`
}
