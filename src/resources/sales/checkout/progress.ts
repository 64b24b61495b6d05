import { createHash } from 'node:crypto'
import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Row } from '../../../contract/declarations/noun.ts'
import { canonicalJson } from '../../../contract/values/json.ts'
import { decode } from '../../../records/columns.ts'
import type { Context, VaultContext } from '../../../records/context.ts'
import { findRow, requireRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { lookUpPayment, takeBackPayment } from '../payment/jobs.ts'
import { Payment, type PaymentRow } from '../payment/payment.ts'
import { isOpen, settle } from '../payment/settle.ts'
import { Subscription, type SubscriptionRow } from '../subscription/subscription.ts'
import type { CheckoutRow } from './checkout.ts'

export type Step =
  | { name: 'open'; failure: string | null; customerName: string | null }
  /** The page of the test provider's simulated bank asks the buyer to approve the payment. */
  | { name: 'second_step'; payment: PaymentRow }
  /** The buyer has to continue on the provider's page at `url`. */
  | { name: 'at_provider'; payment: PaymentRow; url: string }
  | { name: 'processing'; payment: PaymentRow }
  | { name: 'complete'; subscription: SubscriptionRow | null }
  | { name: 'expired' | 'abandoned' }

export async function stepOf(context: Context, checkout: CheckoutRow): Promise<Step> {
  const { status, paying } = checkout
  if (status === 'complete')
    return { name: status, subscription: await found(context, Subscription, checkout.subscription) }
  if (status !== 'open') return { name: status }
  const payment = await found(context, Payment, paying)
  if (payment && isOpen(payment)) return stepOfPayment(context, payment)
  const customer = await found(context, Customer, checkout.customer)
  return {
    name: 'open',
    failure: await lastFailure(context, checkout),
    customerName: customer?.name ?? null,
  }
}

function stepOfPayment(context: Context, payment: PaymentRow): Step {
  if (asksBuyer(context, payment)) return { name: 'second_step', payment }
  if (payment.status === 'needs_buyer' && payment.url !== null)
    return { name: 'at_provider', payment, url: payment.url }
  return { name: 'processing', payment }
}

/** Returns the message of the last payment if it failed; null if there is none, or if it was not finished. */
async function lastFailure(context: Context, { id, failed_tries }: CheckoutRow): Promise<string | null> {
  if (failed_tries === 0) return null
  const raw = await rowsOf(context, 'payments')
    .selectAll()
    .where('checkout', '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const last = raw && decode(Payment, raw)
  return last?.status === 'failed' ? last.failure_message : null
}

/** Handles the return of a buyer from the provider: looks up the outcome of the payment, or ends the payment if `turnedBack`. */
export async function comeBack(context: Context, { paying }: CheckoutRow, { turnedBack }: { turnedBack: boolean }) {
  const payment = await found(context, Payment, paying)
  if (!payment || !isOpen(payment) || asksBuyer(context, payment)) return
  await context.enqueue(turnedBack ? takeBackPayment : lookUpPayment, { payment: payment.id }, { awaited: true })
}

async function found<N extends Parameters<typeof findRow>[1]>(
  context: Context,
  noun: N,
  id: string | null,
): Promise<Row<N> | null> {
  return id === null ? null : ((await findRow(context, noun, id)) ?? null)
}

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
function asksBuyer({ services }: VaultContext, { status, provider }: PaymentRow): boolean {
  return status === 'needs_buyer' && services.payments.isImmediate(provider)
}

/** Returns a hash of everything that a buyer agrees to; the page sends the hash, and nothing is charged if the order has changed. */
export function agreementOf(agreed: object): string {
  return createHash('sha256').update(canonicalJson(agreed)).digest('base64url')
}
