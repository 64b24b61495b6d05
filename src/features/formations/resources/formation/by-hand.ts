import { ApiError } from '../../../../contract/declarations/errors.ts'
import type { Context } from '../../../../records/context.ts'
import { changeRow, requireRow } from '../../../../records/records.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import { returnMoney } from '../../../../resources/sales/payment/jobs.ts'
import type { FilingOutcome } from '../../providers/provider.ts'
import { bookOutcome } from './filed.ts'
import { Formation, type FormationRow } from './formation.ts'

export type Completed = Omit<Extract<FilingOutcome, { state: 'completed' }>, 'state'>

/** Records that people filed a formation. Throws a 400 unless the formation was submitted. */
export async function completeByHand(context: Context, id: string, filed: Completed): Promise<void> {
  const formation = await requireRow(context, Formation, id)
  if (formation.status !== 'submitted') throw refused(formation, 'completed: it was not submitted')
  await bookOutcome(context, formation, { state: 'completed', ...filed })
}

interface FilingFailure {
  message: string
  refund: boolean
}

/** Records that a formation cannot be filed. Throws a 400 unless it was submitted or, for a refund, unless it is paid and not completed. */
export async function failByHand(context: Context, id: string, { message, refund }: FilingFailure): Promise<void> {
  const formation = await requireRow(context, Formation, id)
  const isPaid = formation.payment_status === 'paid' && formation.status !== 'completed'
  if (refund && !isPaid) throw refused(formation, 'refunded')
  if (!refund && formation.status !== 'submitted') throw refused(formation, 'failed: it was not submitted')
  const left = refund ? await refundFee(context, formation) : formation
  await bookOutcome(context, left, { state: 'failed', message })
}

function refused({ status, payment_status }: FormationRow, done: string): ApiError {
  return new ApiError('invalid_state', `The formation is ${status} and ${payment_status}, so it cannot be ${done}.`)
}

/** Refunds the fee and deletes the tax numbers, because the formation will never be filed. */
async function refundFee(context: Context, formation: FormationRow): Promise<FormationRow> {
  const paid = rowsOf(context, 'payments')
    .select(['id', 'provider', 'reference', 'amount', 'currency'])
    .where('checkout', '=', formation.checkout)
  const payment = await paid.where('status', '=', 'succeeded').executeTakeFirst()
  if (payment && payment.reference !== null && payment.amount > 0)
    await context.enqueue(returnMoney, { ...payment, payment: payment.id, reference: payment.reference })
  return changeRow(context, Formation, formation, { payment_status: 'refunded', sealed_tax_numbers: null })
}
