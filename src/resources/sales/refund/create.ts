import { sql } from 'kysely'
import { isUser } from '../../../contract/declarations/caller.ts'
import { ApiError, invalid } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import { mayDo, rolesWith } from '../../../contract/declarations/role-rights.ts'
import { listed } from '../../../format/lists.ts'
import { formatMoney } from '../../../format/money.ts'
import type { Context } from '../../../records/context.ts'
import { takeFromCaps } from '../../../records/daily-caps.ts'
import { changeRow, insertRow, requireRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { refundLimits } from '../../company/account/refund-limits.ts'
import { Charge, type ChargeRow } from '../charge/charge.ts'
import { Order, type OrderRow } from '../order/order.ts'
import { requireConnected } from '../payment/connection/open.ts'
import { requireRefundableFee } from '../payment/fee.ts'
import { Payment, type PaymentRow } from '../payment/payment.ts'
import { Refund, type RefundRow } from './refund.ts'
import { sendRefund } from './send.ts'
import { settleRefund } from './settle.ts'

export async function createRefund(context: Context, input: CreateInput<typeof Refund>): Promise<RefundRow> {
  const order = await requireRow(context, Order, input.order, 'order')
  requireTakenHere(order)
  const left = requireRefundable(order)
  const amount = input.amount ?? left
  if (amount > left) throw invalid({ amount: [`must be at most ${left}, the amount of the order that is left`] })
  const within_limit = await requireWithinLimit(context, order, amount)
  await requireRefundableFee(context, order, amount === order.amount)
  const charge = await requireRow(context, Charge, order.charge!)
  requireReversible(charge, amount)
  const payment = await requireRow(context, Payment, charge.payment)
  await requireConnected(context, payment, (title) => `Refund it at ${title}. The order stays as it is.`)
  const { processor } = charge
  const refund = await insertRow(context, Refund, {
    ...input,
    ...{ order: order.id, charge: charge.id, payment: payment.id, amount, currency: order.currency },
    provider: processor,
    ...{ status: 'pending', within_limit },
  })
  await changeRow(context, Order, order, { amount_refunding: order.amount_refunding + amount })
  context.emit(Refund, 'created', refund)
  const sent = await send(context, refund, payment)
  // Emitting again replaces the content of the event above, which keeps its place before the events of sending the refund.
  return context.emit(Refund, 'created', sent)
}

function requireTakenHere({ channel }: OrderRow): void {
  if (channel === 'import')
    throw new ApiError(
      'invalid_state',
      'This order was imported: it was paid before the shop came here, so it cannot be refunded from here. Refund it where it was paid, and note that in the metadata of the customer. The order stays as it is.',
    )
}

function requireReversible({ processor, payer, network, currency }: ChargeRow, amount: number): void {
  if (processor !== 'x402') return
  throw new ApiError(
    'invalid_state',
    `This order was paid in USDC straight to your wallet, so it cannot be refunded from here. Send ${formatMoney(amount, currency)} in USDC on ${network} from your wallet to ${payer}, the wallet that paid, and note it in the metadata of the customer. The order stays as it is.`,
  )
}

function requireRefundable({ status, amount, amount_refunded, amount_refunding }: OrderRow): number {
  if (status === 'refunded') throw new ApiError('invalid_state', 'This order has already been refunded.')
  if (status !== 'succeeded' && status !== 'partially_refunded')
    throw new ApiError('invalid_state', `Cannot refund an order that is ${status}.`)
  if (amount === 0) throw new ApiError('invalid_state', 'This order was free, so there is nothing to refund.')
  const left = amount - amount_refunded - amount_refunding
  if (left === 0) throw new ApiError('invalid_state', 'A refund of the whole order is already in progress.')
  return left
}

/** Sends a refund at once if the provider answers immediately, or else in a job that the response waits for. */
async function send(context: Context, refund: RefundRow, payment: PaymentRow): Promise<RefundRow> {
  const { payments } = context.services
  const { id: key, amount, currency } = refund
  const reference = payment.reference!
  if (!payments.isImmediate(payment.provider)) {
    await context.enqueue(sendRefund, { refund: key, provider: payment.provider, reference }, { awaited: true })
    return refund
  }
  const request = { accountId: context.accountId, key, reference, amount, currency }
  return settleRefund(context, refund, await payments.named(payment.provider).refund(request))
}

/**
 * Counts a refund for daily caps, and returns whether the caller's role limits refunds. Throws a 403 if this and earlier limited
 * refunds of the order together exceed the limit, so that colleagues or partial refunds cannot bypass it. Refunds run one at a
 * time in an account, so none is missed.
 */
export async function requireWithinLimit(
  context: Context,
  { id, currency }: OrderRow,
  amount: number,
): Promise<boolean> {
  const { caller } = context
  await takeFromCaps(context, { of: 'refunds', count: amount, currency })
  if (!isUser(caller) || mayDo(caller, 'sales.refund_any')) return false
  const limit = (await refundLimits(context))[currency] ?? 0
  const spent = await spentOn(context, id)
  if (spent + amount <= limit) return true
  const who = `Ask somebody with the role ${listed(rolesWith('sales.refund_any'), 'or')}.`
  if (limit === 0)
    throw new ApiError(
      'permission_denied',
      `The role support may refund nothing in ${currency}: no limit is set. ${who}`,
    )
  const before = spent > 0 ? `, of which ${formatMoney(spent, currency)} is refunded already` : ''
  throw new ApiError(
    'permission_denied',
    `The role support may refund at most ${formatMoney(limit, currency)} on one order${before}; this refund is ${formatMoney(amount, currency)}. ${who}`,
  )
}

async function spentOn(context: Context, order: string): Promise<number> {
  const counted = rowsOf(context, 'refunds').where('order', '=', order).where('within_limit', '=', 1)
  const sum = counted.where('status', '!=', 'failed').select(sql<number>`coalesce(sum(amount), 0)`.as('sum'))
  return (await sum.executeTakeFirstOrThrow()).sum
}
