import { compileForIds } from '../../../database/compile-once.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { memoizeEach } from '../../../records/memoize.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { PriceVariant, type PriceVariantRow } from '../price-variant/price-variant.ts'
import { Review, type ReviewRow } from '../review/review.ts'

type ByProduct<Item> = Map<string, Item[]>

export async function shownVariantsByProduct(
  productIds: string[],
  context: Context,
): Promise<ByProduct<PriceVariantRow>> {
  const found = await memoizeEach(context, PRICES, productIds, async (ids) =>
    byProduct(await shownVariants(context.db, context.accountId, ids)),
  )
  const rows = productIds.flatMap((id) => found.get(id) ?? [])
  return byProduct(rows.map((raw) => decode<PriceVariantRow>(PriceVariant, { ...raw })))
}

const PRICES = { what: 'shown prices of', tables: ['price_variants'] as const }

/** Follows the order of an index, so that the database need not sort the rows. */
const shownVariants = compileForIds((db: Context['db'], accountId, productIds) =>
  rowsOf({ db, accountId }, 'price_variants')
    .selectAll()
    .where('product', 'in', productIds)
    .where('archived', '=', 0)
    .where('hidden', '=', 0)
    .orderBy('product')
    .orderBy('position'),
)

/** Limits the reviews in an expanded product; `GET /reviews?product=…` pages through all. */
const MAX_REVIEWS = 100

/** Returns the first reviews of each product by position, including unpublished ones. */
export async function reviewsByProduct(productIds: string[], context: Context): Promise<ByProduct<ReviewRow>> {
  const rows = await firstReviews(context.db, context.accountId, productIds)
  return byProduct(rows.map((raw) => decode<ReviewRow>(Review, raw)))
}

const firstReviews = compileForIds((db: Context['db'], accountId, productIds) =>
  rowsOf({ db, accountId }, 'reviews')
    .selectAll()
    .where('product', 'in', productIds)
    .where('position', '<=', MAX_REVIEWS)
    .orderBy('product')
    .orderBy('position'),
)

function byProduct<Item extends { product: string }>(items: Item[]): ByProduct<Item> {
  return Map.groupBy(items, (item) => item.product)
}
