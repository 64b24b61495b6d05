import { isUser } from '../../../contract/declarations/caller.ts'
import { ApiError } from '../../../contract/declarations/errors.ts'
import { formatUtcMoment } from '../../../format/moments.ts'
import { inWords } from '../../../format/names.ts'
import type { DisputeOutcome, DisputeRequest } from '../../../providers/payments/disputes.ts'
import type { PaymentProvider } from '../../../providers/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { AskAgainError, type JobContext, job } from '../../../records/job.ts'
import { changeRow, findRow, requireRow } from '../../../records/records.ts'
import { namesOf } from '../../company/user/names.ts'
import { Order } from '../order/order.ts'
import { requireConnected } from '../payment/connection/open.ts'
import { DISPUTE_EVENTS } from '../payment/events.ts'
import { Payment } from '../payment/payment.ts'
import { insistAtProvider, unlessGone } from '../payment/provider.ts'
import { requireWithinLimit } from '../refund/create.ts'
import { bookDispute } from './book.ts'
import { Dispute, type DisputeRow } from './dispute.ts'
import { evidenceOf } from './evidence.ts'

/** Sends the shop's answer to the bank, with evidence of the sale; a dispute can be answered only once. */
export async function answerDispute(
  context: Context,
  dispute: DisputeRow,
  { answer }: { answer: string },
): Promise<DisputeRow> {
  await requireAnswerable(context, dispute)
  const evidence = await evidenceOf(context, dispute)
  return respond(context, dispute, { response: 'answer', answer, evidence })
}

/** Leaves the money to the buyer. The amount counts towards the refund limit of the person who accepts. */
export async function acceptDispute(context: Context, dispute: DisputeRow): Promise<DisputeRow> {
  await requireUnanswered(context, dispute)
  const order = await requireRow(context, Order, dispute.order)
  const within_limit = await requireWithinLimit(context, order, dispute.amount)
  return respond(context, dispute, { response: 'acceptance', answer: null, evidence: null, within_limit })
}

async function respond(context: Context, dispute: DisputeRow, response: Partial<DisputeRow>): Promise<DisputeRow> {
  const payment = await requireRow(context, Payment, dispute.payment)
  await requireConnected(context, payment, (title) => `Answer the dispute at ${title}.`)
  const { caller, now } = context
  const sending = await changeRow(context, Dispute, dispute, {
    ...response,
    ...{ response_status: 'sending', response_error: null, responded_at: now },
    responded_by: isUser(caller) ? caller.userId : null,
  })
  const { payments } = context.services
  if (payments.isImmediate(payment.provider)) {
    const outcome = await passOn(payments.named(payment.provider), sending, { key: sending.id })
    return settleResponse(context, sending, outcome)
  }
  await context.enqueue(sendResponse, { dispute: dispute.id }, { awaited: true })
  return sending
}

function passOn(
  { disputes, title }: PaymentProvider,
  dispute: DisputeRow,
  more: Pick<DisputeRequest, 'key' | 'attempt' | 'signal'>,
): Promise<DisputeOutcome> {
  if (disputes === null) throw new ApiError('invalid_state', `Payments by ${title} cannot be disputed.`)
  const request = { reference: dispute.reference, ...more }
  const { answer, evidence } = dispute
  if (answer === null || evidence === null) return disputes.accept(request)
  return disputes.answer({ ...request, evidence: { ...evidence, answer } })
}

async function settleResponse(context: Context, dispute: DisputeRow, outcome: DisputeOutcome): Promise<DisputeRow> {
  if (dispute.response_status !== 'sending') return dispute
  if (outcome.state === 'refused')
    return changeRow(context, Dispute, dispute, { response_status: 'refused', response_error: outcome.message })
  const sent = await changeRow(context, Dispute, dispute, { response_status: 'sent' })
  const { order: id, payment, reference, amount, inquiry, reason, due_at: dueAt } = sent
  const order = await requireRow(context, Order, id)
  await bookDispute(context, { order, payment }, { reference, amount, inquiry, reason, dueAt, state: outcome.became })
  return requireRow(context, Dispute, sent.id)
}

const TRIES = 30
const UNREACHABLE = { state: 'refused', message: 'The payment provider could not be reached. Send it again.' } as const
const CONNECTION_DELETED = {
  state: 'refused',
  message: 'The connection to the payment provider was deleted before the answer was sent. Answer the dispute there.',
} as const

/** Sends the shop's answer to the provider. Retries use the same idempotency key. */
export const sendResponse = job<{ dispute: string }>('dispute.respond', {
  emits: DISPUTE_EVENTS,
  attempts: TRIES,
  async work(job, { dispute: id }) {
    const outcome = await outcomeOf(job, id)
    if (!outcome) return
    const settle = async (context: Context) => {
      const dispute = await findRow(context, Dispute, id)
      if (dispute) await settleResponse(context, dispute, outcome)
    }
    await job.transaction(settle, { inTurn: true })
  },
})

/** Returns null if no answer is waiting to be sent. */
async function outcomeOf(job: JobContext, id: string): Promise<DisputeOutcome | null> {
  const { jobId: key, attempt, signal } = job
  const [dispute, payment] = await job.read(async (context) => {
    const found = await requireRow(context, Dispute, id)
    return [found, await requireRow(context, Payment, found.payment)]
  })
  if (dispute.response_status !== 'sending') return null
  try {
    const passing = (provider: PaymentProvider) => passOn(provider, dispute, { key, attempt, signal })
    return (await unlessGone(insistAtProvider(job, payment.provider, passing))) ?? CONNECTION_DELETED
  } catch (error) {
    if (attempt < TRIES || error instanceof AskAgainError) throw error
    return UNREACHABLE
  }
}

/** Whether the bank waits for an answer that is neither sent nor being sent. */
export function isUnanswered({ status, response_status }: DisputeRow): boolean {
  return status === 'needs_response' && response_status !== 'sending' && response_status !== 'sent'
}

export function isTooLate({ now }: Pick<Context, 'now'>, { due_at }: DisputeRow): boolean {
  return due_at !== null && due_at <= now
}

/** Throws a 400 for a decided or answered dispute; the message names the person who answered. */
async function requireUnanswered(context: Context, dispute: DisputeRow): Promise<void> {
  if (isUnanswered(dispute)) return
  const { status, response, responded_by, responded_at } = dispute
  if (response === null || responded_at === null)
    throw new ApiError('invalid_state', `This dispute is ${inWords(status)}: there is nothing to answer.`)
  const who = responded_by === null ? undefined : (await namesOf(context, [responded_by])).get(responded_by)
  const did = response === 'answer' ? 'answered' : 'accepted'
  throw new ApiError(
    'invalid_state',
    `${who?.name ?? 'Somebody'} ${did} this dispute on ${formatUtcMoment(responded_at)}. It can be answered once.`,
  )
}

/** Like `requireUnanswered`, and also throws a 400 after the bank's deadline. */
async function requireAnswerable(context: Context, dispute: DisputeRow): Promise<void> {
  await requireUnanswered(context, dispute)
  const { due_at } = dispute
  if (due_at === null || !isTooLate(context, dispute)) return
  const due = formatUtcMoment(due_at)
  throw new ApiError('invalid_state', `The bank took answers until ${due}. You can only accept the dispute now.`)
}
