import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'

export function publishedLegalPages(context: Context): Promise<{ title: string; slug: string }[]> {
  return rowsOf(context, 'legal_pages').select(['title', 'slug']).where('published', '=', 1).orderBy('place').execute()
}
