import type { Changes } from '../../../contract/declarations/noun.ts'
import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { equals } from '../../../records/filters.ts'
import { changeRow } from '../../../records/records.ts'
import { type Derived, resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { storefrontUrl } from '../domain-names.ts'
import { LegalPage, type LegalPageRow } from './legal-page.ts'

const { list, retrieve, update } = verbs(LegalPage)

export const legalPages = resource(LegalPage, {
  derive: deriveLegalPages,
  operations: [
    list({
      summary: 'List legal pages',
      description: 'Every account starts with one of each kind, unpublished and without text.',
      order: { key: 'place', direction: 'asc' },
      filters: { kind: equals(LegalPage, 'kind', 'Only the page of this kind') },
    }),
    retrieve({ summary: 'Show one legal page' }),
    update({
      summary: 'Change a legal page',
      description: 'Write its text and publish it: terms of service, privacy policy or refund policy.',
      rule: updateLegalPage,
    }),
  ],
})

async function updateLegalPage(
  context: Context,
  page: LegalPageRow,
  changes: Changes<typeof LegalPage>,
): Promise<LegalPageRow> {
  return context.emit(LegalPage, 'updated', await changeRow(context, LegalPage, page, changes))
}

async function deriveLegalPages(rows: LegalPageRow[], context: Context): Promise<Derived[]> {
  const storefront = await storefrontUrl(context)
  return rows.map(({ slug }) => ({ url: inOnePiece(storefront, '/legal/', slug) }))
}
