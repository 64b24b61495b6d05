import type { Context } from '../../../records/context.ts'
import { findRows } from '../../../records/records.ts'
import { updateRowsOf } from '../../../records/rows-of.ts'
import { File, type FileRow } from '../file/file.ts'
import { isPicture } from '../file/uses.ts'
import type { ExperienceRow } from './experience.ts'

type Content = Record<string, unknown>
/** The URL of a file in JSON text, with its scheme and host if present. */
const ADDRESS = /(?:https?:\/\/[^"'\\\s<>]{0,300}?)?\/files\/(file_[0-9a-z]{26})\/[^"'\\\s<>]*/g

/** Returns the files that the content lists or links to, by id. */
export async function filesIn(context: Context, content: Content): Promise<Map<string, FileRow>> {
  const linked = [...JSON.stringify(content).matchAll(ADDRESS)].map(([, id]) => id!)
  return findRows(context, File, [...listedIn(content), ...linked])
}

/** Replaces the URLs of the account's files with those of `addressOf`. */
export async function withFileAddresses(
  context: Context,
  experience: ExperienceRow,
  addressOf: (id: string) => string,
): Promise<ExperienceRow> {
  const own = await filesIn(context, experience.content)
  const text = JSON.stringify(experience.content)
  const content = text.replace(ADDRESS, (address, id: string) => (own.has(id) ? addressOf(id) : address))
  return { ...experience, content: JSON.parse(content) }
}

/** Marks the files in an experience, except pictures that only appear in its texts. */
export async function holdFiles(context: Context, content: Content): Promise<void> {
  const listed = new Set(listedIn(content))
  const files = [...(await filesIn(context, content)).values()]
  const held = files.filter((file) => !file.in_experience && (listed.has(file.id) || !isPicture(file)))
  if (held.length === 0) return
  const ids = held.map(({ id }) => id)
  await updateRowsOf(context, 'files').set({ in_experience: 1 }).where('id', 'in', ids).execute()
}

function listedIn({ files }: Content): string[] {
  return Array.isArray(files) ? (files as string[]) : []
}
