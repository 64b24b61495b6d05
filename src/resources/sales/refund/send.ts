import { job } from '../../../records/job.ts'
import { findNamed, requireRow } from '../../../records/records.ts'
import { REFUND_EVENTS } from '../payment/events.ts'
import { insistAtProvider, unlessGone } from '../payment/provider.ts'
import { Refund } from './refund.ts'
import { settleRefundById } from './settle.ts'

interface RefundPayload {
  refund: string
  provider: string
  /** The provider's id of the payment that is refunded. */
  reference: string
}

/** Sends a refund to the provider. Retries use the same idempotency key. */
export const sendRefund = job('refund.send', {
  emits: REFUND_EVENTS,
  attempts: 30,
  async foresee(context, sending: RefundPayload[]) {
    const refunds = await findNamed(context, Refund, 'refund', sending)
    return [...refunds.values()].map(({ amount, currency }) => ({ kind: 'refund', amount, currency }))
  },
  async work(job, { refund: id, provider: name, reference }: RefundPayload) {
    const { accountId, signal, attempt } = job
    const refund = await job.transaction((context) => requireRow(context, Refund, id))
    if (refund.status !== 'pending') return
    const { amount, currency } = refund
    const request = { accountId, key: id, reference, amount, currency, signal, attempt }
    const asked = await unlessGone(insistAtProvider(job, name, (provider) => provider.refund(request)))
    const outcome = asked ?? ({ state: 'failed', reference: null, message: CONNECTION_DELETED } as const)
    await job.transaction((context) => settleRefundById(context, id, outcome), { inTurn: true })
  },
})

const CONNECTION_DELETED =
  'The connection to the payment provider was deleted before the refund was made. Refund the payment there.'
