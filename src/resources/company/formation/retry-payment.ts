import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { Checkout } from '../../sales/checkout/checkout.ts'
import { closeCheckout } from '../../sales/checkout/expire.ts'
import { actionsOf, requireAgent } from './actions.ts'
import { Formation, type FormationRow } from './formation.ts'
import { openPayment } from './payment.ts'

/** Opens a new checkout for an unpaid formation and abandons the previous one. */
export async function retryPayment(context: Context, formation: FormationRow): Promise<FormationRow> {
  if (!actionsOf(formation).includes('retry_payment'))
    throw new ApiError('invalid_state', `Cannot retry a payment that is ${formation.payment_status}.`)
  requireAgent(context)
  await abandonCheckout(context, formation)
  const { id: checkout } = await openPayment(context, formation)
  const changed = await changeRow(context, Formation, formation, {
    checkout,
    status: 'awaiting_payment',
    provider_error: null,
  })
  context.emit(Formation, 'updated', changed)
  return changed
}

async function abandonCheckout(context: Context, { checkout: id }: FormationRow): Promise<void> {
  const checkout = id === null ? undefined : await findRow(context, Checkout, id)
  if (checkout?.status !== 'open') return
  if (checkout.paying !== null) throw new ApiError('invalid_state', 'This formation is already being paid.')
  await closeCheckout(context, checkout, 'abandoned')
}
