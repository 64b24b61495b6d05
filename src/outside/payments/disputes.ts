import type { DisputeReason } from '../../words/dispute-reasons.ts'

/** The state of a dispute or an inquiry, as the bank reports it. */
export interface DisputeReport {
  reference: string
  /** Minor units of the payment's currency; null for all of the payment. */
  amount: number | null
  /** opened: waits for an answer; closed: it ended, and no money moved. */
  state: 'opened' | 'under_review' | 'won' | 'lost' | 'closed'
  /** The bank only asks so far and has taken no money. It may become a dispute, under the same id. */
  inquiry: boolean
  reason: DisputeReason
  /** Until when the bank takes an answer; null where it names no date. */
  dueAt: string | null
}

/** The texts of a shop's answer. Providers accept at most 20,000 characters for each. */
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
  /** Names this answer: the same key is the same answer, however often it is sent. */
  key: string
  reference: string
  /** The number of this try; an absent number means that earlier tries are possible. */
  attempt?: number
  signal?: AbortSignal
}

export type DisputeOutcome =
  | { state: 'taken'; became: DisputeReport['state'] }
  /** The bank does not have the answer, and `message` says why. */
  | { state: 'refused'; message: string }

/** How disputes are answered. A rejection means that the outcome is not known: the same request is sent again later. */
export interface DisputeDesk {
  answer(request: DisputeRequest & { evidence: DisputeEvidence }): Promise<DisputeOutcome>
  /** Gives in: the buyer keeps the money. */
  accept(request: DisputeRequest): Promise<DisputeOutcome>
}
