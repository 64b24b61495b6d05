import { ApiError } from '../../../contract/errors.ts'
import type { Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { Payment } from '../payment/payment.ts'
import { settle } from '../payment/settle.ts'
import type { Checkout } from './checkout.ts'

/** The buyer's answer at the bank that the test provider plays. Throws a 400 when nothing is asked. */
export async function answerSecondStep(
  context: Context,
  { paying }: Pick<Row<typeof Checkout>, 'paying'>,
  approved: boolean,
): Promise<Row<typeof Payment>> {
  const payment = paying === null ? null : await requireRow(context, Payment, paying)
  if (payment === null || !asksBuyer(context, payment))
    throw new ApiError('invalid_state', 'There is nothing to confirm here now.')
  const { accountId, services } = context
  const answer = { accountId, key: payment.id, reference: payment.reference!, approved }
  await settle(context, payment, await services.payments.test.answerSecondStep(answer))
  return requireRow(context, Payment, payment.id)
}

/** Whether a payment waits for the buyer's answer on the simulated page of the bank. */
export function asksBuyer({ services }: Pick<Context, 'services'>, { status, provider }: Row<typeof Payment>): boolean {
  return status === 'needs_buyer' && provider === services.payments.test.name
}
