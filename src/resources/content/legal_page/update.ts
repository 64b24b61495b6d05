import type { Changes, Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { LegalPage } from './legal_page.ts'

export async function updateLegalPage(
  context: Context,
  page: Row<typeof LegalPage>,
  changes: Changes<typeof LegalPage>,
): Promise<Row<typeof LegalPage>> {
  const changed = await changeRow(context, LegalPage, page, changes)
  context.emit(LegalPage, 'updated', changed)
  return changed
}
