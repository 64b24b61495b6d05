import type { Notice } from '../../../providers/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import { bookDispute } from '../dispute/book.ts'
import { Order } from '../order/order.ts'
import { Refund } from '../refund/refund.ts'
import { bookOutsideRefund, settleRefundById } from '../refund/settle.ts'
import { findChange, settleChange } from '../subscription/card.ts'
import { DISPUTE_EVENTS, SALE_EVENTS } from './events.ts'
import { Payment } from './payment.ts'
import { settleById } from './settle.ts'

export const NOTICE_EVENTS = [...SALE_EVENTS, ...DISPUTE_EVENTS] as const

/** Applies a webhook, unless the payment, refund or card change belongs to another provider than `provider`. */
export async function applyNotice(context: Context, notice: Notice, provider: string): Promise<void> {
  if ((await providerBehind(context, notice)) !== provider) return
  if (notice.kind === 'payment') {
    await settleById(context, notice.key, notice.outcome)
    return settleChange(context, notice.key, notice.outcome)
  }
  if (notice.kind === 'refund') return settleRefundById(context, notice.key, notice.outcome)
  const payment = await findRow(context, Payment, notice.key)
  if (notice.kind === 'outside_refund')
    return payment?.formation === null ? bookOutsideRefund(context, payment, notice) : undefined
  if (payment?.formation) {
    if (notice.state === 'lost') await context.feeFor(payment.formation)?.refunded(context, payment.formation)
    return
  }
  const order = payment && (await findRow(context, Order, payment.order_id))
  if (order) await bookDispute(context, { order, payment: payment.id }, notice)
}

async function providerBehind(context: Context, { kind, key }: Notice): Promise<string | undefined> {
  const refund = kind === 'refund' ? await findRow(context, Refund, key) : undefined
  const payment = await findRow(context, Payment, refund?.payment ?? key)
  return payment?.provider ?? (kind === 'payment' ? (await findChange(context, key))?.provider : undefined)
}
