import { equals } from '../../../../records/filters.ts'
import { operation } from '../../../../records/operation.ts'
import { resource } from '../../../../records/resource.ts'
import type { Retrieve } from '../../../../records/verb-types.ts'
import { verbs } from '../../../../records/verbs.ts'
import { downloadUrl } from './contents.ts'
import { FormationDocument } from './formation-document.ts'

const { list } = verbs(FormationDocument)

/** Unlike lists, this operation returns a download URL. */
const retrieve: Retrieve<typeof FormationDocument, object> = operation(
  FormationDocument,
  'retrieve',
  'GET',
  '/formation_documents/{id}',
  {
    summary: 'Show one document with a download link',
    description: 'Each call returns a new download_url, which works for an hour without a token.',
  },
  {
    async apply(context, { target }) {
      const { id } = target as { id: string }
      return { kind: 'one', row: { ...(target as object), download_url: downloadUrl(context, id) } }
    },
  },
)

export const formationDocuments = resource(FormationDocument, {
  operations: [
    list({
      summary: 'List documents of formations',
      filters: {
        formation: equals(FormationDocument, 'formation', 'Only documents of this formation'),
        document_type: equals(FormationDocument, 'document_type', 'Only documents of this kind'),
      },
    }),
    retrieve,
  ],
})
