import type { DeclineCode } from '../../format/declines.ts'
import type { DisputeDesk, DisputeReport } from './disputes.ts'

/** A card or another payment method that a provider stores for later charges. Never a card number. */
export interface SavedMethod {
  /** The provider's own ids, in one string that only its adapter parses. */
  token: string
  /** The card in words, such as `Visa ending in 4242`; absent if the provider does not report it. */
  card?: string
}

/** The fields of every request to a provider. Requests with the same key are the same request. */
interface KeyedRequest {
  accountId: string
  /** The id of our payment or refund, which providers use as the idempotency key. */
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
   * The number of this attempt. Providers forget keys, some after 24 hours, so from the second attempt on, or if the number is
   * absent, the adapter first looks for earlier attempts at the provider. Pass 1 only if there were none.
   */
  attempt?: number
}

/** A payment with the buyer present. An amount of 0 saves a method for later charges and takes nothing. */
export interface CollectRequest extends KeyedRequest {
  /** The text that the buyer sees on the provider's pages and on statements. */
  description: string
  email: string
  /** Whether later charges will follow without the buyer. */
  saveMethod: boolean
  /**
   * The URL to which the provider redirects the buyer, with `payment=done` or `payment=canceled` added to the query. Anybody can
   * forge this request, so only `lookUp` shows the outcome.
   */
  returnUrl: string
  /** The number of a test card, which only the test provider accepts. The number is not stored. */
  card?: string
}

/** A payment with a saved method, without the buyer present. */
export interface ChargeRequest extends RetriedRequest {
  description: string
  method: SavedMethod
}

export interface RefundRequest extends RetriedRequest {
  reference: string
}

/** A failed payment or refund, with the reason for the buyer or the merchant, such as `The card was declined.` */
export interface Failure {
  state: 'failed'
  reference: string | null
  message: string
  /** Our decline code; absent if the provider gives none. */
  code?: DeclineCode
}

export type PaymentOutcome =
  /** The reference may differ from that of an earlier outcome. The new one has to be stored, because `refund` needs it. */
  | { state: 'succeeded'; reference: string; method: SavedMethod | null }
  | Failure
  /** The buyer has to open `url` to enter a card or for a second step such as 3-D Secure. */
  | { state: 'needs_buyer'; reference: string; url: string }
  /** The provider will report the outcome later, by a webhook or when `lookUp` is called. */
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

/** A refund that was made at the provider, not through this service. `key` is our payment. */
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

/** A provider's report of a dispute. `key` is our payment. */
interface DisputeNotice extends DisputeReport {
  kind: 'dispute'
  accountId: string
  key: string
}

/** A payment that was started, identified by the reference in its outcome. */
export interface PaymentReference {
  accountId: string
  key: string
  reference: string
  signal?: AbortSignal
}

/** A webhook request with a wrong signature or unreadable content; it changes nothing. */
export class BadNoticeError extends Error {
  override name = 'BadNoticeError'
}

/** The name, setup and webhook path of a provider, so that code in other folders need not name it. */
export interface PaymentOption {
  readonly name: string
  readonly title: string
  /** The setup instructions, one step each. */
  readonly setUp: readonly string[]
  /** The webhook path below the service's URL; null if the provider sends none. */
  readonly noticesPath: string | null
}

/**
 * A payment provider. A rejection means that the outcome is unknown: the same request is repeated later, or `lookUp` is called. A
 * refusal is an outcome, not a rejection. Only KeyRefusedError guarantees that nothing was carried out.
 */
export interface PaymentProvider extends Omit<PaymentOption, 'setUp'> {
  /** The processor that checkouts, orders and charges show. */
  readonly processor: 'test' | 'card' | 'x402'
  readonly live: boolean
  /** A sentence for the owner of a shop that says whether the provider's payments are real. */
  readonly reason: string
  /** The steps for switching to real payments; empty if payments are real already or cannot be. */
  readonly missing: readonly string[]
  /** Whether the provider responds synchronously in this process, so that rules may call it inside their transaction. */
  readonly immediate: boolean
  /** Answers disputes; null if payments cannot be disputed. */
  readonly disputes: DisputeDesk | null
  collect(request: CollectRequest): Promise<PaymentOutcome>
  charge(request: ChargeRequest): Promise<PaymentOutcome>
  refund(request: RefundRequest): Promise<RefundOutcome>
  lookUp(request: PaymentReference): Promise<PaymentOutcome>
  /** Cancels a payment that has not been made, so that it cannot be made any more. A completed payment stays completed. */
  abandon(request: PaymentReference): Promise<void>
  /**
   * Verifies and parses a webhook request; null if it is not about our objects. Throws BadNoticeError. Any other rejection means
   * that it could not be read now and that the provider should send it again. Webhooks arrive late, twice and in any order.
   */
  readNotice(body: Uint8Array, header: (name: string) => string | null): Promise<Notice | null>
}

export interface TestCard {
  number: string
  /** The behaviour of the card, as the end of a sentence that begins with its number: `is declined`. */
  description: string
}

/** The provider of test mode, which also simulates the buyer's bank. */
export interface TestProvider extends PaymentProvider {
  readonly cards: readonly TestCard[]
  /** Returns an error message for a number that is no test card, or null. The message does not repeat the number. */
  cardProblem(card: string): string | null
  /**
   * Applies the buyer's choice on the simulated page of the bank. The provider is stateless, so the caller must check that the
   * payment is still wanted.
   */
  answerSecondStep(answer: PaymentReference & { approved: boolean }): Promise<PaymentOutcome>
  /** Returns the dispute that a payment with a certain test card causes; null for other payments. */
  disputeOf(payment: { reference: string; paidAt: string }): (DisputeReport & { dueAt: string }) | null
}

type Hex = `0x${string}`

/** The terms that a transfer has to meet, as x402 defines them. */
export interface TransferTerms {
  scheme: 'exact'
  /** The identifier of the chain (CAIP-2): `eip155:8453`. */
  network: string
  /** The amount in units of the token; a dollar of USDC has a million. */
  amount: string
  asset: string
  payTo: string
  maxTimeoutSeconds: number
  extra: { name: string; version: string }
}

/** A transfer that its payer has signed. Anybody may submit it, and it moves money at most once (EIP-3009). */
export interface SignedTransfer {
  from: Hex
  to: Hex
  value: string
  /** The start of the transfer's validity, in seconds since 1970. */
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
  /** The `extensions` of the x402 payment requirements as the client echoed them. The signature does not cover them. */
  extensions: Readonly<Record<string, unknown>>
}

/** The paid URL and instructions for software clients, which a facilitator may list in its catalogue. */
export interface Listing {
  resource: { url: string; description: string; mimeType: string }
  extensions: Readonly<Record<string, unknown>>
}

/** The reason why a transfer was refused: an x402 error code and a sentence. */
export interface TransferRefusal {
  code: string
  message: string
}

export type TransferCheck =
  | ({ state: 'refused' } & TransferRefusal)
  /** The transfer would move the money now. `key` identifies the transfer; `lookUp` finds it by `reference`. */
  | { state: 'good'; key: string; reference: string }

export interface TransferRequest extends RetriedRequest {
  reference: string
  terms: TransferTerms
  transfer: SignedTransfer
  listing?: Listing | undefined
}

/**
 * Takes payments in USDC by x402. The money goes to the account's wallet and cannot be returned, so `check` moves nothing, and
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

/** A header that is not a valid x402 payment; the message gives the reason. */
export class TransferUnreadableError extends Error {
  override name = 'TransferUnreadableError'
}
