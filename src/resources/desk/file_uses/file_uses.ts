import { z } from 'zod'
import { structure, text } from '../../../contract/kinds.ts'
import { answerNoun, exampleId } from '../../../contract/noun.ts'

const FileUse = z.object({ resource: z.string(), id: z.string(), name: z.string().nullable(), keeps: z.boolean() })

export const FileUses = answerNoun('file_uses', {
  group: 'Files',
  description: 'Where a file is used.',
  fields: {
    file: text('Id of the file', { example: exampleId('file') }),
    uses: structure(
      'array',
      z.array(FileUse),
      'What has the file, at most 20 of each kind, and whether that keeps it from being deleted; others lose it then',
      [{ resource: 'blog_post', id: exampleId('post'), name: 'Ten things to know about Ruby', keeps: false }],
    ),
  },
})
