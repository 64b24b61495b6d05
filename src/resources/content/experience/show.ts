import { sql } from 'kysely'
import { containing } from '../../../records/containing.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { ExperienceRow } from './experience.ts'

/** The products whose prices include each experience. */
export async function deriveExperiences(rows: ExperienceRow[], context: Context): Promise<{ products: string[] }[]> {
  const ids = rows.map(({ id }) => id)
  const prices = await rowsOf(context, 'price_variants')
    .select(['product', 'experiences'])
    // As the index says it, so that prices without experiences are not looked at.
    .where(sql<boolean>`experiences <> '[]'`)
    .where(({ or }) => or(ids.map((id) => containing('experiences', `"${id}"`))))
    .orderBy('product')
    .execute()
  return ids.map((id) => {
    const including = prices.filter(({ experiences }) => experiences.includes(`"${id}"`))
    return { products: [...new Set(including.map(({ product }) => product))] }
  })
}
