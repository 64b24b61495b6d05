import { ApiError, invalid } from '../../../../contract/declarations/errors.ts'
import type { Fee } from '../../../../records/context.ts'
import { changeRow, findRow, requireRow } from '../../../../records/records.ts'
import { requireAgent } from './actions.ts'
import { Formation } from './formation.ts'

export const formationFee: Fee = {
  requirePayable: requireAgent,

  async paid(context, id) {
    const formation = await requireRow(context, Formation, id)
    const changes = { payment_status: 'paid', status: 'pending' } as const
    context.emit(Formation, 'paid', await changeRow(context, Formation, formation, changes))
  },

  /** Deletes the tax numbers too, because the formation will never be filed. */
  async refunded(context, id) {
    const formation = await findRow(context, Formation, id)
    if (!formation) return
    await context.remember(Formation, [formation])
    const changes = { payment_status: 'refunded', sealed_tax_numbers: null } as const
    context.emit(Formation, 'updated', await changeRow(context, Formation, formation, changes))
  },

  async requireRefundable(context, id, isWhole) {
    const status = (await findRow(context, Formation, id))?.status
    if (status === 'submitted' || status === 'completed')
      throw new ApiError(
        'invalid_state',
        `This order paid for a formation that is ${status}, so it cannot be refunded.`,
      )
    if (status && !isWhole) throw invalid({ amount: ['must be the whole order, because it paid for a formation'] })
  },
}
