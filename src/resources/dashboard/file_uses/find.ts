import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { File } from '../../content/file/file.ts'
import { type Use, usesOf } from '../../content/file/uses.ts'

/** Of each kind: more than anybody changes by hand. */
const MOST = 20

const RESOURCES: Record<Use['table'], string> = {
  products: 'product',
  experiences: 'experience',
  social_posts: 'social_post',
  blog_posts: 'blog_post',
  legal_pages: 'legal_page',
  accounts: 'account',
}

/** What has a file, or shows it by its address. */
export async function findUses(context: Context, given: string): Promise<object> {
  const { id: file } = await requireRow(context, File, given, 'file')
  const uses = await usesOf(context, file, MOST)
  return { file, uses: uses.map(({ table, ...use }) => ({ resource: RESOURCES[table], ...use })) }
}
