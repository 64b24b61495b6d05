import { isUser } from '../../../contract/declarations/caller.ts'
import type { DisputeReport } from '../../../providers/payments/disputes.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { writeLog } from '../../../records/log.ts'
import { changeRow, insertRow, requireRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { noteForTeam } from '../../messages/email/team/notices.ts'
import { Charge } from '../charge/charge.ts'
import { Order, type OrderRow } from '../order/order.ts'
import { setOrderStatus } from '../order/previous.ts'
import { DISPUTE_EVENTS } from '../payment/events.ts'
import { Payment, type PaymentRow } from '../payment/payment.ts'
import { bookRefund, findRefund, reverseRefund } from '../refund/book.ts'
import { Refund } from '../refund/refund.ts'
import { Dispute, type DisputeRow } from './dispute.ts'

/**
 * Records a provider's report on a dispute. A lost dispute becomes a refund, limited to what is left of the order, and a later decision for
 * the shop reverses this refund. An inquiry moves no money.
 */
export async function bookDispute(
  context: Context,
  disputed: { order: OrderRow; payment: string },
  told: DisputeReport,
): Promise<void> {
  const { order } = disputed
  const dispute = await keepDispute(context, disputed, told)
  if (dispute === null || told.inquiry) return
  const lost = await findRefund(context, order.id, told.reference)
  if (lost) {
    if (told.state === 'won' && lost.status === 'succeeded') await reverseRefund(context, lost, WON_LATER)
    return
  }
  if (told.state === 'opened' || told.state === 'under_review') return void (await markDisputed(context, order))
  // The report that the dispute was lost can arrive before the report that it was opened.
  const opened = told.state === 'lost' ? await markDisputed(context, order) : order
  if (opened.status !== 'disputed') return
  const closed = (await othersAreOpen(context, dispute)) ? opened : await unmarkDisputed(context, opened)
  if (told.state === 'lost') await refundRest(context, closed, dispute)
}

const WON_LATER = 'The dispute was decided for the shop in the end.'

async function markDisputed(context: Context, order: OrderRow): Promise<OrderRow> {
  if (order.status !== 'succeeded' && order.status !== 'partially_refunded') return order
  if (order.charge === null) return order
  const disputed = await setOrderStatus(context, order, 'disputed', { disputed_from: order.status })
  return context.emit(Order, 'disputed', disputed)
}

async function unmarkDisputed(context: Context, order: OrderRow): Promise<OrderRow> {
  const before = (order.disputed_from ?? 'succeeded') as OrderRow['status']
  return setOrderStatus(context, order, before, { disputed_from: null })
}

async function othersAreOpen(context: Context, { id, order }: DisputeRow): Promise<boolean> {
  const others = (await disputesOf(context, order)).filter((one) => one.id !== id && !one.inquiry)
  return others.some(({ status }) => status === 'needs_response' || status === 'under_review')
}

/** Records the refund without a request to the provider, because the bank has taken the money back already. */
async function refundRest(context: Context, order: OrderRow, dispute: DisputeRow): Promise<void> {
  const { reference, within_limit } = dispute
  const amount = Math.min(dispute.amount, order.amount - order.amount_refunded - order.amount_refunding)
  if (amount <= 0) return
  const charge = await requireRow(context, Charge, order.charge!)
  const amount_tax = await bookRefund(context, order, amount)
  const refund = await insertRow(context, Refund, {
    ...{ order: order.id, charge: charge.id, payment: charge.payment, amount, amount_tax, currency: order.currency },
    ...{ provider: charge.processor, reason: 'dispute_lost', status: 'succeeded', metadata: {} },
    ...{ reference, within_limit },
  })
  context.emit(Refund, 'created', refund)
}

/** The maximum number of an order's disputes that are read; a payment usually has one or two. */
const MOST_OF_AN_ORDER = 100

async function disputesOf(context: Context, order: string): Promise<DisputeRow[]> {
  const own = rowsOf(context, 'disputes').selectAll().where('order', '=', order).limit(MOST_OF_AN_ORDER)
  return (await own.execute()).map((raw) => decode(Dispute, raw))
}

/** Stores a provider's report on a dispute. Returns null for a report that is older than the stored decision. */
async function keepDispute(
  context: Context,
  { order, payment }: { order: OrderRow; payment: string },
  told: DisputeReport,
): Promise<DisputeRow | null> {
  const known = (await disputesOf(context, order.id)).find(({ reference }) => reference === told.reference)
  if (known && isDecided(known.status) && told.state !== 'won' && told.state !== 'lost') return null
  const { state, inquiry, reason, dueAt, amount } = told
  const grew = Boolean(known?.inquiry) && !inquiry && state === 'opened'
  const status = statusOf(state, known?.response_status === 'sent' && !grew)
  const ended = status === 'won' || status === 'lost' || status === 'closed'
  const facts = {
    ...{ status, inquiry, reason, due_at: dueAt, amount: amount ?? order.amount },
    closed_at: ended ? (known?.closed_at ?? context.now) : null,
    // An answer to an inquiry does not answer the dispute that the inquiry has become.
    ...(grew && { response: null, response_status: null, response_error: null }),
  }
  const kept = known
    ? await changeRow(context, Dispute, known, facts)
    : await insertRow(context, Dispute, { ...blank(order, payment, told), ...facts })
  if (status === 'needs_response' && (!known || grew)) await noteForTeam(context, 'disputes')
  if (known?.status !== status || grew) await logStatus(context, kept)
  return kept
}

function isDecided(status: DisputeRow['status']): boolean {
  return status === 'won' || status === 'lost'
}

/** An answered dispute stays under review, because a delayed webhook may have been sent before the answer. */
function statusOf(state: DisputeReport['state'], isAnswered: boolean): DisputeRow['status'] {
  if (state !== 'opened') return state
  return isAnswered ? 'under_review' : 'needs_response'
}

function blank({ id: order, currency }: OrderRow, payment: string, { reference }: DisputeReport) {
  const unanswered = { response: null, response_status: null, response_error: null, answer: null, evidence: null }
  return { order, payment, reference, currency, ...unanswered, responded_at: null, responded_by: null }
}

/** Logs a status that a provider or job has set; operations of users write their own log entries. */
async function logStatus({ db, caller }: Context, { id, status, inquiry }: DisputeRow): Promise<void> {
  if (isUser(caller)) return
  const noun = inquiry ? 'inquiry' : 'dispute'
  const happened = status === 'needs_response' ? 'opened' : status
  await writeLog(db, caller, { kind: 'job', resource: id, changes: { [`${noun}.${happened}`]: 1 } })
}

/** Simulates the bank of a test card: opens a dispute, and at its deadline decides for the shop only if the shop has answered. */
export const playBank = dueJob<{ payment: string }>('dispute.play_bank', {
  emits: DISPUTE_EVENTS,
  async work(context, { payment: id }) {
    const payment = await requireRow(context, Payment, id)
    const order = await requireRow(context, Order, payment.order_id)
    const disputed = { order, payment: id }
    const { reference } = payment
    if (reference === null || order.paid_at === null) return
    const told = context.services.payments.test.disputeOf({ reference, paidAt: order.paid_at })
    if (!told) return
    const known = (await disputesOf(context, order.id)).find((one) => one.reference === told.reference)
    if (!known) {
      await bookDispute(context, disputed, told)
      await context.enqueue(playBank, { payment: id }, { runAt: told.dueAt })
    } else if (isOpen(known)) {
      const state = known.status === 'under_review' ? 'won' : 'lost'
      await bookDispute(context, disputed, { ...told, state })
    }
  },
})

function isOpen({ status }: DisputeRow): boolean {
  return status === 'needs_response' || status === 'under_review'
}

/** Enqueues a simulated dispute if a payment was made with a test card that causes disputes. */
export async function disputeTestCard(
  context: Context,
  { id: payment, provider, amount, formation }: PaymentRow,
  reference: string,
): Promise<void> {
  const { payments } = context.services
  if (!payments.isImmediate(provider) || amount === 0 || formation !== null) return
  if (payments.test.disputeOf({ reference, paidAt: context.now })) await context.enqueue(playBank, { payment })
}
