import type { Context } from '../../../records/context.ts'
import { deleteRow } from '../../../records/records.ts'
import { detachTag } from '../customer/tag_links.ts'
import { Tag, type TagRow } from './tag.ts'

export async function deleteTag(context: Context, tag: TagRow): Promise<void> {
  await detachTag(context, tag.id)
  await deleteRow(context, Tag, tag, { name_key: tag.name_key })
  context.emit(Tag, 'deleted', tag)
}
