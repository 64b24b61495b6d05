import { createHash } from 'node:crypto'
import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { Payment, type PaymentRow } from '../payment/payment.ts'
import { settle } from '../payment/settle.ts'
import type { CheckoutRow } from './checkout.ts'

/**
 * Sends the buyer's answer to the simulated bank of the test provider. Throws a 400 if no payment waits for an answer, or if `agreed` is
 * given and differs from the `stepAgreement` of the payment.
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

/** Returns a hash of the payment that the bank's page asks about; the page sends this hash with the buyer's answer. */
export function stepAgreement({ id, amount, currency }: PaymentRow): string {
  return agreementOf({ id, amount, currency })
}

/** Whether a payment waits for the buyer's answer on the page of the simulated bank. */
export function asksBuyer({ services }: Pick<Context, 'services'>, { status, provider }: PaymentRow): boolean {
  return status === 'needs_buyer' && provider === services.payments.test.name
}

/**
 * Returns a hash of everything that a buyer agrees to by paying. The page sends this hash with the payment. If the order has changed since,
 * nothing is charged, and the buyer sees the current order first.
 */
export function agreementOf(agreed: object): string {
  return createHash('sha256').update(JSON.stringify(agreed, inOneOrder)).digest('base64url')
}

/** Sorts the keys, because their order can differ between a stored line and a new one. */
function inOneOrder(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
