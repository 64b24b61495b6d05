import { invalid, missingResource } from '../../../contract/declarations/errors.ts'
import type { Changes, CreateInput } from '../../../contract/declarations/noun.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { Existing } from '../../../records/existing.ts'
import { changeRow, deleteRow, findRows, insertRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { requireUnique } from '../../../records/unique.ts'
import { detachTag } from '../customer/tag-links.ts'
import { MAX_TAG_NAME, Tag, type TagRow } from './tag.ts'

export async function createTag(
  context: Context,
  input: CreateInput<typeof Tag>,
): Promise<TagRow | Existing<typeof Tag>> {
  const existing = await tagNamed(context, input.name)
  return existing ? new Existing<typeof Tag>(existing) : addTag(context, input)
}

/** Creates a tag. The caller makes sure that the name is free. */
async function addTag(context: Context, input: CreateInput<typeof Tag>): Promise<TagRow> {
  return context.emit(Tag, 'created', await insertRow(context, Tag, { ...input, name_key: nameKey(input.name) }))
}

/** Returns the key of a tag's name. Names are unique by this key, and tags are sorted by it. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

export async function tagNamed(context: Context, name: string): Promise<TagRow | undefined> {
  const raw = await rowsOf(context, 'tags').selectAll().where('name_key', '=', nameKey(name)).executeTakeFirst()
  return raw && decode(Tag, raw)
}

export async function updateTag(context: Context, tag: TagRow, changes: Changes<typeof Tag>): Promise<TagRow> {
  const key = changes.name === undefined ? {} : { name_key: nameKey(changes.name) }
  if (key.name_key !== undefined)
    await requireUnique(context, Tag, ['name_key', key.name_key], 'name', { except: tag.id })
  return context.emit(Tag, 'updated', await changeRow(context, Tag, tag, { ...changes, ...key }))
}

export async function deleteTag(context: Context, tag: TagRow): Promise<void> {
  await detachTag(context, tag.id)
  await deleteRow(context, Tag, tag, { name_key: tag.name_key })
  context.emit(Tag, 'deleted', tag)
}

/**
 * Returns the ids of tags, given by name or id. Unknown names are created, or ignored if `known` is true. Throws a 404 for an unknown
 * id, and a 422 for a name that is too long.
 */
export async function idsOfTags(context: Context, given: string[], { known = false } = {}): Promise<string[]> {
  requireTagNames(given)
  const byId = await findRows(context, Tag, given.filter(Tag.isId))
  const ids: string[] = []
  for (const [index, one] of given.entries()) {
    if (!Tag.isId(one)) ids.push(...(await idOfName(context, one, known)))
    else if (byId.has(one)) ids.push(one)
    else throw missingResource('tag', `tags.${index}`)
  }
  return [...new Set(ids)]
}

/** Throws a 422 that lists each name that is too long. */
export function requireTagNames(given: readonly string[]): void {
  const wrong = given.flatMap((one, index) => (!Tag.isId(one) && one.length > MAX_TAG_NAME ? [`tags.${index}`] : []))
  const problem = `is too long (maximum is ${MAX_TAG_NAME} characters)`
  if (wrong.length > 0) throw invalid(Object.fromEntries(wrong.map((place) => [place, [problem]])))
}

async function idOfName(context: Context, name: string, known: boolean): Promise<string[]> {
  const existing = await tagNamed(context, name)
  if (existing) return [existing.id]
  return known ? [] : [(await addTag(context, { name })).id]
}
