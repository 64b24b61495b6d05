import type { DisputeOutcome } from '../../../outside/payments/disputes.ts'
import { type JobPlace, job } from '../../../records/job.ts'
import { requireRow } from '../../../records/records.ts'
import { Payment } from '../payment/payment.ts'
import { Dispute } from './dispute.ts'
import { DISPUTE_EVENTS } from './events.ts'
import { askProvider, SEND_RESPONSE, settleResponseById } from './respond.ts'

const TRIES = 30
const UNREACHABLE = { state: 'refused', message: 'The payment provider could not be reached. Send it again.' } as const

/** Passes an answer on to the provider; the same answer is the same request, however often it is sent. */
export const sendResponse = job<{ dispute: string }>(SEND_RESPONSE.name, {
  emits: DISPUTE_EVENTS,
  attempts: TRIES,
  async work(place, { dispute: id }) {
    const outcome = await outcomeOf(place, id)
    if (outcome) await place.transaction((context) => settleResponseById(context, id, outcome), { inTurn: true })
  },
})

/** Returns null when no answer is waiting. */
async function outcomeOf(place: JobPlace, id: string): Promise<DisputeOutcome | null> {
  const { jobId: key, attempt, signal, services } = place
  const [dispute, payment] = await place.read(async (context) => {
    const found = await requireRow(context, Dispute, id)
    return [found, await requireRow(context, Payment, found.payment)]
  })
  if (dispute.response_status !== 'sending') return null
  try {
    return await askProvider(services.payments.named(payment.provider), dispute, { key, attempt, signal })
  } catch (error) {
    if (attempt < TRIES) throw error
    return UNREACHABLE
  }
}
