import { text } from '../../../contract/declarations/kinds.ts'
import { type AnswerOf, exampleId } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { custom } from '../../../records/custom.ts'
import { requireRow } from '../../../records/records.ts'
import { resource } from '../../../records/resource.ts'
import { File } from '../../content/file/file.ts'
import { usesOf } from '../../content/file/uses.ts'
import { FileUses } from './file-uses.ts'

/** The maximum number of uses shown per resource type. Nobody would edit more of them by hand. */
const MOST_USES = 20

export const fileUses = resource(FileUses, {
  dashboard: [
    custom({
      id: 'retrieve_file_uses',
      method: 'GET',
      path: '/file_uses',
      summary: 'Show where a file is used',
      answers: FileUses,
      query: { file: text('Id of the file', { max: 200, example: exampleId('file') }).required() },
      rule: (context, { query }) => findUses(context, query.file),
    }),
  ],
})

async function findUses(context: Context, given: string): Promise<AnswerOf<typeof FileUses>> {
  const { id: file } = await requireRow(context, File, given, 'file')
  return { file, uses: await usesOf(context, file, MOST_USES) }
}
