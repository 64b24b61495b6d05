import { createHash } from 'node:crypto'
import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { Payment, type PaymentRow } from '../payment/payment.ts'
import { settle } from '../payment/settle.ts'
import type { CheckoutRow } from './checkout.ts'

/** Sends the answer of the buyer to the simulated bank. Throws a 400 if no payment waits for it, or `agreed` is for another payment. */
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

/** Returns a hash of the payment that the simulated bank asks about; its page sends the hash with the answer. */
export function stepAgreement({ id, amount, currency }: PaymentRow): string {
  return agreementOf({ id, amount, currency })
}

/** Whether a payment waits for the buyer's answer on the page of the simulated bank. */
export function asksBuyer({ services }: Pick<Context, 'services'>, { status, provider }: PaymentRow): boolean {
  return status === 'needs_buyer' && services.payments.isImmediate(provider)
}

/** Returns a hash of everything that a buyer agrees to; the page sends the hash, and nothing is charged if the order has changed. */
export function agreementOf(agreed: object): string {
  return createHash('sha256').update(JSON.stringify(agreed, inOneOrder)).digest('base64url')
}

/** Sorts the keys, because their order can differ between a stored line and a new one. */
function inOneOrder(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
