import { cut, inOnePiece } from '../../../contract/values/values.ts'
import { plainText } from '../../../format/plain-text.ts'
import type { Context } from '../../../records/context.ts'
import { findNamed } from '../../../records/records.ts'
import type { Derived } from '../../../records/resource.ts'
import { BlogCategory } from '../blog-category/blog-category.ts'
import { storefrontUrl } from '../domain-names.ts'
import type { BlogPostRow } from './blog-post.ts'

export const EXCERPT_LENGTH = 200

export async function deriveBlogPosts(rows: BlogPostRow[], context: Context): Promise<Derived[]> {
  const categories = await findNamed(context, BlogCategory, 'category', rows)
  const storefront = await storefrontUrl(context)
  return rows.map((row) => ({
    url: postUrl(storefront, row),
    category: row.category === null ? null : (categories.get(row.category)?.slug ?? null),
    excerpt: excerptOf(row),
  }))
}

export function excerptOf({ excerpt, content }: Pick<BlogPostRow, 'excerpt' | 'content'>): string {
  return excerpt ?? cut(plainText(content), EXCERPT_LENGTH)
}

/** Returns the URL of a post. `storefront` is the shop's URL without a trailing slash. */
export function postUrl(storefront: string, { slug }: { slug: string }): string {
  return inOnePiece(storefront, '/blog/', slug)
}
