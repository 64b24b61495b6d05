import type { RefundOutcome } from '../../../outside/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
import { noteForTeam } from '../../messages/email/team/note_for_team.ts'
import { Order } from '../order/order.ts'
import { bookRefund, reverseRefund } from './book.ts'
import { MAIL_REFUNDED } from './mail_refunded.ts'
import { Refund, type RefundRow } from './refund.ts'

/**
 * Books what a provider says of a refund. The same outcome again changes nothing. One that succeeded can fail days later, when
 * the bank sends the money back.
 */
export async function settleRefund(context: Context, refund: RefundRow, outcome: RefundOutcome): Promise<RefundRow> {
  if (refund.status === 'succeeded' && outcome.state === 'failed')
    return reverseRefund(context, refund, outcome.message)
  if (refund.status !== 'pending') return refund
  const { reference } = outcome
  if (outcome.state === 'pending') return changeRow(context, Refund, refund, { reference })
  const order = await requireRow(context, Order, refund.order)
  const freed = { amount_refunding: order.amount_refunding - refund.amount }
  if (outcome.state === 'succeeded') {
    const amount_tax = await bookRefund(context, await changeRow(context, Order, order, freed), refund.amount)
    await context.enqueue(MAIL_REFUNDED, { refund: refund.id })
    await noteForTeam(context, 'refunds')
    return changeRow(context, Refund, refund, { status: 'succeeded', reference, amount_tax })
  }
  await changeRow(context, Order, order, freed)
  const failed = await changeRow(context, Refund, refund, {
    status: 'failed',
    reference,
    failure_message: outcome.message,
  })
  context.emit(Refund, 'failed', failed)
  return failed
}
