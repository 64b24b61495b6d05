import { API_VERSIONS } from '../../src/providers/api-versions.ts'
import { unanswered } from './stripe-disputes.ts'
import {
  type CardAnswer,
  type Dispute,
  type Intent,
  type Metadata,
  newId,
  type Params,
  type Refund,
  type Session,
  type StripeEvent,
  StripeRefusal,
} from './stripe-things.ts'

const HALF_AN_HOUR_S = 30 * 60
const WHOLE_UNITS_ONLY = ['isk', 'ugx']
const THREE_DIGITS = ['bhd', 'jod', 'kwd', 'omr', 'tnd']

type Planned = Pick<Intent, 'setup_future_usage' | 'metadata' | 'application_fee_amount'>

/** The state of an account at the stand-in for Stripe, and its rules. */
export class StripeBank {
  readonly sessions = new Map<string, Session>()
  readonly intents = new Map<string, Intent>()
  readonly refunds = new Map<string, Refund>()
  readonly disputes = new Map<string, Dispute>()
  readonly events: StripeEvent[] = []
  /** The platform's fee of each payment, less the refunded part. */
  readonly fees = new Map<string, number>()
  /** The planned payments and setups of sessions. Like Stripe, they are created when the buyer enters the first card. */
  readonly #planned = new Map<string, Planned & { saves: boolean }>()
  readonly #pageUrl: () => string
  readonly #live: boolean
  readonly #isConnected: boolean

  /** `pageUrl` returns the URL of its payment pages. */
  constructor(pageUrl: () => string, live: boolean, isConnected: boolean) {
    this.#pageUrl = pageUrl
    this.#live = live
    this.#isConnected = isConnected
  }

  createSession(params: Params): Session {
    const expires_at = Number(params.expires_at)
    if (!(expires_at >= Date.now() / 1000 + HALF_AN_HOUR_S))
      throw new StripeRefusal(400, 'The `expires_at` timestamp must be at least 30 minutes from creation.')
    const price = params.mode === 'payment' ? within(params, 'line_items', '0', 'price_data') : {}
    const amount_total = params.mode === 'payment' ? requireAmount(price.unit_amount, price.currency) : 0
    const id = newId(this.#live ? 'cs_live' : 'cs_test')
    const session: Session = {
      id,
      object: 'checkout.session',
      mode: String(params.mode),
      status: 'open',
      payment_status: params.mode === 'setup' ? 'no_payment_required' : 'unpaid',
      url: `${this.#pageUrl()}/pay/${id}`,
      payment_intent: null,
      setup_intent: null,
      metadata: params.metadata as Metadata,
      client_reference_id: String(params.client_reference_id),
      amount_total,
      currency: (price.currency as string) ?? null,
      customer_details: { email: requireEmail(params.customer_email) },
      success_url: String(params.success_url),
      cancel_url: String(params.cancel_url),
      expires_at,
    }
    this.sessions.set(id, session)
    const data = within(params, params.mode === 'setup' ? 'setup_intent_data' : 'payment_intent_data')
    this.#planned.set(id, {
      saves: params.customer_creation === 'always',
      setup_future_usage: (data.setup_future_usage as string) ?? null,
      application_fee_amount: this.#requireFee(data.application_fee_amount, amount_total),
      metadata: data.metadata as Metadata,
    })
    return session
  }

  /** The buyer enters a card on the page of a session. */
  enterCard(id: string, answer: CardAnswer): Session {
    const session = this.session(id)
    if (session.status !== 'open') throw new StripeRefusal(400, `The session is ${session.status}.`)
    const { saves, ...planned } = this.#planned.get(id)!
    const intent = this.#intentOf(session, planned)
    if (answer === 'declined') return this.#declined(session, intent)
    intent.payment_method = newId(`pm_${answer}`)
    if (saves) intent.customer = newId('cus')
    this.#succeeded(intent)
    session.status = 'complete'
    session.url = null
    if (session.mode === 'payment') session.payment_status = 'paid'
    if (intent.object === 'payment_intent') this.emit('payment_intent.succeeded', intent)
    this.emit('checkout.session.completed', session)
    return session
  }

  expireSession(id: string): Session {
    const session = this.session(id)
    if (session.status !== 'open') throw new StripeRefusal(400, `Only open sessions can be expired: ${session.status}.`)
    session.status = 'expired'
    session.url = null
    this.emit('checkout.session.expired', session)
    return session
  }

  /** Creates a payment with a saved card. The name of the card decides the result. */
  createIntent(params: Params): Intent {
    const { customer, payment_method, currency } = params as Record<string, string>
    const amount = requireAmount(params.amount, currency)
    const owner = [...this.intents.values()].find((one) => one.payment_method === payment_method)?.customer
    if (!owner || owner !== customer) throw new StripeRefusal(400, `No such PaymentMethod: '${payment_method}'`)
    const intent = this.#newIntent('payment_intent', amount, currency!, params.metadata as Metadata)
    const application_fee_amount = this.#requireFee(params.application_fee_amount, amount)
    Object.assign(intent, { customer, payment_method, application_fee_amount })
    if (/fails_later|asks_buyer_later/.test(payment_method!)) return this.#refused(intent)
    this.#succeeded(intent)
    this.emit('payment_intent.succeeded', intent)
    return intent
  }

  cancelIntent(id: string): Intent {
    const intent = this.intent(id)
    if (intent.status !== 'requires_payment_method')
      throw new StripeRefusal(
        400,
        `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
        {
          code: 'payment_intent_unexpected_state',
        },
      )
    intent.status = 'canceled'
    return intent
  }

  createRefund(params: Params): Refund {
    const intent = this.intent(String(params.payment_intent))
    const amount = requireAmount(params.amount, intent.currency)
    if (intent.status !== 'succeeded') throw new StripeRefusal(400, 'This PaymentIntent has no successful charge.')
    const before = [...this.refunds.values()].filter(
      (one) => one.payment_intent === intent.id && one.status !== 'failed',
    )
    const left = intent.amount - before.reduce((sum, one) => sum + one.amount, 0)
    if (amount > left)
      throw new StripeRefusal(400, `Refund amount (${amount}) is greater than unrefunded amount on charge (${left}).`)
    if (params.refund_application_fee === 'true') this.#refundFee(intent, amount)
    const card = intent.payment_method ?? ''
    const status = card.includes('no_refund') ? 'failed' : card.includes('slow_refund') ? 'pending' : 'succeeded'
    const refund: Refund = {
      id: newId('re'),
      object: 'refund',
      amount,
      currency: intent.currency,
      reason: (params.reason as string) ?? null,
      payment_intent: intent.id,
      status,
      failure_reason: status === 'failed' ? 'expired_or_canceled_card' : null,
      metadata: (params.metadata as Metadata) ?? {},
    }
    this.refunds.set(refund.id, refund)
    this.emit('refund.created', refund)
    return refund
  }

  /** The bank answers a refund that was pending. */
  settleRefund(id: string, status: 'succeeded' | 'failed'): void {
    const refund = this.refund(id)
    Object.assign(refund, { status, failure_reason: status === 'failed' ? 'declined' : null })
    this.emit(status === 'failed' ? 'refund.failed' : 'refund.updated', refund)
  }

  /** The cardholder disputes a payment, or the bank decides about it. */
  dispute(payment_intent: string, status: Dispute['status'], amount?: number): Dispute {
    const closed = status === 'won' || status === 'lost'
    const intent = this.intent(payment_intent)
    const before = [...this.disputes.values()].find((one) => one.payment_intent === payment_intent)
    const { currency } = intent
    const blank = { id: newId('du'), object: 'dispute' as const, payment_intent, currency, ...unanswered() }
    const dispute: Dispute = Object.assign(before ?? { ...blank, amount: amount ?? intent.amount, status }, { status })
    this.disputes.set(dispute.id, dispute)
    this.emit(closed ? 'charge.dispute.closed' : before ? 'charge.dispute.updated' : 'charge.dispute.created', dispute)
    return dispute
  }

  session = (id: string): Session => found(this.sessions, id, 'checkout.session')
  intent = (id: string): Intent => found(this.intents, id, 'payment_intent')
  refund = (id: string): Refund => found(this.refunds, id, 'refund')
  disputeOf = (id: string): Dispute => found(this.disputes, id, 'dispute')

  #declined(session: Session, intent: Intent): Session {
    const declined = { code: 'card_declined', decline_code: 'generic_decline' }
    intent.last_payment_error = { message: 'Your card was declined.', ...declined }
    if (intent.object === 'payment_intent') this.emit('payment_intent.payment_failed', intent)
    return session
  }

  #refused(intent: Intent): never {
    const asks = intent.payment_method!.includes('asks_buyer')
    const message = asks ? 'This transaction requires authentication.' : 'Your card has insufficient funds.'
    const code = asks ? 'authentication_required' : 'card_declined'
    const decline_code = asks ? 'authentication_required' : 'insufficient_funds'
    intent.last_payment_error = { message, code, decline_code }
    this.emit('payment_intent.payment_failed', intent)
    throw new StripeRefusal(402, message, { code, decline_code, payment_intent: intent })
  }

  #intentOf(session: Session, planned: Planned): Intent {
    const kind = session.mode === 'setup' ? 'setup_intent' : 'payment_intent'
    const before = session[kind]
    if (before) return this.intent(before)
    const intent = this.#newIntent(kind, session.amount_total, session.currency ?? 'usd', planned.metadata)
    session[kind] = intent.id
    return Object.assign(intent, planned)
  }

  #newIntent(object: Intent['object'], amount: number, currency: string, metadata: Metadata): Intent {
    const id = newId(object === 'setup_intent' ? 'seti' : 'pi')
    const status = 'requires_payment_method' as const
    const none = { customer: null, payment_method: null, setup_future_usage: null }
    const blank = { ...none, application_fee_amount: null, last_payment_error: null }
    const intent: Intent = { id, object, amount, currency, status, metadata, client_secret: `${id}_secret_x`, ...blank }
    this.intents.set(id, intent)
    return intent
  }

  #succeeded(intent: Intent): void {
    intent.status = 'succeeded'
    if (intent.application_fee_amount) this.fees.set(intent.id, intent.application_fee_amount)
  }

  /** Refunds the fee in proportion to the refund, like Stripe. */
  #refundFee({ id, amount, application_fee_amount: fee }: Intent, refunded: number): void {
    if (!fee) throw new StripeRefusal(400, 'There is no application fee to refund on this charge.')
    this.fees.set(id, this.fees.get(id)! - Math.round((fee * refunded) / amount))
  }

  #requireFee(given: string | Params | undefined, amount: number): number | null {
    if (given === undefined) return null
    if (!this.#isConnected)
      throw new StripeRefusal(
        400,
        'Can only apply an application_fee_amount when the PaymentIntent is attempting a direct payment (using an OAuth key or Stripe-Account header) or destination payment.',
        { param: 'application_fee_amount' },
      )
    const fee = Number(given)
    if (!Number.isInteger(fee) || fee <= 0) throw new StripeRefusal(400, `Invalid positive integer: ${given}`)
    if (fee > amount) throw new StripeRefusal(400, 'Application fee amount must be less than or equal to the amount.')
    return fee
  }

  /** Copies the object, because a late webhook event contains its former state. */
  emit(type: string, object: object): void {
    const common = { id: newId('evt'), object: 'event' as const, livemode: this.#live }
    const api_version = API_VERSIONS.stripe.version
    this.events.push({ ...common, type, api_version, data: { object: structuredClone(object) } })
  }
}

function found<Value>(values: Map<string, Value>, id: string, kind: string): Value {
  const value = values.get(id)
  if (!value) throw new StripeRefusal(404, `No such ${kind}: '${id}'`, { code: 'resource_missing' })
  return value
}

function within(params: Params, ...names: string[]): Params {
  return names.reduce<Params>((inner, name) => (inner[name] as Params | undefined) ?? {}, params)
}

function requireEmail(given: string | Params | undefined): string {
  if (typeof given !== 'string' || !given.includes('@')) throw new StripeRefusal(400, 'Invalid email address.')
  return given
}

/** Checks an amount by the rules of https://docs.stripe.com/currencies. */
function requireAmount(given: string | Params | undefined, currency: string | Params | undefined): number {
  const amount = Number(given)
  const step = WHOLE_UNITS_ONLY.includes(String(currency)) ? 100 : THREE_DIGITS.includes(String(currency)) ? 10 : 1
  if (!Number.isInteger(amount / step) || amount <= 0) throw new StripeRefusal(400, `Invalid integer: ${given}`)
  return amount
}
