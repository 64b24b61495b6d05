import { z } from 'zod'
import { structure, text } from '../../../contract/declarations/kinds.ts'
import { answerNoun, exampleId } from '../../../contract/declarations/noun.ts'

const FileUse = z.object({ resource: z.string(), id: z.string(), name: z.string().nullable(), keeps: z.boolean() })

export const FileUses = answerNoun('file_uses', {
  group: 'Files',
  area: 'content',
  description: 'Where a file is used.',
  fields: {
    file: text('Id of the file', { example: exampleId('file') }),
    uses: structure(
      'array',
      z.array(FileUse),
      'Up to 20 resources that use the file, among the newest 2,000 of each kind, and whether they prevent its deletion; the others lose it',
      [{ resource: 'blog_post', id: exampleId('post'), name: 'Ten things to know about Ruby', keeps: false }],
    ),
  },
})
