import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
import { Formation } from './formation.ts'

/** Books that the checkout of a formation is paid. */
export async function markFormationPaid(context: Context, id: string): Promise<Row<typeof Formation>> {
  const formation = await requireRow(context, Formation, id)
  return changeRow(context, Formation, formation, { payment_status: 'paid', status: 'pending' })
}
