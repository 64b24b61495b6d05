import type { Stripe } from 'stripe'
import { cut, MINUTE_MS, timestampOf } from '../../../contract/values/values.ts'
import { only } from '../../../errors.ts'
import { disputeReason } from '../../../format/dispute-reasons.ts'
import type { DisputeDesk, DisputeEvidence, DisputeOutcome, DisputeReport, DisputeRequest } from '../disputes.ts'
import type { ChargeRequest, CollectRequest, RefundRequest } from '../provider.ts'
import { feeOf, fromStripeAmount, toStripeAmount } from './amount.ts'
import type { StripeClient } from './client.ts'
import { notPermitted, RefusedError } from './faults.ts'

/** The lifetime of a Checkout Session, which freezes the checkout: Stripe's minimum of 30 minutes, plus rounding and latency. */
const SESSION_MINUTES = 32

/** Identifies our payment in the metadata of the Stripe objects that webhook events refer to. */
export interface OurMetadata {
  account: string
  key: string
  /** On a session's page, the buyer can retry; a saved card is charged only once. */
  made_by: 'page' | 'saved_card' | 'refund'
}

/** Returns the minute since 1970. Equal requests in the same minute share an idempotency key and an expiry time. */
export function minuteOf(now: number): number {
  return Math.floor(now / MINUTE_MS)
}

/** The buyer pays on the session's page, or only saves a card if the amount is 0. */
export function sessionOf(
  request: CollectRequest,
  minute: number,
  feeBasisPoints: number,
): Stripe.Checkout.SessionCreateParams {
  const { accountId, key, email, amount } = request
  const metadata = metadataOf(request, 'page')
  const common: Stripe.Checkout.SessionCreateParams = {
    allowed_payment_method_types: ['card'],
    client_reference_id: key,
    customer_email: email,
    metadata: { account: accountId, key, made_by: 'page' },
    success_url: withMarker(request.returnUrl, 'done'),
    cancel_url: withMarker(request.returnUrl, 'canceled'),
    expires_at: (minute + SESSION_MINUTES) * 60,
  }
  if (amount === 0) return { ...common, mode: 'setup', customer_creation: 'always', setup_intent_data: { metadata } }
  return { ...common, ...paymentOf(request, metadata, feeBasisPoints) }
}

function paymentOf(
  request: CollectRequest,
  metadata: Stripe.MetadataParam,
  feeBasisPoints: number,
): Stripe.Checkout.SessionCreateParams {
  const { amount, currency, description, saveMethod } = request
  const price = { currency, unit_amount: toStripeAmount(amount, currency), product_data: { name: description } }
  return {
    mode: 'payment',
    line_items: [{ quantity: 1, price_data: price }],
    // The buyer pays exactly the amount and currency that our page showed.
    adaptive_pricing: { enabled: false },
    customer_creation: saveMethod ? 'always' : 'if_required',
    payment_intent_data: {
      ...{ description, metadata, ...feeFor(request, feeBasisPoints) },
      ...(saveMethod && { setup_future_usage: 'off_session' }),
    },
  }
}

/** Charges a saved card without the buyer. The payment fails if the bank requires the buyer's confirmation. */
export function intentOf(
  request: ChargeRequest,
  method: { customer: string; payment_method: string },
  feeBasisPoints: number,
): Stripe.PaymentIntentCreateParams {
  const { amount, currency, description } = request
  return {
    ...method,
    ...feeFor(request, feeBasisPoints),
    amount: toStripeAmount(amount, currency),
    currency,
    description,
    allowed_payment_method_types: ['card'],
    confirm: true,
    off_session: true,
    error_on_requires_action: true,
    expand: ['payment_method'],
    metadata: metadataOf(request, 'saved_card'),
  }
}

/** The refund includes the platform's fee in proportion. */
export function refundOf(
  request: RefundRequest,
  { intent, hasFee }: { intent: string; hasFee: boolean },
): Stripe.RefundCreateParams {
  const amount = toStripeAmount(request.amount, request.currency)
  const metadata = metadataOf(request, 'refund')
  return { payment_intent: intent, amount, metadata, ...(hasFee && { refund_application_fee: true }) }
}

function feeFor({ amount, currency }: { amount: number; currency: string }, basisPoints: number) {
  const application_fee_amount = feeOf(amount, currency, basisPoints)
  return application_fee_amount > 0 && { application_fee_amount }
}

function metadataOf({ accountId, key }: { accountId: string; key: string }, made_by: OurMetadata['made_by']) {
  return { account: accountId, key, made_by }
}

/** Returns null for an object that somebody else created at the same Stripe account. */
export function ourMetadata(metadata: Record<string, string> | null | undefined): OurMetadata | null {
  const { account, key, made_by } = metadata ?? {}
  if (!account || !key || !(made_by === 'page' || made_by === 'saved_card' || made_by === 'refund')) return null
  return { account, key, made_by }
}

function withMarker(returnUrl: string, payment: 'done' | 'canceled'): string {
  if (!URL.canParse(returnUrl)) throw new RefusedError('The return URL is not a web address.')
  const url = new URL(returnUrl)
  url.searchParams.set('payment', payment)
  return url.href
}

/** The maximum length of each evidence text in characters: https://docs.stripe.com/api/disputes/update. */
const MOST_TEXT = 20_000

export function reportOf(dispute: Stripe.Dispute): DisputeReport {
  const { id, amount, currency, status, reason, evidence_details: details } = dispute
  return {
    reference: id,
    amount: fromStripeAmount(amount, currency),
    state: stateOf(status),
    inquiry: status.startsWith('warning'),
    reason: disputeReason(reason),
    // Stripe reports 0 if the bank accepts no answer.
    dueAt: details?.due_by ? timestampOf(new Date(details.due_by * 1000)) : null,
  }
}

/** The statuses of inquiries begin with `warning`; a `prevented` inquiry ended before it became a dispute. */
function stateOf(status: string): DisputeReport['state'] {
  if (status === 'won' || status === 'lost') return status
  if (status === 'warning_closed' || status === 'prevented') return 'closed'
  return status.endsWith('under_review') || status.startsWith('appeal') ? 'under_review' : 'opened'
}

/** Our key in the metadata shows on a retry that the evidence was already submitted. */
export function stripeDisputes(client: StripeClient): DisputeDesk {
  return {
    answer: ({ evidence, ...request }) =>
      respond(client, request, {
        isDone: ({ metadata, status }) => metadata?.answer === request.key && stateOf(status) !== 'opened',
        send: (stripe) =>
          stripe.disputes.update(
            request.reference,
            { evidence: evidenceOf(evidence), metadata: { answer: request.key }, submit: true },
            { idempotencyKey: `answer-${request.key}` },
          ),
      }),
    accept: (request) =>
      respond(client, request, {
        isDone: ({ status }) => status === 'lost',
        send: (stripe) => stripe.disputes.close(request.reference, {}, { idempotencyKey: `accept-${request.key}` }),
      }),
  }
}

interface DisputeStep {
  isDone(dispute: Stripe.Dispute): boolean
  send(stripe: Stripe): Promise<Stripe.Dispute>
}

async function respond(
  client: StripeClient,
  { reference, attempt, signal }: DisputeRequest,
  { isDone, send }: DisputeStep,
): Promise<DisputeOutcome> {
  if (attempt !== 1) {
    const now = await client.ask((stripe) => stripe.disputes.retrieve(reference), signal)
    if (isDone(now)) return { state: 'taken', became: stateOf(now.status) }
  }
  const asked = client.ask(send, signal).catch(notPermitted)
  return asked.then(
    ({ status }): DisputeOutcome => ({ state: 'taken', became: stateOf(status) }),
    only(RefusedError, ({ message }) => ({ state: 'refused', message })),
  )
}

function evidenceOf(evidence: DisputeEvidence): Stripe.DisputeUpdateParams.Evidence {
  const { answer, customerName, customerEmail, product, access, refundPolicy } = evidence
  const texts = {
    uncategorized_text: answer,
    customer_name: customerName,
    customer_email_address: customerEmail,
    product_description: product,
    access_activity_log: access,
    refund_policy_disclosure: refundPolicy,
  }
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (text ? [[name, cut(text, MOST_TEXT)]] : [])),
  )
}
