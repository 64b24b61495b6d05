import { isUser } from '../../../contract/declarations/caller.ts'
import type { DisputeReport } from '../../../providers/payments/disputes.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { writeLog } from '../../../records/log.ts'
import { changeRow, insertRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { noteForTeam } from '../../messages/email/team/note-for-team.ts'
import type { OrderRow } from '../order/order.ts'
import { Dispute, type DisputeRow } from './dispute.ts'

/** The maximum number of an order's disputes that are read; a payment usually has one or two. */
const MOST_OF_AN_ORDER = 100

export async function disputesOf(context: Context, order: string): Promise<DisputeRow[]> {
  const own = rowsOf(context, 'disputes').selectAll().where('order', '=', order).limit(MOST_OF_AN_ORDER)
  return (await own.execute()).map((raw) => decode<DisputeRow>(Dispute, raw))
}

/** Stores a provider's report on a dispute. Returns null for a report that is older than the stored decision. */
export async function keepDispute(
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
