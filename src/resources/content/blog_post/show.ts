import type { Row } from '../../../contract/declarations/noun.ts'
import { cut } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { findRows } from '../../../records/records.ts'
import type { Derived } from '../../../records/resource.ts'
import { plainText } from '../../../words/plain-text.ts'
import { BlogCategory } from '../blog_category/blog_category.ts'
import { storefrontUrl } from '../storefront_url.ts'
import { postUrl } from './address.ts'
import type { BlogPost } from './blog_post.ts'

/** Characters of an excerpt that nobody wrote. */
export const EXCERPT_LENGTH = 200

export async function deriveBlogPosts(rows: Row<typeof BlogPost>[], context: Context): Promise<Derived[]> {
  const categories = await findRows(
    context,
    BlogCategory,
    rows.flatMap((row) => row.category ?? []),
  )
  const storefront = await storefrontUrl(context)
  return rows.map((row) => ({
    url: postUrl(storefront, row),
    category: row.category === null ? null : (categories.get(row.category)?.slug ?? null),
    excerpt: excerptOf(row),
  }))
}

/** The summary of a post, written or taken from its beginning. */
export function excerptOf({ excerpt, content }: Pick<Row<typeof BlogPost>, 'excerpt' | 'content'>): string {
  return excerpt ?? cut(plainText(content), EXCERPT_LENGTH)
}
