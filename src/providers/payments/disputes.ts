import type { DisputeReason } from '../../format/dispute-reasons.ts'

export interface DisputeReport {
  reference: string
  /** The disputed amount in minor units of the payment's currency; null for the whole payment. */
  amount: number | null
  /** `opened`: the bank waits for an answer; `closed`: the dispute ended without moving money. */
  state: 'opened' | 'under_review' | 'won' | 'lost' | 'closed'
  /** Whether this is an inquiry, for which the bank has taken no money. An inquiry may become a dispute with the same id. */
  inquiry: boolean
  reason: DisputeReason
  /** The deadline for an answer; null if the bank gives none. */
  dueAt: string | null
}

/** The texts of a shop's answer, at most 20,000 characters each. */
export interface DisputeEvidence {
  answer: string
  customerName: string | null
  customerEmail: string
  /** The items, the total and the time of the purchase. */
  product: string
  /** The times of delivery and of the buyer's visits. */
  access: string | null
  refundPolicy: string | null
}

export interface DisputeRequest {
  /** The idempotency key. */
  key: string
  reference: string
  /** The number of this attempt, from 1; if absent, there may have been earlier attempts. */
  attempt?: number
  signal?: AbortSignal
}

export type DisputeOutcome =
  | { state: 'taken'; became: DisputeReport['state'] }
  /** The provider did not pass the answer on to the bank; `message` states the reason. */
  | { state: 'refused'; message: string }

/** Answers disputes. A rejection means that the outcome is unknown and that the request has to be repeated. */
export interface DisputeDesk {
  answer(request: DisputeRequest & { evidence: DisputeEvidence }): Promise<DisputeOutcome>
  /** Accepts the dispute: the buyer keeps the money. */
  accept(request: DisputeRequest): Promise<DisputeOutcome>
}
