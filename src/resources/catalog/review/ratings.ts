import { sql } from 'kysely'
import type { Context } from '../../../records/context.ts'
import { rowsOf, updateRowsOf } from '../../../records/rows-of.ts'

/** Recomputes the number and the sum of a product's published ratings. */
export async function recountReviews(context: Context, productId: string): Promise<void> {
  const { count, total } = await rowsOf(context, 'reviews')
    .where('product', '=', productId)
    .where('published', '=', 1)
    .select([sql<number>`count(*)`.as('count'), sql<number>`coalesce(sum(rating), 0)`.as('total')])
    .executeTakeFirstOrThrow()
  const product = updateRowsOf(context, 'products').where('id', '=', productId)
  await product.set({ reviews_count: count, ratings_total: total }).execute()
}

/** `averageRating` in SQL. It uses integer division, because both databases round that alike. */
export const AVERAGE_RATING = sql`cast(
  (cast(ratings_total as bigint) * 20 + reviews_count) / nullif(reviews_count * 2, 0) as double precision
) / 10`

/** Returns the average with one decimal, rounded half up; null without reviews. */
export function averageRating(total: number, count: number): number | null {
  return count === 0 ? null : Math.round((total * 10) / count) / 10
}
