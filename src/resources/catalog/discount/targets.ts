import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, requireIds } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { Tables } from '../../tables.ts'
import { PriceVariant } from '../price-variant/price-variant.ts'
import { Product } from '../product/product.ts'
import { Discount, type DiscountRow } from './discount.ts'

interface DiscountTargets {
  applies_to_product_ids?: string[]
  price_variants?: string[]
}

/** Throws a 404 for an unknown product or price. */
export async function requireTargets(
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

/** Removes products and prices from all discounts. A discount left without targets is switched off: it would apply to everything. */
export async function withdrawFromDiscounts(context: Context, ids: string[]): Promise<void> {
  const gone = new Set(ids)
  const discounts = await discountsOn(context, ids)
  await context.remember(Discount, discounts)
  for (const discount of discounts) {
    const applies_to_product_ids = discount.applies_to_product_ids.filter((id) => !gone.has(id))
    const price_variants = discount.price_variants.filter((id) => !gone.has(id))
    const withoutTargets = applies_to_product_ids.length + price_variants.length === 0
    const changes = { applies_to_product_ids, price_variants, ...(withoutTargets && { switched: 'inactive' as const }) }
    const changed = await changeRow(context, Discount, discount, changes)
    context.emit(Discount, 'updated', changed)
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
