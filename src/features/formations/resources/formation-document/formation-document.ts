import { integer, oneOf, reference, servedAddress, text } from '../../../../contract/declarations/kinds.ts'
import { exampleId, noun, type Row } from '../../../../contract/declarations/noun.ts'

export const FormationDocument = noun('formation_document', {
  prefix: 'fdoc',
  group: 'FormationDocuments',
  area: 'company',
  description: 'A document of a formed company.',
  gist: '',
  immutable: true,
  fields: {
    formation: reference('formation', 'Formation it belongs to', 'fmtn_…').readOnly().expandable(),
    document_type: oneOf(
      ['articles_of_organization', 'ein_letter', 'operating_agreement', 'other'],
      'Kind of document',
    ).readOnly(),
    name: text('File name', { max: 255, example: 'articles-of-organization.html' }).readOnly(),
    content_type: text('Media type', { max: 255, example: 'text/html; charset=utf-8' }).readOnly(),
    size: integer('Size of the file', { min: 0, unit: 'bytes', example: 2_048 }).readOnly(),
    download_url: servedAddress(
      'URL from which anyone can download it for an hour',
      `https://shop.example/documents/${exampleId('fdoc')}`,
    ).nullable('in lists; retrieve the document to get one'),
  },
})

export type FormationDocumentRow = Row<typeof FormationDocument>
