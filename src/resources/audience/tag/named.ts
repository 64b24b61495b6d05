import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Tag, type TagRow } from './tag.ts'

/** What makes a name unique and what tags are sorted by. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/** The tag of a name, ignoring case. */
export async function tagNamed(context: Context, name: string): Promise<TagRow | undefined> {
  const raw = await rowsOf(context, 'tags').selectAll().where('name_key', '=', nameKey(name)).executeTakeFirst()
  return raw && decode<TagRow>(Tag, raw)
}
