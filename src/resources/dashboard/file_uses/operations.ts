import { text } from '../../../contract/declarations/kinds.ts'
import { exampleId } from '../../../contract/declarations/noun.ts'
import { custom } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { FileUses } from './file_uses.ts'
import { findUses } from './find.ts'

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
