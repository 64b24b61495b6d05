import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'

/** Returns the published legal pages in the order of `LEGAL_KINDS`. */
export function publishedLegalPages(context: Context): Promise<{ title: string; slug: string }[]> {
  return rowsOf(context, 'legal_pages').select(['title', 'slug']).where('published', '=', 1).orderBy('place').execute()
}
