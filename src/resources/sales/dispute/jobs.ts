import type { DisputeOutcome } from '../../../providers/payments/disputes.ts'
import type { PaymentProvider } from '../../../providers/payments/provider.ts'
import { AskAgainError, type JobContext, job } from '../../../records/job.ts'
import { requireRow } from '../../../records/records.ts'
import { insistAtProvider, unlessGone } from '../payment/ask.ts'
import { DISPUTE_EVENTS } from '../payment/events.ts'
import { Payment } from '../payment/payment.ts'
import { Dispute } from './dispute.ts'
import { passOn, SEND_RESPONSE, settleResponseById } from './respond.ts'

const TRIES = 30
const UNREACHABLE = { state: 'refused', message: 'The payment provider could not be reached. Send it again.' } as const
const CONNECTION_DELETED = {
  state: 'refused',
  message: 'The connection to the payment provider was deleted before the answer was sent. Answer the dispute there.',
} as const

/** Sends the shop's answer to the provider. Retries use the same idempotency key. */
export const sendResponse = job<{ dispute: string }>(SEND_RESPONSE.name, {
  emits: DISPUTE_EVENTS,
  attempts: TRIES,
  async work(job, { dispute: id }) {
    const outcome = await outcomeOf(job, id)
    if (outcome) await job.transaction((context) => settleResponseById(context, id, outcome), { inTurn: true })
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
