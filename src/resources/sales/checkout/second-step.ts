import { createHash } from 'node:crypto'
import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { Payment, type PaymentRow } from '../payment/payment.ts'
import { settle } from '../payment/settle.ts'
import type { CheckoutRow } from './checkout.ts'

/**
 * Passes the buyer's answer to the simulated bank of the test provider. Throws a 400 if nothing is asked, or if `agreed` is given and
 * identifies another question (`stepAgreement`).
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

/** Identifies the question on the bank's page; sent back with the answer. */
export function stepAgreement({ id, amount, currency }: PaymentRow): string {
  return agreementOf({ id, amount, currency })
}

/** Whether a payment waits for the buyer's answer on the page of the simulated bank. */
export function asksBuyer({ services }: Pick<Context, 'services'>, { status, provider }: PaymentRow): boolean {
  return status === 'needs_buyer' && provider === services.payments.test.name
}

/**
 * Returns a hash of everything that a buyer is about to agree to. The page sends it back with the payment; if anything shown has changed,
 * nothing is charged before the buyer has seen the order as it is now.
 */
export function agreementOf(agreed: object): string {
  return createHash('sha256').update(JSON.stringify(agreed, inOneOrder)).digest('base64url')
}

/** Sorts keys, because a stored line may have them in another order than a new one. */
function inOneOrder(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
