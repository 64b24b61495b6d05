import { text } from '../../../contract/declarations/kinds.ts'
import type { InputOf } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { File, type FileRow } from './file.ts'

export const DESCRIBED = {
  alternative_text: text('What the picture shows', {
    max: 1000,
    example: 'A kestrel printed in two shades of green',
  }).nullable('none'),
}

/** Emits no event, because files have none for updates. */
export function describeFile(
  context: Context,
  file: FileRow,
  { alternative_text: words }: InputOf<typeof DESCRIBED>,
): Promise<FileRow> {
  return changeRow(context, File, file, { alternative_text: words?.trim() || null })
}
