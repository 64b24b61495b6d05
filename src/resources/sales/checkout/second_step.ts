import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { Payment, type PaymentRow } from '../payment/payment.ts'
import { settle } from '../payment/settle.ts'
import { agreementOf } from './agreement.ts'
import type { CheckoutRow } from './checkout.ts'

/**
 * The buyer's answer at the bank that the test provider plays. Throws a 400 when nothing is asked, or something else than what
 * the buyer `agreed` to (`stepAgreement`); without `agreed` nobody has looked.
 */
export async function answerSecondStep(
  context: Context,
  { paying }: Pick<CheckoutRow, 'paying'>,
  approved: boolean,
  agreed?: string,
): Promise<PaymentRow> {
  const payment = paying === null ? null : await requireRow(context, Payment, paying)
  if (payment === null || !asksBuyer(context, payment))
    throw new ApiError('invalid_state', 'There is nothing to confirm here now.')
  if (agreed !== undefined && agreed !== stepAgreement(payment))
    throw new ApiError('invalid_state', 'Another payment is asked about here now.')
  const { accountId, services } = context
  const answer = { accountId, key: payment.id, reference: payment.reference!, approved }
  await settle(context, payment, await services.payments.test.answerSecondStep(answer))
  return requireRow(context, Payment, payment.id)
}

/** Names what the page of the bank asks; sent back with the answer. */
export function stepAgreement({ id, amount, currency }: PaymentRow): string {
  return agreementOf({ id, amount, currency })
}

/** Whether a payment waits for the buyer's answer on the simulated page of the bank. */
export function asksBuyer({ services }: Pick<Context, 'services'>, { status, provider }: PaymentRow): boolean {
  return status === 'needs_buyer' && provider === services.payments.test.name
}
