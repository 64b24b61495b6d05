import type { DeclineCode } from '../../words/declines.ts'
import type { DisputeDesk, DisputeReport } from './disputes.ts'

/** A card, or another way to pay, that a provider keeps for later charges. Never a card number. */
export interface SavedMethod {
  /** The provider's own ids, as one text that only its adapter reads. */
  token: string
  /** The card in words, such as `Visa ending in 4242`; absent where the provider does not name it. */
  card?: string
}

/** What every request to a provider says: the same key is the same request, however often it is sent. */
interface Keyed {
  accountId: string
  /** The id of our payment or refund; providers take it as idempotency key. */
  key: string
  /** Minor units of `currency`. */
  amount: number
  /** Lower-case ISO 4217. */
  currency: string
  signal?: AbortSignal
}

/** What a job asks for, which may be long after an earlier try whose answer was lost. */
interface Repeatable extends Keyed {
  /**
   * The number of this try. Providers forget keys, some after 24 hours, so from the second try on, and where the number
   * is absent, the provider is asked first what became of the earlier ones. Say 1 only where there was none.
   */
  attempt?: number
}

/** A payment by a buyer who is there. An amount of 0 saves a method for later charges and takes nothing. */
export interface CollectRequest extends Keyed {
  /** What the buyer sees on the provider's pages and on statements. */
  description: string
  email: string
  /** Later charges will follow without the buyer. */
  saveMethod: boolean
  /**
   * Where the provider sends the buyer back to, with `payment=done` or `payment=canceled` added to its query. Anybody can
   * write that: what became of the payment is for `lookUp` to say.
   */
  returnUrl: string
  /** A test card's number; the test provider alone takes card numbers. It is stored nowhere. */
  card?: string
}

/** A payment by a saved method, while the buyer is not there. */
export interface ChargeRequest extends Repeatable {
  description: string
  method: SavedMethod
}

export interface RefundRequest extends Repeatable {
  reference: string
}

/** Why a payment or refund failed, in words for the buyer or the merchant: `The card was declined.` */
export interface Failure {
  state: 'failed'
  reference: string | null
  message: string
  /** Our word for it; absent where the provider gives none. */
  code?: DeclineCode
}

export type PaymentOutcome =
  /** The reference may be another than before: keep this one, which `refund` needs. */
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

export type Notice =
  | { kind: 'payment'; accountId: string; key: string; outcome: PaymentOutcome }
  | { kind: 'refund'; accountId: string; key: string; outcome: RefundOutcome }
  | OutsideRefund
  | DisputeNotice

/** A refund that somebody made at the provider itself. `key` is our payment. */
export interface OutsideRefund {
  kind: 'outside_refund'
  accountId: string
  key: string
  reference: string
  /** Minor units of the payment's currency. */
  amount: number
  reason: string | null
  outcome: RefundOutcome
}

/** A provider's report of a dispute. `key` is our payment. */
export interface DisputeNotice extends DisputeReport {
  kind: 'dispute'
  accountId: string
  key: string
}

/** A payment that was begun, by the reference that its outcome gave. */
export interface PaymentReference {
  accountId: string
  key: string
  reference: string
  signal?: AbortSignal
}

/** A notice whose signature is wrong, or that cannot be read: it changes nothing. */
export class BadNoticeError extends Error {
  override name = 'BadNoticeError'
}

/** How a provider is called, set up and heard of, so that nothing outside its folder has to name it. */
export interface PaymentOption {
  readonly name: string
  readonly title: string
  /** What to do so that it takes payments, one step each. */
  readonly setUp: readonly string[]
  /** The path that it posts notices to, below the address of the service; null for one that posts none. */
  readonly noticesPath: string | null
}

/**
 * Where money comes from. A rejection means that the outcome is not known: the same request is sent again later, or
 * `lookUp` is asked. What the provider refused is an outcome. KeyRefusedError alone says that nothing was carried out.
 */
export interface PaymentProvider extends Omit<PaymentOption, 'setUp'> {
  /** What checkouts, orders and charges show. */
  readonly processor: 'test' | 'card' | 'x402'
  readonly live: boolean
  /** Whether its payments are real, in one sentence for the owner of a shop. */
  readonly reason: string
  /** What to do so that its payments are real, one step each; empty where they are, or cannot be. */
  readonly missing: readonly string[]
  /** It answers in this process and at once, so rules may call it inside their transaction. */
  readonly immediate: boolean
  /** How disputes are answered; null where payments cannot be disputed. */
  readonly disputes: DisputeDesk | null
  collect(request: CollectRequest): Promise<PaymentOutcome>
  charge(request: ChargeRequest): Promise<PaymentOutcome>
  refund(request: RefundRequest): Promise<RefundOutcome>
  lookUp(request: PaymentReference): Promise<PaymentOutcome>
  /** Ends a payment that was begun and not made, so that it can no longer be. A payment that was made stays made. */
  abandon(request: PaymentReference): Promise<void>
  /**
   * Checks and reads what the provider posts; null when it is about nothing of ours. Throws BadNoticeError. Any other
   * rejection means that it could not be read now, and that the provider should post it again. Notices come late, twice and
   * in any order.
   */
  readNotice(body: Uint8Array, header: (name: string) => string | null): Promise<Notice | null>
}

export interface TestCard {
  number: string
  /** What happens with it, after its number in a sentence: `is declined`. */
  description: string
}

/** The provider of test mode, which plays the bank as well. */
export interface TestProvider extends PaymentProvider {
  readonly cards: readonly TestCard[]
  /** Why a number cannot be paid with, for the page to show at its field; null for a test card. It does not repeat it. */
  cardProblem(card: string): string | null
  /**
   * The buyer's answer on the simulated page of the bank. It remembers nothing: whether the payment is still wanted is for
   * the caller to know.
   */
  answerSecondStep(answer: PaymentReference & { approved: boolean }): Promise<PaymentOutcome>
  /** The dispute that a payment by a certain card leads to; null for other payments. */
  disputeOf(payment: { reference: string; paidAt: string }): (DisputeReport & { dueAt: string }) | null
}

type Hex = `0x${string}`

/** What a transfer must be, in the words of x402. */
export interface TransferTerms {
  scheme: 'exact'
  /** The identifier of the chain (CAIP-2): `eip155:8453`. */
  network: string
  /** Units of the token, of which a dollar of USDC has a million. */
  amount: string
  asset: string
  payTo: string
  maxTimeoutSeconds: number
  extra: { name: string; version: string }
}

/** A transfer that its payer has signed: anybody may hand it in, and it moves money once at most (EIP-3009). */
export interface SignedTransfer {
  from: Hex
  to: Hex
  value: string
  /** Seconds since 1970. */
  validAfter: string
  validBefore: string
  /** 32 bytes that the payer signs once only. */
  nonce: Hex
  signature: Hex
}

/** What a client of x402 brings: the terms that it has accepted, and what it has signed. */
export interface BroughtTransfer {
  accepted: Pick<TransferTerms, 'scheme' | 'network' | 'amount' | 'asset' | 'payTo'>
  transfer: SignedTransfer
  /** The extensions of the terms, as the client sends them back. The payer has not signed them. */
  extensions: Readonly<Record<string, unknown>>
}

/** A facilitator may list this in its catalogue: the address that was paid, and how programs pay there. */
export interface Listing {
  resource: { url: string; description: string; mimeType: string }
  extensions: Readonly<Record<string, unknown>>
}

/** Why a transfer is not taken: a code of x402, and a sentence. */
export interface TransferRefusal {
  code: string
  message: string
}

export type TransferCheck =
  | ({ state: 'refused' } & TransferRefusal)
  /** It would move the money now. `key` names it among all transfers; `reference` is what `lookUp` finds it by. */
  | { state: 'good'; key: string; reference: string }

export interface TransferRequest extends Repeatable {
  reference: string
  terms: TransferTerms
  transfer: SignedTransfer
  listing?: Listing | undefined
}

/**
 * Payments in USDC by x402. The money goes to the wallet of the account, so nothing can be sent back: `check` looks without moving
 * anything, and `hand in` comes after the payment is claimed. `abandon` rejects as long as the transfer could still be made.
 */
export interface X402Provider extends PaymentProvider {
  serves(network: string): boolean
  /** Reads the header that a client sends. Throws TransferUnreadableError. */
  read(header: string): BroughtTransfer
  /** Names a transfer as `check` does, without looking. */
  keyOf(brought: BroughtTransfer): string
  /** Rejects when the network cannot be asked now. */
  check(brought: BroughtTransfer, terms: TransferTerms, listing?: Listing): Promise<TransferCheck>
  /** Hands the transfer in and waits until it is final. Rejects while the outcome is not known. */
  handIn(request: TransferRequest): Promise<PaymentOutcome>
}

/** A header that is no payment of x402; the message says what is wrong with it. */
export class TransferUnreadableError extends Error {
  override name = 'TransferUnreadableError'
}
