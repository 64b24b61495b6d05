import { randomBytes } from 'node:crypto'

/** Decoded parameters of Stripe's form encoding: `metadata[key]=x` becomes `{ metadata: { key: 'x' } }`. */
export interface Params {
  [name: string]: string | Params
}

/** The behaviour of the buyer's card: at once, or when it is charged or refunded later. */
export type CardAnswer = 'pays' | 'declined' | 'fails_later' | 'asks_buyer_later' | 'no_refund' | 'slow_refund'

export type Metadata = Record<string, string>

export interface Intent {
  id: string
  object: 'payment_intent' | 'setup_intent'
  amount: number
  currency: string
  status: 'requires_payment_method' | 'succeeded' | 'canceled'
  customer: string | null
  payment_method: string | null
  setup_future_usage: string | null
  /** The platform's fee. */
  application_fee_amount: number | null
  metadata: Metadata
  last_payment_error: { message: string; code?: string; decline_code?: string } | null
  client_secret: string
}

export interface Session {
  id: string
  object: 'checkout.session'
  mode: string
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid' | 'no_payment_required'
  url: string | null
  payment_intent: string | null
  setup_intent: string | null
  metadata: Metadata
  client_reference_id: string
  amount_total: number
  currency: string | null
  customer_details: { email: string }
  success_url: string
  cancel_url: string
  expires_at: number
}

export interface Refund {
  id: string
  object: 'refund'
  amount: number
  currency: string
  reason: string | null
  payment_intent: string
  status: 'succeeded' | 'pending' | 'failed'
  failure_reason: string | null
  metadata: Metadata
}

export interface Dispute {
  id: string
  object: 'dispute'
  payment_intent: string
  amount: number
  currency: string
  status:
    | 'warning_needs_response'
    | 'warning_under_review'
    | 'warning_closed'
    | 'needs_response'
    | 'under_review'
    | 'prevented'
    | 'won'
    | 'lost'
  reason: string
  evidence: Params
  evidence_details: { due_by: number; submission_count: number }
  metadata: Metadata
}

export interface WebhookEndpoint {
  id: string
  object: 'webhook_endpoint'
  url: string
  enabled_events: string[]
  api_version: string | null
  description: string | null
  livemode: boolean
  status: 'enabled'
  application: null
  metadata: Metadata
  /** Stripe returns it only when the endpoint is created. */
  secret: string
}

export interface StripeEvent {
  id: string
  object: 'event'
  type: string
  livemode: boolean
  api_version: string
  data: { object: object }
  /** The connected account of the event. */
  account?: string
}

/** Returns an id of letters only, so that none looks like a card number. */
export function newId(prefix: string): string {
  const letters = randomBytes(8)
    .toString('hex')
    .replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!)
  return `${prefix}_${letters}`
}

/** An error response of Stripe. */
export class StripeRefusal extends Error {
  readonly status: number
  readonly body: object

  constructor(status: number, message: string, more: object = {}) {
    super(message)
    this.status = status
    this.body = { error: { type: status === 402 ? 'card_error' : 'invalid_request_error', message, ...more } }
  }
}
