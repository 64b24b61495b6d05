import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'

/** The legal pages that visitors can read, in their order. */
export function publishedLegalPages(context: Context): Promise<{ title: string; slug: string }[]> {
  return rowsOf(context, 'legal_pages').select(['title', 'slug']).where('published', '=', 1).orderBy('place').execute()
}
