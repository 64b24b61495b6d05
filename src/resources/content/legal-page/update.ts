import type { Changes } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { LegalPage, type LegalPageRow } from './legal-page.ts'

export async function updateLegalPage(
  context: Context,
  page: LegalPageRow,
  changes: Changes<typeof LegalPage>,
): Promise<LegalPageRow> {
  const changed = await changeRow(context, LegalPage, page, changes)
  context.emit(LegalPage, 'updated', changed)
  return changed
}
