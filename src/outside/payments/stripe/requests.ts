import type { Stripe } from 'stripe'
import type { ChargeRequest, CollectRequest, RefundRequest } from '../provider.ts'
import { feeOf, toStripeAmount } from './amount.ts'
import { RefusedError } from './refused.ts'

const MINUTE_MS = 60_000
/** Stripe wants 30 minutes at least, and a checkout is frozen for as long; the rest is for whole minutes and the way there. */
const SESSION_MINUTES = 32

/** Names our payment at Stripe, on everything that a notice may be about. */
export interface OurMetadata {
  account: string
  key: string
  /** A buyer can try again on the page of a session; a saved card is tried once. */
  made_by: 'page' | 'saved_card' | 'refund'
}

/** The minute in which a session is begun: the same request in the same minute is the same session. */
export function minuteOf(now: number): number {
  return Math.floor(now / MINUTE_MS)
}

/** A page of Stripe's on which the buyer pays, or enters a card for later where there is nothing to pay now. */
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
    // The buyer pays what our page said, in its currency.
    adaptive_pricing: { enabled: false },
    customer_creation: saveMethod ? 'always' : 'if_required',
    payment_intent_data: {
      ...{ description, metadata, ...feeFor(request, feeBasisPoints) },
      ...(saveMethod && { setup_future_usage: 'off_session' }),
    },
  }
}

/** A payment by a saved card while the buyer is away, which fails where the bank wants to ask the buyer. */
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

/** The fee of the platform is given back in the proportion of the refund. */
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

/** Ours of what Stripe shows, or null for what somebody else made at the same Stripe account. */
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
