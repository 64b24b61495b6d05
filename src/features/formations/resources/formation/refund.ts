import { ApiError, invalid } from '../../../../contract/declarations/errors.ts'
import type { DisputeReport } from '../../../../providers/payments/disputes.ts'
import { decode } from '../../../../records/columns.ts'
import type { Context } from '../../../../records/context.ts'
import { changeRow, findRow } from '../../../../records/records.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import { Formation, type FormationRow } from './formation.ts'

interface PaidOrder {
  checkout: string | null
}

/** Throws if an order paid for a formation that prevents the refund: a 400 once the formation was submitted, a 422 for a partial refund. */
export async function requireRefundableFormation(context: Context, order: PaidOrder, isWhole: boolean): Promise<void> {
  const formation = await formationPaidBy(context, order)
  if (!formation) return
  const { status } = formation
  if (status === 'submitted' || status === 'completed')
    throw new ApiError('invalid_state', `This order paid for a formation that is ${status}, so it cannot be refunded.`)
  if (!isWhole) throw invalid({ amount: ['must be the whole order, because it paid for a formation'] })
}

/** Records the full refund of a formation's fee and deletes its tax numbers, because it will never be filed. */
export async function markFormationRefunded(context: Context, order: PaidOrder): Promise<void> {
  const formation = await formationPaidBy(context, order)
  if (formation) await markRefunded(context, formation)
}

/** Records the outcome of a dispute over a fee. If the shop loses, the formation counts as refunded and will not be filed. */
export async function bookFeeDispute(context: Context, id: string, state: DisputeReport['state']): Promise<void> {
  const formation = await findRow(context, Formation, id)
  if (formation && state === 'lost') await markRefunded(context, formation)
}

async function markRefunded(context: Context, formation: FormationRow): Promise<void> {
  await context.remember(Formation, [formation])
  const changes = { payment_status: 'refunded', sealed_tax_numbers: null } as const
  context.emit(Formation, 'updated', await changeRow(context, Formation, formation, changes))
}

async function formationPaidBy(context: Context, { checkout }: PaidOrder): Promise<FormationRow | undefined> {
  if (checkout === null) return undefined
  const raw = await rowsOf(context, 'formations').selectAll().where('checkout', '=', checkout).executeTakeFirst()
  return raw && decode<FormationRow>(Formation, raw)
}
