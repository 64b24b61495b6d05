import { createHash } from 'node:crypto'
import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { Payment, type PaymentRow } from '../payment/payment.ts'
import { settle } from '../payment/settle.ts'
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

/**
 * A short name of all that a buyer is about to agree to. The page sends it back with the payment; an order that differs in
 * anything that was shown is not charged before the buyer has seen it as it is now.
 */
export function agreementOf(agreed: object): string {
  return createHash('sha256').update(JSON.stringify(agreed, inOneOrder)).digest('base64url')
}

/** A line that was stored may have its keys in another order than one that was just made. */
function inOneOrder(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
