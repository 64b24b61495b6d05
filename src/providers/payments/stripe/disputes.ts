import type { Stripe } from 'stripe'
import { cut, timestampOf } from '../../../contract/values/values.ts'
import { disputeReason } from '../../../format/dispute-reasons.ts'
import type { DisputeDesk, DisputeEvidence, DisputeOutcome, DisputeReport, DisputeRequest } from '../disputes.ts'
import { fromStripeAmount } from './amount.ts'
import type { StripeClient } from './client.ts'
import { orNotPermitted, RefusedError } from './refused.ts'

/** The maximum length of each evidence text in characters: https://docs.stripe.com/api/disputes/update. */
const MOST_TEXT = 20_000

export function reportOf(dispute: Stripe.Dispute): DisputeReport {
  const { id, amount, currency, status, reason, evidence_details: details } = dispute
  return {
    reference: id,
    amount: fromStripeAmount(amount, currency),
    state: stateOf(status),
    inquiry: status.startsWith('warning'),
    reason: disputeReason(reason),
    // Stripe reports 0 if the bank accepts no answer.
    dueAt: details?.due_by ? timestampOf(new Date(details.due_by * 1000)) : null,
  }
}

/** The statuses of inquiries begin with `warning`; a `prevented` inquiry ended before it became a dispute. */
function stateOf(status: string): DisputeReport['state'] {
  if (status === 'won' || status === 'lost') return status
  if (status === 'warning_closed' || status === 'prevented') return 'closed'
  return status.endsWith('under_review') || status.startsWith('appeal') ? 'under_review' : 'opened'
}

/** Our key in the metadata shows on a retry that the evidence was already submitted. */
export function stripeDisputes(client: StripeClient): DisputeDesk {
  return {
    answer: ({ evidence, ...request }) =>
      respond(client, request, {
        isDone: ({ metadata, status }) => metadata?.answer === request.key && stateOf(status) !== 'opened',
        send: (stripe) =>
          stripe.disputes.update(
            request.reference,
            { evidence: evidenceOf(evidence), metadata: { answer: request.key }, submit: true },
            { idempotencyKey: `answer-${request.key}` },
          ),
      }),
    accept: (request) =>
      respond(client, request, {
        isDone: ({ status }) => status === 'lost',
        send: (stripe) => stripe.disputes.close(request.reference, {}, { idempotencyKey: `accept-${request.key}` }),
      }),
  }
}

interface DisputeStep {
  isDone(dispute: Stripe.Dispute): boolean
  send(stripe: Stripe): Promise<Stripe.Dispute>
}

async function respond(
  client: StripeClient,
  { reference, attempt, signal }: DisputeRequest,
  { isDone, send }: DisputeStep,
): Promise<DisputeOutcome> {
  if (attempt !== 1) {
    const now = await client.ask((stripe) => stripe.disputes.retrieve(reference), signal)
    if (isDone(now)) return { state: 'taken', became: stateOf(now.status) }
  }
  try {
    return { state: 'taken', became: stateOf((await orNotPermitted(client.ask(send, signal))).status) }
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    return { state: 'refused', message: error.message }
  }
}

function evidenceOf(evidence: DisputeEvidence): Stripe.DisputeUpdateParams.Evidence {
  const { answer, customerName, customerEmail, product, access, refundPolicy } = evidence
  const texts = {
    uncategorized_text: answer,
    customer_name: customerName,
    customer_email_address: customerEmail,
    product_description: product,
    access_activity_log: access,
    refund_policy_disclosure: refundPolicy,
  }
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (text ? [[name, cut(text, MOST_TEXT)]] : [])),
  )
}
