import { sql } from 'kysely'
import { ApiError } from '../../../contract/errors.ts'
import type { Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import { containing } from '../../../records/page.ts'
import { deleteRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { File } from './file.ts'
import { discardBytes } from './remove_bytes.ts'

type FileRow = Row<typeof File>

const ALWAYS = sql<boolean>`1 = 1`
/** Social posts that are yet to go out, or are on their way. */
const PLANNED = sql<boolean>`status in ('scheduled', 'publishing')`

/** Where files are used: tables with a column that holds ids of files somewhere in JSON. */
const USES = [
  { table: 'products', column: 'media', words: 'the gallery of product', when: ALWAYS },
  { table: 'experiences', column: 'content', words: 'experience', when: ALWAYS },
  { table: 'social_posts', column: 'media', words: 'the planned social post', when: PLANNED },
  { table: 'social_posts', column: 'overrides', words: 'the planned social post', when: PLANNED },
] as const

/** Deletes a file that nothing uses; its bytes are removed after the commit. */
export async function deleteFile(context: Context, file: FileRow): Promise<void> {
  await requireUnused(context, file.id)
  if (file.expire_job !== null) await context.cancel(file.expire_job)
  await deleteRow(context, File, file)
  await discardBytes(context, file)
  context.emit(File, 'deleted', file)
}

async function requireUnused(context: Context, id: string): Promise<void> {
  for (const { table, column, words, when } of USES) {
    const user = await rowsOf(context, table)
      .select('id')
      .where(when)
      .where(containing(column, `"${id}"`))
      .limit(1)
      .executeTakeFirst()
    if (user) throw new ApiError('resource_in_use', `The file is in ${words} ${user.id}. Take it out there first.`)
  }
}
