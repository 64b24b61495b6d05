import { ApiError } from '../../../contract/declarations/errors.ts'
import type { FilingOutcome } from '../../../outside/filing/provider.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { returnMoney } from '../../sales/payment/return.ts'
import { bookOutcome } from './filed.ts'
import { Formation, type FormationRow } from './formation.ts'

/** What people say of a formation that they have filed. */
export type Completed = Omit<Extract<FilingOutcome, { state: 'completed' }>, 'state'>

/** Books that people have filed a formation. Throws a 400 unless it was handed to its agent. */
export async function completeByHand(context: Context, id: string, filed: Completed): Promise<void> {
  const formation = await requireRow(context, Formation, id)
  if (formation.status !== 'submitted') throw refused(formation, 'completed: it was not submitted')
  await bookOutcome(context, formation, { state: 'completed', ...filed })
}

interface Failing {
  message: string
  /** Its fee goes back to whoever paid it. */
  refund: boolean
}

/**
 * Books that a formation cannot be filed. With its fee given back, that goes for any that is paid and not formed yet; otherwise
 * for one that was handed to its agent. Throws a 400 for all others.
 */
export async function failByHand(context: Context, id: string, { message, refund }: Failing): Promise<void> {
  const formation = await requireRow(context, Formation, id)
  const isPaid = formation.payment_status === 'paid' && formation.status !== 'completed'
  if (refund && !isPaid) throw refused(formation, 'refunded')
  if (!refund && formation.status !== 'submitted') throw refused(formation, 'failed: it was not submitted')
  const left = refund ? await giveBack(context, formation) : formation
  await bookOutcome(context, left, { state: 'failed', message })
}

function refused({ status, payment_status }: FormationRow, done: string): ApiError {
  return new ApiError('invalid_state', `The formation is ${status} and ${payment_status}, so it cannot be ${done}.`)
}

/** It will never be filed, so its tax numbers are forgotten. */
async function giveBack(context: Context, formation: FormationRow): Promise<FormationRow> {
  const paid = rowsOf(context, 'payments')
    .select(['id', 'provider', 'reference', 'amount', 'currency'])
    .where('checkout', '=', formation.checkout)
  const payment = await paid.where('status', '=', 'succeeded').executeTakeFirst()
  if (payment && payment.reference !== null && payment.amount > 0)
    await context.enqueue(returnMoney, { ...payment, payment: payment.id, reference: payment.reference })
  return changeRow(context, Formation, formation, { payment_status: 'refunded', sealed_tax_numbers: null })
}
