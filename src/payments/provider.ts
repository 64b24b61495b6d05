/** A card, or another way to pay, that a provider keeps for later charges. Never a card number. */
export interface SavedMethod {
  /** The provider's own ids, as one text that only its adapter reads. */
  token: string
}

/** What every request to a provider says: the same key is the same request, however often it is sent. */
interface Keyed {
  /** The account whose money it is. */
  accountId: string
  /** The id of our payment or refund; providers take it as idempotency key. */
  key: string
  /** Minor units of `currency`. */
  amount: number
  /** Lower-case ISO 4217. */
  currency: string
  signal?: AbortSignal
}

/** A payment by a buyer who is there. An amount of 0 saves a method for later charges and takes nothing. */
export interface CollectRequest extends Keyed {
  /** What the buyer sees on the provider's pages and on statements. */
  description: string
  email: string
  /** Later charges will follow without the buyer. */
  saveMethod: boolean
  /** Where the provider sends the buyer back to. */
  returnUrl: string
  /** A test card's number; the test provider alone takes card numbers. */
  card?: string
}

/** A payment by a saved method, while the buyer is not there. */
export interface ChargeRequest extends Keyed {
  description: string
  method: SavedMethod
}

export interface RefundRequest extends Keyed {
  /** The reference of the payment that is refunded. */
  reference: string
}

/** Why a payment or refund failed, in words for the buyer or the merchant: `The card was declined.` */
export interface Failure {
  state: 'failed'
  reference: string | null
  message: string
}

export type PaymentOutcome =
  | { state: 'succeeded'; reference: string; method: SavedMethod | null }
  | Failure
  /** The buyer goes to `url`: to enter a card at the provider's, or for a second step such as 3-D Secure. */
  | { state: 'needs_buyer'; reference: string; url: string }
  /** The provider will say more, by a notice or when asked. */
  | { state: 'pending'; reference: string }

export type RefundOutcome =
  | { state: 'succeeded'; reference: string }
  | { state: 'pending'; reference: string }
  | Failure

/** What a provider reports by itself. */
export type Notice =
  | { kind: 'payment'; accountId: string; key: string; outcome: PaymentOutcome }
  | { kind: 'refund'; accountId: string; key: string; outcome: RefundOutcome }
  | { kind: 'dispute'; accountId: string; key: string; state: 'opened' | 'won' | 'lost' }

/** A notice whose signature is wrong, or that cannot be read: it changes nothing. */
export class BadNoticeError extends Error {
  override name = 'BadNoticeError'
}

/**
 * Where money comes from. A rejection means that the outcome is not known: the same request is sent again later, or
 * `lookUp` is asked. What the provider refused is an outcome.
 */
export interface PaymentProvider {
  /** Stored with each payment. */
  readonly name: string
  /** What checkouts, orders and charges show. */
  readonly processor: 'test' | 'card'
  /** It answers in this process and at once, so rules may call it inside their transaction. */
  readonly immediate: boolean
  collect(request: CollectRequest): Promise<PaymentOutcome>
  charge(request: ChargeRequest): Promise<PaymentOutcome>
  refund(request: RefundRequest): Promise<RefundOutcome>
  /** What became of a payment by now. */
  lookUp(request: { accountId: string; key: string; reference: string; signal?: AbortSignal }): Promise<PaymentOutcome>
  /** Ends a payment that was begun and not made, so that it can no longer be. A payment that was made stays made. */
  abandon(request: { accountId: string; key: string; reference: string; signal?: AbortSignal }): Promise<void>
  /** Checks and reads what the provider posts; null when it is about nothing of ours. Throws BadNoticeError. */
  readNotice(body: Uint8Array, header: (name: string) => string | null): Promise<Notice | null>
}

/** The providers of this service. */
export interface Payments {
  /** The one that takes new payments of an account; a test account's is always the test provider. */
  providerFor(account: { test: boolean }): PaymentProvider
  /** The one that a stored payment names. */
  named(name: string): PaymentProvider
}
