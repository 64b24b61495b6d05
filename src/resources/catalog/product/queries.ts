import { text } from '../../../contract/declarations/kinds.ts'
import { compileForIds } from '../../../database/compile-once.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { filter } from '../../../records/filters.ts'
import { memoizeEach } from '../../../records/memoize.ts'
import { findRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { idsFound } from '../../../records/search/by-words.ts'
import type { Part } from '../../content/part.ts'
import { PriceVariant, type PriceVariantRow } from '../price-variant/price-variant.ts'
import { Review, type ReviewRow } from '../review/review.ts'
import { Product, type ProductRow } from './product.ts'

/** Filters a list by the id or slug of a product. The list is empty if the product is unknown. */
export const ofProduct = filter(
  text('Id or slug of a product', { max: 200, example: 'ruby-handbook' }),
  async (query, value, context) => {
    const product = await findRow(context, Product, String(value))
    return query.where('product', '=', product?.id ?? '')
  },
)

const MOST_PRODUCTS = 20
const MOST_PRICES = 200

/** Returns the ids of at most MOST_PRODUCTS products whose name has words that begin with the typed `words`. */
export function productsFound(context: Context, words: string): Promise<string[]> {
  return idsFound(context, Product, words, MOST_PRODUCTS)
}

/** Returns the ids of at most MOST_PRICES prices of the products that `productsFound` finds. */
export async function pricesFound(context: Context, words: string): Promise<string[]> {
  const products = await productsFound(context, words)
  if (products.length === 0) return []
  const prices = rowsOf(context, 'price_variants').select('id').where('product', 'in', products)
  return (await prices.limit(MOST_PRICES).execute()).map(({ id }) => id)
}

export async function publishedProduct(context: Context, slug: string): Promise<ProductRow | undefined> {
  const product = await findRow(context, Product, slug)
  return product?.status === 'active' ? product : undefined
}

export async function publishedProducts(context: Context, { offset, limit }: Part): Promise<ProductRow[]> {
  const rows = await rowsOf(context, 'products')
    .selectAll()
    .where('status', '=', 'active')
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
  return rows.map((raw) => decode(Product, raw))
}

type ByProduct<Item> = Map<string, Item[]>

export async function shownVariantsByProduct(
  productIds: string[],
  context: Context,
): Promise<ByProduct<PriceVariantRow>> {
  const found = await memoizeEach(context, PRICES, productIds, async (ids) =>
    byProduct(await shownVariants(context.db, context.accountId, ids)),
  )
  const rows = productIds.flatMap((id) => found.get(id) ?? [])
  return byProduct(rows.map((raw) => decode(PriceVariant, { ...raw })))
}

const PRICES = { what: 'shown prices of', tables: ['price_variants'] as const }

/** Returns rows in the order of an index, so that the database need not sort them. */
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
  return byProduct(rows.map((raw) => decode(Review, raw)))
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
