import type { DeclineCode } from '../../format/declines.ts'
import type { DisputeDesk, DisputeReport } from './disputes.ts'

/** A card or another payment method that a provider stores for later charges, without its number. */
export interface SavedMethod {
  /** The provider's own ids in one string, which only its adapter parses. */
  token: string
  /** A description such as `Visa ending in 4242`; absent if the provider does not report the card. */
  card?: string
}

/** The fields of every request. Requests with the same key count as one request. */
interface KeyedRequest {
  accountId: string
  /** The id of our payment or refund, used as the idempotency key. */
  key: string
  /** The amount in minor units of `currency`. */
  amount: number
  /** The currency as a lower-case ISO 4217 code. */
  currency: string
  signal?: AbortSignal
}

/** A request of a job, which may run long after an earlier attempt whose response was lost. */
interface RetriedRequest extends KeyedRequest {
  /**
   * Counts from 1. All but the first attempt must look for earlier ones at the provider, because it forgets keys, some after 24 hours.
   * If the number is absent, there may have been earlier attempts.
   */
  attempt?: number
}

/** A payment with the buyer present. An amount of 0 only saves a payment method. */
export interface CollectRequest extends KeyedRequest {
  /** The text on the provider's pages and on the buyer's statements. */
  description: string
  email: string
  /** Whether charges without the buyer will follow. */
  saveMethod: boolean
  /** The provider adds `payment=done` or `payment=canceled`, which anybody can forge, so only `lookUp` shows the outcome. */
  returnUrl: string
  /** The number of a test card, which is not stored; only for the test provider. */
  card?: string
}

export interface ChargeRequest extends RetriedRequest {
  description: string
  method: SavedMethod
}

export interface RefundRequest extends RetriedRequest {
  reference: string
}

/** The message is for the buyer or the merchant, such as `The card was declined.` */
export interface Failure {
  state: 'failed'
  reference: string | null
  message: string
  /** Our decline code; absent if the provider gives none. */
  code?: DeclineCode
}

export type PaymentOutcome =
  /** The reference may differ from that of an earlier outcome and has to be stored, because `refund` needs the new one. */
  | { state: 'succeeded'; reference: string; method: SavedMethod | null }
  | Failure
  /** The buyer has to open `url`, to enter a card or for a second step such as 3-D Secure. */
  | { state: 'needs_buyer'; reference: string; url: string }
  /** The outcome follows later, by a webhook or from `lookUp`. */
  | { state: 'pending'; reference: string }

export type RefundOutcome =
  | { state: 'succeeded'; reference: string }
  | { state: 'pending'; reference: string }
  | Failure

export type Notice =
  | { kind: 'payment'; accountId: string; key: string; outcome: PaymentOutcome }
  | { kind: 'refund'; accountId: string; key: string; outcome: RefundOutcome }
  | OutsideRefund
  | DisputeNotice

/** A refund that was not made through this service. `key` is the id of our payment. */
export interface OutsideRefund {
  kind: 'outside_refund'
  accountId: string
  key: string
  reference: string
  /** The amount in minor units of the payment's currency. */
  amount: number
  reason: string | null
  outcome: RefundOutcome
}

/** `key` is the id of our payment. */
interface DisputeNotice extends DisputeReport {
  kind: 'dispute'
  accountId: string
  key: string
}

export interface PaymentReference {
  accountId: string
  key: string
  reference: string
  signal?: AbortSignal
}

/** The outcome of a request is unknown, so it has to be looked up or repeated. The message contains no secret, such as a URL with a key. */
export class UnknownOutcomeError extends Error {}

/** A webhook request with a wrong signature or unreadable content, which must change nothing. */
export class BadNoticeError extends Error {}

export interface PaymentOption {
  readonly name: string
  readonly title: string
  /** The setup instructions, one step each. */
  readonly setUp: readonly string[]
  /** The webhook path below the service's URL; null if the provider sends no webhooks. */
  readonly noticesPath: string | null
}

/**
 * A rejection means that the outcome is unknown and has to be looked up, or the request repeated. A refusal is an outcome, not a
 * rejection. Only KeyRefusedError guarantees that nothing was carried out.
 */
export interface PaymentProvider extends Omit<PaymentOption, 'setUp'> {
  /** The kind of processor that checkouts, orders and charges show. */
  readonly processor: 'test' | 'card' | 'x402'
  readonly live: boolean
  /** Tells the owner of a shop in a sentence whether payments are real. */
  readonly reason: string
  /** The remaining steps before payments are real; empty if they already are, or cannot be. */
  readonly missing: readonly string[]
  /** Whether the provider responds in this process without I/O, so that rules may call it inside their transaction. */
  readonly immediate: boolean
  /** Null if payments cannot be disputed. */
  readonly disputes: DisputeDesk | null
  collect(request: CollectRequest): Promise<PaymentOutcome>
  charge(request: ChargeRequest): Promise<PaymentOutcome>
  refund(request: RefundRequest): Promise<RefundOutcome>
  lookUp(request: PaymentReference): Promise<PaymentOutcome>
  /** Cancels a payment that was not completed, so that it can no longer succeed. A completed payment stays completed. */
  abandon(request: PaymentReference): Promise<void>
  /**
   * Returns null if a webhook is not about our objects. Throws BadNoticeError. After any other rejection, the provider has to send the
   * webhook again. Webhooks arrive late, twice and in any order.
   */
  readNotice(body: Uint8Array, header: (name: string) => string | null): Promise<Notice | null>
}

export interface TestCard {
  number: string
  /** The end of a sentence that begins with the number: `is declined`. */
  description: string
}

/** The provider of test mode, which also simulates the buyer's bank. */
export interface TestProvider extends PaymentProvider {
  readonly cards: readonly TestCard[]
  /** Returns an error message if the number is not that of a test card, or null. The message does not repeat the number. */
  cardProblem(card: string): string | null
  /** Applies the buyer's choice on the simulated page of the bank. The caller checks that the payment is still open. */
  answerSecondStep(answer: PaymentReference & { approved: boolean }): Promise<PaymentOutcome>
  /** Returns the dispute that certain test cards cause; null for other payments. */
  disputeOf(payment: { reference: string; paidAt: string }): (DisputeReport & { dueAt: string }) | null
}

type Hex = `0x${string}`

/** The payment requirements of x402. */
export interface TransferTerms {
  scheme: 'exact'
  /** The CAIP-2 identifier of the chain: `eip155:8453`. */
  network: string
  /** The amount in units of the token; a dollar of USDC has a million units. */
  amount: string
  asset: string
  payTo: string
  maxTimeoutSeconds: number
  extra: { name: string; version: string }
}

/** A transfer that the payer has signed. Anybody may submit it, and it moves money at most once (EIP-3009). */
export interface SignedTransfer {
  from: Hex
  to: Hex
  value: string
  /** Seconds since 1970. */
  validAfter: string
  validBefore: string
  /** 32 bytes that the payer uses for one transfer only. */
  nonce: Hex
  signature: Hex
}

/** The terms that an x402 client accepted, and the transfer that it signed. */
export interface BroughtTransfer {
  accepted: Pick<TransferTerms, 'scheme' | 'network' | 'amount' | 'asset' | 'payTo'>
  transfer: SignedTransfer
  /** The `extensions` of the x402 payment requirements as the client echoed them, which the signature does not cover. */
  extensions: Readonly<Record<string, unknown>>
}

/** The paid URL with instructions for software clients, for the catalogue of a facilitator. */
export interface Listing {
  resource: { url: string; description: string; mimeType: string }
  extensions: Readonly<Record<string, unknown>>
}

/** An x402 error code and a sentence for the client. */
export interface TransferRefusal {
  code: string
  message: string
}

export type TransferCheck =
  | ({ state: 'refused' } & TransferRefusal)
  /** The transfer would succeed now. `key` identifies the transfer; `lookUp` finds it by `reference`. */
  | { state: 'good'; key: string; reference: string }

export interface TransferRequest extends RetriedRequest {
  reference: string
  terms: TransferTerms
  transfer: SignedTransfer
  listing?: Listing | undefined
}

/**
 * Takes payments in USDC by x402. The money goes to the account's wallet and cannot be returned. Therefore, `check` moves nothing, and
 * `handIn` is called after the payment is claimed. `abandon` rejects as long as the transfer could still be made.
 */
export interface X402Provider extends PaymentProvider {
  serves(network: string): boolean
  /** Parses the client's header. Throws TransferUnreadableError. */
  read(header: string): BroughtTransfer
  /** Returns the same key as `check`, without checking the transfer. */
  keyOf(brought: BroughtTransfer): string
  /** Checks a transfer against the terms. Rejects if the network cannot be reached. */
  check(brought: BroughtTransfer, terms: TransferTerms, listing?: Listing): Promise<TransferCheck>
  /** Submits the transfer and waits until it is final. Rejects if the outcome is still unknown. */
  handIn(request: TransferRequest): Promise<PaymentOutcome>
}

export class TransferUnreadableError extends Error {}
