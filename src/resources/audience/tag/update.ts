import type { Changes } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { requireUnique } from '../../../records/unique.ts'
import { nameKey } from './create.ts'
import { Tag, type TagRow } from './tag.ts'

export async function updateTag(context: Context, tag: TagRow, changes: Changes<typeof Tag>): Promise<TagRow> {
  const key = changes.name === undefined ? {} : { name_key: nameKey(changes.name) }
  if (key.name_key !== undefined)
    await requireUnique(context, Tag, ['name_key', key.name_key], 'name', { except: tag.id })
  const changed = await changeRow(context, Tag, tag, { ...changes, ...key })
  context.emit(Tag, 'updated', changed)
  return changed
}
