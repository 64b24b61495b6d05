import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
import { Checkout } from '../../sales/checkout/checkout.ts'
import { Order } from '../../sales/order/order.ts'
import { actionsOf, requireAgent } from './actions.ts'
import { Formation, type FormationRow } from './formation.ts'
import { fileFormation } from './jobs.ts'

/** Submits a paid formation to the filing agent. A submitted or completed one stays unchanged. */
export async function submitFormation(context: Context, formation: FormationRow): Promise<FormationRow> {
  if (formation.status === 'submitted' || formation.status === 'completed') return formation
  if (!actionsOf(formation).includes('submit'))
    throw new ApiError('invalid_state', `Cannot submit a formation whose payment is ${formation.payment_status}.`)
  requireAgent(context)
  await requireNotBeingRefunded(context, formation)
  const submitted = await changeRow(context, Formation, formation, {
    status: 'submitted',
    submitted_at: context.now,
    provider_error: null,
    submissions: formation.submissions + 1,
  })
  await context.enqueue(fileFormation, { formation: submitted.id, submission: submitted.submissions })
  context.emit(Formation, 'submitted', submitted)
  return submitted
}

/** Throws while the order that paid for the formation is being refunded. Only formations of earlier versions have such orders. */
async function requireNotBeingRefunded(context: Context, { checkout }: FormationRow): Promise<void> {
  const { order } = await requireRow(context, Checkout, checkout!)
  if (order === null) return
  const { amount_refunding } = await requireRow(context, Order, order)
  if (amount_refunding > 0)
    throw new ApiError('invalid_state', 'Cannot submit a formation whose payment is being refunded.')
}
