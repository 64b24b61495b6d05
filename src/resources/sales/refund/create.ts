import { ApiError, invalid } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import { formatMoney } from '../../../format/money.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, insertRow, requireRow } from '../../../records/records.ts'
import { Charge, type ChargeRow } from '../charge/charge.ts'
import { Order, type OrderRow } from '../order/order.ts'
import { requireConnected } from '../payment/connection/open.ts'
import { requireRefundableFee } from '../payment/fee.ts'
import { Payment, type PaymentRow } from '../payment/payment.ts'
import { sendRefund } from './jobs.ts'
import { requireWithinLimit } from './limit.ts'
import { Refund, type RefundRow } from './refund.ts'
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
  context.emit(Refund, 'created', sent)
  return sent
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

/** An immediate provider answers here; other providers are asked by a job that the response waits for. */
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
