import type { Stripe } from 'stripe'
import { only, replacing } from '../../../errors.ts'
import type { DisputeDesk } from '../disputes.ts'
import {
  type ChargeRequest,
  type CollectRequest,
  type Failure,
  type Notice,
  type PaymentOutcome,
  type PaymentProvider,
  type PaymentReference,
  type RefundOutcome,
  type RefundRequest,
  UnknownOutcomeError,
} from '../provider.ts'
import type { StripeClient } from './client.ts'
import { notPermitted, RefusedError } from './faults.ts'
import { isRead, noticeOf, verifiedEvent } from './notices.ts'
import { outcomeOfIntent, outcomeOfRefund, outcomeOfSession, readMethod } from './outcomes.ts'
import { intentOf, minuteOf, refundOf, sessionOf, stripeDisputes } from './requests.ts'

/** The maximum number of a customer's payments, or of a payment's refunds, that are searched for an earlier attempt. */
const MOST_EARLIER = 100

export interface StripeProviderOptions {
  name: string
  title: string
  live: boolean
  missing: readonly string[]
  client: StripeClient
  noticesPath: string | null
  noticesSecrets: readonly string[]
  /** The only account whose webhook events are accepted; if absent, those of all accounts are. */
  accountId?: string
  stripeAccount?: string
  /** The platform's fee in basis points of each payment. */
  feeBasisPoints?: number
}

/** Buyers enter their cards on Stripe's page, so card data never reaches this service. Metadata names our account and payment. */
export class StripeProvider implements PaymentProvider {
  readonly name: string
  readonly title: string
  readonly noticesPath: string | null
  readonly processor = 'card'
  readonly live: boolean
  readonly reason: string
  readonly missing: readonly string[]
  readonly immediate = false
  readonly disputes: DisputeDesk
  readonly #client: StripeClient
  readonly #options: StripeProviderOptions
  readonly #feeBasisPoints: number

  constructor(options: StripeProviderOptions) {
    this.name = options.name
    this.title = options.title
    this.noticesPath = options.noticesPath
    this.live = options.live
    this.reason = this.live
      ? 'Buyers pay with real money at Stripe.'
      : 'Stripe is set up with a test key, so payments are not real.'
    this.missing = options.missing
    this.#client = options.client
    this.disputes = stripeDisputes(options.client)
    this.#options = options
    this.#feeBasisPoints = options.feeBasisPoints ?? 0
  }

  /** Creates a payment page. Requests within the same minute return the same page. */
  async collect(request: CollectRequest): Promise<PaymentOutcome> {
    const minute = minuteOf(Date.now())
    const idempotencyKey = `collect-${request.key}-${minute}`
    return orFailed(async () => {
      const params = sessionOf(request, minute, this.#feeBasisPoints)
      const create = (stripe: Stripe) => stripe.checkout.sessions.create(params, { idempotencyKey })
      return outcomeOfSession(await this.#client.ask(create, request.signal))
    })
  }

  async charge(request: ChargeRequest): Promise<PaymentOutcome> {
    const { key, signal } = request
    return orFailed(async () => {
      const method = readMethod(request.method)
      if (!method) throw new RefusedError('The saved card belongs to another payment provider.')
      const earlier = request.attempt === 1 ? undefined : await this.#earlierIntent(request, method.customer)
      if (earlier) return outcomeOfIntent(earlier)
      const params = intentOf(request, method, this.#feeBasisPoints)
      const create = (stripe: Stripe) => stripe.paymentIntents.create(params, { idempotencyKey: `charge-${key}` })
      return outcomeOfIntent(await this.#client.ask(create, signal))
    })
  }

  async refund(request: RefundRequest): Promise<RefundOutcome> {
    const { key, signal } = request
    return orFailed(async () => {
      const paid = await this.#paidBy(request)
      const earlier = request.attempt === 1 ? undefined : await this.#earlierRefund(request, paid.intent)
      if (earlier) return outcomeOfRefund(earlier)
      const params = refundOf(request, paid)
      const create = (stripe: Stripe) => stripe.refunds.create(params, { idempotencyKey: `refund-${key}` })
      return outcomeOfRefund(await this.#client.ask(create, signal).catch(notPermitted))
    })
  }

  lookUp({ reference, signal }: Pick<PaymentReference, 'reference' | 'signal'>): Promise<PaymentOutcome> {
    return orUnknown(async () => {
      if (isSession(reference)) return outcomeOfSession(await this.#session(reference, signal))
      const retrieve = (stripe: Stripe) => stripe.paymentIntents.retrieve(reference, { expand: ['payment_method'] })
      return outcomeOfIntent(await this.#client.ask(retrieve, signal))
    })
  }

  /**
   * After a refusal, the payment is looked up, because it may have ended. There is no idempotency key, because Stripe would repeat a
   * refusal for a day, even if the payment can be canceled by then.
   */
  async abandon(payment: PaymentReference): Promise<void> {
    const { reference, signal } = payment
    const end = async ({ checkout, paymentIntents }: Stripe): Promise<unknown> =>
      isSession(reference) ? checkout.sessions.expire(reference) : paymentIntents.cancel(reference)
    try {
      await this.#client.ask(end, signal)
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      const { state } = await this.lookUp(payment)
      if (state === 'needs_buyer' || state === 'pending') throw asUnknown(error)
    }
  }

  async readNotice(body: Uint8Array, header: (name: string) => string | null): Promise<Notice | null> {
    const stripe = await this.#client.loaded
    const { noticesSecrets, stripeAccount, accountId } = this.#options
    const event = verifiedEvent(stripe, { raw: body, signature: header('stripe-signature') }, noticesSecrets)
    if (!isRead(event) || event.account !== stripeAccount || (stripeAccount && event.livemode !== this.live))
      return null
    const notice = await orUnknown(() =>
      noticeOf(event, {
        payment: (reference) => this.lookUp({ reference }),
        refund: (id) => this.#client.ask((api) => api.refunds.retrieve(id)),
        dispute: (id) => this.#client.ask((api) => api.disputes.retrieve(id)),
        metadataOfIntent: async (id) => (await this.#client.ask((api) => api.paymentIntents.retrieve(id))).metadata,
      }),
    )
    // The metadata at a merchant's own Stripe account could name another account of this service.
    return accountId === undefined || notice?.accountId === accountId ? notice : null
  }

  #session(id: string, signal?: AbortSignal): Promise<Stripe.Checkout.Session> {
    const expand = ['payment_intent.payment_method', 'setup_intent.payment_method']
    return this.#client.ask((stripe) => stripe.checkout.sessions.retrieve(id, { expand }), signal)
  }

  /** Returns the Payment Intent, which refunds require. Only platform payments can have a fee. */
  async #paidBy({ reference, signal }: RefundRequest): Promise<{ intent: string; hasFee: boolean }> {
    if (!isSession(reference) && !this.#options.stripeAccount) return { intent: reference, hasFee: false }
    const intent = isSession(reference)
      ? (await this.#session(reference, signal)).payment_intent
      : await this.#client.ask((stripe) => stripe.paymentIntents.retrieve(reference), signal)
    if (typeof intent !== 'object' || !intent) throw new RefusedError('There is no payment to refund.')
    return { intent: intent.id, hasFee: (intent.application_fee_amount ?? 0) > 0 }
  }

  async #earlierIntent(request: ChargeRequest, customer: string): Promise<Stripe.PaymentIntent | undefined> {
    const list = (stripe: Stripe) =>
      stripe.paymentIntents.list({ customer, limit: MOST_EARLIER, expand: ['data.payment_method'] })
    return findOurs(request, (await this.#client.ask(list, request.signal)).data)
  }

  async #earlierRefund(request: RefundRequest, payment_intent: string): Promise<Stripe.Refund | undefined> {
    const list = (stripe: Stripe) => stripe.refunds.list({ payment_intent, limit: MOST_EARLIER })
    return findOurs(request, (await this.#client.ask(list, request.signal)).data)
  }
}

function isSession(reference: string): boolean {
  return reference.startsWith('cs_')
}

function findOurs<Made extends { metadata: Record<string, string> | null }>(
  { accountId, key }: { accountId: string; key: string },
  made: Made[],
): Made | undefined {
  return made.find(({ metadata }) => metadata?.key === key && metadata.account === accountId)
}

function orFailed<Outcome>(ask: () => Promise<Outcome>): Promise<Outcome | Failure> {
  return ask().catch(
    only(RefusedError, ({ reference, message, code }) => ({ state: 'failed', reference, message, code })),
  )
}

function orUnknown<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  return ask().catch(replacing(RefusedError, asUnknown))
}

function asUnknown(error: RefusedError): UnknownOutcomeError {
  return new UnknownOutcomeError(`Stripe no longer has this payment: ${error.message}`)
}
