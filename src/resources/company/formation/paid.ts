import type { Context } from '../../../records/context.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
import { Formation, type FormationRow } from './formation.ts'

/** Books that the checkout of a formation is paid. */
export async function markFormationPaid(context: Context, id: string): Promise<FormationRow> {
  const formation = await requireRow(context, Formation, id)
  return changeRow(context, Formation, formation, { payment_status: 'paid', status: 'pending' })
}
