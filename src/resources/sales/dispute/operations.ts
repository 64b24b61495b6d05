import { text } from '../../../contract/declarations/kinds.ts'
import type { Context } from '../../../records/context.ts'
import { equals } from '../../../records/filters.ts'
import { findNamed } from '../../../records/records.ts'
import { type Derived, resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { namesOf } from '../../company/user/names.ts'
import { connectionsOf } from '../payment/connection/current.ts'
import { providerTitle } from '../payment/connection/open.ts'
import { DISPUTE_EVENTS } from '../payment/events.ts'
import { Payment } from '../payment/payment.ts'
import { playBank } from './book.ts'
import { Dispute, type DisputeRow, LONGEST_ANSWER } from './dispute.ts'
import { acceptDispute, answerDispute, isTooLate, isUnanswered, sendResponse } from './respond.ts'

async function deriveDisputes(rows: DisputeRow[], context: Context): Promise<Derived[]> {
  const payments = await findNamed(context, Payment, 'payment', rows)
  const people = await namesOf(
    context,
    rows.flatMap(({ responded_by }) => responded_by ?? []),
  )
  const connections = await connectionsOf(context)
  const titleOf = (name: string) => providerTitle(context, connections.find(({ id }) => id === name)?.provider ?? name)
  return rows.map((dispute) => ({
    provider: titleOf(payments.get(dispute.payment)?.provider ?? ''),
    can_be_answered: isUnanswered(dispute) && !isTooLate(context, dispute),
    can_be_accepted: isUnanswered(dispute),
    responded_by_name: people.get(dispute.responded_by ?? '')?.name ?? null,
  }))
}

const { list, retrieve, action } = verbs(Dispute)

/** The same options as for a refund, because an answer to a dispute also decides whether the shop keeps the money. */
const MONEY = { emits: DISPUTE_EVENTS, inTurn: true, evenWhenFull: true, right: 'sales.refund' } as const

export const disputes = resource(Dispute, {
  derive: deriveDisputes,
  jobs: [sendResponse, playBank],
  dashboard: [
    list({
      summary: 'List disputes',
      filters: { order: equals(Dispute, 'order'), status: equals(Dispute, 'status') },
    }),
    retrieve({ summary: 'Show one dispute' }),
    action('answer', {
      summary: 'Answer a dispute, once',
      ...MONEY,
      body: {
        answer: text('What the bank should know', {
          max: LONGEST_ANSWER,
          example: 'It was delivered on 3 May.',
        }).required(),
      },
      rule: answerDispute,
    }),
    action('accept', { summary: 'Accept a dispute and leave the money to the buyer', ...MONEY, rule: acceptDispute }),
  ],
})
