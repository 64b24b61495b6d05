import type { Context } from '../../../records/context.ts'
import { findRows } from '../../../records/records.ts'
import { updateRowsOf } from '../../../records/rows-of.ts'
import { File, type FileRow } from '../file/file.ts'
import { isPicture } from '../file/uses.ts'
import type { ExperienceRow } from './experience.ts'

type Content = Record<string, unknown>
/** The address of a file within JSON; the site before it is part of the address, whichever it is. */
const ADDRESS = /(?:https?:\/\/[^"'\\\s<>]{0,300}?)?\/files\/(file_[0-9a-z]{26})\/[^"'\\\s<>]*/g

/** The files that an experience lists or has the addresses of, by their ids. */
export async function filesIn(context: Context, content: Content): Promise<Map<string, FileRow>> {
  const linked = [...JSON.stringify(content).matchAll(ADDRESS)].map(([, id]) => id!)
  return findRows(context, File, [...listedIn(content), ...linked])
}

/** An experience whose texts have other addresses of the account's files, as `addressOf` gives them by the file's id. */
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

/** Remembers that an experience holds these files. Pictures in its texts are as pictures in any other text. */
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
