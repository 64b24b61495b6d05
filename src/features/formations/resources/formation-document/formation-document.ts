import { integer, oneOf, reference, servedAddress, text } from '../../../../contract/declarations/kinds.ts'
import { exampleId, noun, type Row, readOnly } from '../../../../contract/declarations/noun.ts'

export const FormationDocument = noun('formation_document', {
  prefix: 'fdoc',
  group: 'FormationDocuments',
  area: 'company',
  description: 'A document of a formed company.',
  gist: '',
  immutable: true,
  fields: readOnly({
    formation: reference('formation', 'Formation it belongs to', 'fmtn_…').expandable(),
    document_type: oneOf(
      ['articles_of_organization', 'ein_letter', 'operating_agreement', 'other'],
      'Kind of document',
    ),
    name: text('File name', { max: 255, example: 'articles-of-organization.html' }),
    content_type: text('Media type', { max: 255, example: 'text/html; charset=utf-8' }),
    size: integer('Size of the file', { min: 0, unit: 'bytes', example: 2_048 }),
    download_url: servedAddress(
      'URL from which anyone can download it for an hour',
      `https://shop.example/documents/${exampleId('fdoc')}`,
    ).nullable('in lists; retrieve the document to get one'),
  }),
})

export type FormationDocumentRow = Row<typeof FormationDocument>
