import type { StripeBank } from './stripe-bank.ts'
import { type Dispute, type Metadata, type Params, StripeRefusal } from './stripe-things.ts'

const WEEK_S = 7 * 24 * 60 * 60
const MOST_TEXT = 20_000

/** The fields of a new dispute. */
export function unanswered(): Pick<Dispute, 'reason' | 'evidence' | 'evidence_details' | 'metadata'> {
  const due_by = Math.floor(Date.now() / 1000) + WEEK_S
  return { reason: 'fraudulent', evidence: {}, evidence_details: { due_by, submission_count: 0 }, metadata: {} }
}

/** Accepts evidence once, before its deadline. Two special texts decide the dispute, as in Stripe's test mode. */
export function answerDispute(bank: StripeBank, id: string, { evidence = {}, submit, metadata }: Params): Dispute {
  const dispute = requireOpen(bank, id)
  for (const [name, text] of Object.entries(evidence as Params)) {
    if (String(text).length > MOST_TEXT) throw new StripeRefusal(400, `evidence[${name}] is too long.`)
  }
  if (dispute.evidence_details.due_by * 1000 <= Date.now())
    throw new StripeRefusal(400, 'The deadline for submitting evidence for this dispute has passed.')
  Object.assign(dispute.evidence, evidence)
  Object.assign(dispute.metadata, metadata as Metadata)
  if (submit !== 'true') return dispute
  dispute.evidence_details.submission_count += 1
  const isInquiry = dispute.status.startsWith('warning')
  const answered = structuredClone(become(bank, dispute, isInquiry ? 'warning_under_review' : 'under_review'))
  const text = String(dispute.evidence.uncategorized_text)
  if (text.includes('winning_evidence')) become(bank, dispute, isInquiry ? 'warning_closed' : 'won')
  if (text.includes('losing_evidence')) become(bank, dispute, isInquiry ? 'needs_response' : 'lost')
  return answered
}

/** The merchant accepts the dispute. */
export function closeDispute(bank: StripeBank, id: string): Dispute {
  return become(bank, requireOpen(bank, id), 'lost')
}

/** A second dispute of the same payment, over a part of it. */
export function disputeAgain(bank: StripeBank, first: Dispute, amount: number): Dispute {
  const dispute = { ...first, ...unanswered(), id: `${first.id}second`, amount }
  bank.disputes.set(dispute.id, dispute)
  return become(bank, dispute, 'needs_response')
}

export function become(bank: StripeBank, dispute: Dispute, status: Dispute['status']): Dispute {
  dispute.status = status
  const isClosed = status === 'won' || status === 'lost' || status === 'warning_closed'
  const type = isClosed ? 'charge.dispute.closed' : 'charge.dispute.updated'
  bank.emit(type, dispute)
  return dispute
}

function requireOpen(bank: StripeBank, id: string): Dispute {
  const dispute = bank.disputeOf(id)
  if (dispute.status === 'needs_response' || dispute.status === 'warning_needs_response') return dispute
  throw new StripeRefusal(400, `This dispute is ${dispute.status}: evidence can no longer be submitted.`)
}
