import type { Row } from '../../contract/noun.ts'
import { decode } from '../../records/columns.ts'
import type { Context } from '../../records/context.ts'
import { PriceVariant } from '../price_variant.ts'
import { Review } from '../review.ts'

type ByProduct<Item> = Map<string, Item[]>

/** The prices that buyers see of each product, by position. */
export async function shownVariantsByProduct(
  productIds: string[],
  context: Context,
): Promise<ByProduct<Row<typeof PriceVariant>>> {
  const variants = context.db.selectFrom('price_variants').selectAll().where('account_id', '=', context.accountId)
  const shown = variants.where('product', 'in', productIds).where('archived', '=', 0).where('hidden', '=', 0)
  const rows = await shown.orderBy('position').orderBy('id').execute()
  return byProduct(rows.map((raw) => decode<Row<typeof PriceVariant>>(PriceVariant, raw)))
}

export async function reviewsByProduct(productIds: string[], context: Context): Promise<ByProduct<Row<typeof Review>>> {
  const reviews = context.db.selectFrom('reviews').selectAll().where('account_id', '=', context.accountId)
  const rows = await reviews
    .where('product', 'in', productIds)
    .orderBy('position')
    .orderBy('id')
    .limit(MAX_REVIEWS)
    .execute()
  return byProduct(rows.map((raw) => decode<Row<typeof Review>>(Review, raw)))
}

/** What an expansion shows at the most; `GET /reviews?product=…` pages through all. */
const MAX_REVIEWS = 1000

function byProduct<Item extends { product: string }>(items: Item[]): ByProduct<Item> {
  return Map.groupBy(items, (item) => item.product)
}
