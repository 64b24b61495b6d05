import { sql } from 'kysely'
import { isUser } from '../../../contract/declarations/caller.ts'
import { ApiError, invalid } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import { mayDo, rolesWith } from '../../../contract/declarations/role-rights.ts'
import { listed } from '../../../format/lists.ts'
import { formatMoney } from '../../../format/money.ts'
import type { OutsideRefund, RefundOutcome } from '../../../providers/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { takeFromCaps } from '../../../records/daily-caps.ts'
import { dueJob, job } from '../../../records/job.ts'
import { changeRow, findNamed, findRow, insertRow, requireRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { refundLimits } from '../../company/account/refund-limits.ts'
import { queueRefunded } from '../../messages/email/service-mail.ts'
import { buyersGet } from '../../messages/email/team/letter-choices.ts'
import { noteForTeam } from '../../messages/email/team/notices.ts'
import { Charge, type ChargeRow } from '../charge/charge.ts'
import { itemsByOrder } from '../order/items.ts'
import { Order, type OrderRow } from '../order/order.ts'
import { requireConnected } from '../payment/connection/open.ts'
import { REFUND_EVENTS } from '../payment/events.ts'
import { requireRefundableFee } from '../payment/fee.ts'
import { Payment, type PaymentRow } from '../payment/payment.ts'
import { insistAtProvider, providerNamed, unlessGone } from '../payment/provider.ts'
import { isOpen } from '../payment/settle.ts'
import { soldName } from '../sold-name.ts'
import { bookRefund, findRefund, reverseRefund } from './book.ts'
import { Refund, type RefundRow } from './refund.ts'

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

/** E-mails the buyer about a successful refund, unless the account has turned these e-mails off. */
export const mailRefunded = dueJob<{ refund: string }>('refund.mail', {
  emits: ['email.created'],
  async foresee(context, payloads) {
    if (!(await buyersGet(context, 'refund'))) return []
    const refunds = await findNamed(context, Refund, 'refund', payloads)
    const orders = await findNamed(context, Order, 'order', refunds.values())
    const customers = await findNamed(context, Customer, 'customer', orders.values())
    return [...customers.values()].map(({ email: to }) => ({ kind: 'email', to }))
  },
  async work(context: Context, { refund: id }) {
    const refund = await findRow(context, Refund, id)
    if (refund?.status !== 'succeeded' || !(await buyersGet(context, 'refund'))) return
    const order = await findRow(context, Order, refund.order)
    const customer = order && (await findRow(context, Customer, order.customer))
    if (!customer) return
    const [first, ...others] = (await itemsByOrder([order.id], context)).get(order.id) ?? []
    const name = first ? soldName(first) : 'your order'
    await queueRefunded(
      context,
      { to: customer.email, customer: customer.id },
      {
        order: order.id,
        name: others.length > 0 ? `${name} and ${others.length} more` : name,
        amount: refund.amount,
        currency: refund.currency,
        refundedAt: context.now,
        isWhole: order.amount_refunded === order.amount,
      },
    )
  },
})

/** Applies an outcome; repeating it has no effect. A successful refund can fail days later, if the buyer's bank returns it. */
async function settleRefund(context: Context, refund: RefundRow, outcome: RefundOutcome): Promise<RefundRow> {
  if (refund.status === 'succeeded' && outcome.state === 'failed')
    return reverseRefund(context, refund, outcome.message)
  if (refund.status !== 'pending') return refund
  const { reference } = outcome
  if (outcome.state === 'pending') return changeRow(context, Refund, refund, { reference })
  const order = await requireRow(context, Order, refund.order)
  const freed = { amount_refunding: order.amount_refunding - refund.amount }
  if (outcome.state === 'succeeded') {
    const amount_tax = await bookRefund(context, await changeRow(context, Order, order, freed), refund.amount)
    await context.enqueue(mailRefunded, { refund: refund.id })
    await noteForTeam(context, 'refunds')
    return changeRow(context, Refund, refund, { status: 'succeeded', reference, amount_tax })
  }
  await changeRow(context, Order, order, freed)
  const failed = await changeRow(context, Refund, refund, {
    status: 'failed',
    reference,
    failure_message: outcome.message,
  })
  return context.emit(Refund, 'failed', failed)
}

const TOO_EARLY = 'The payment that it gives back is not booked yet. Send it again later.'

/** Records a refund made at the provider itself. Throws while its payment is open, so that the provider repeats the webhook. */
export async function bookOutsideRefund(context: Context, payment: PaymentRow, told: OutsideRefund): Promise<void> {
  const { reference, outcome } = told
  if (isOpen(payment)) throw new ApiError('overloaded', TOO_EARLY, { headers: { 'Retry-After': '30' } })
  const order = await requireRow(context, Order, payment.order_id)
  const known = await findRefund(context, order.id, reference)
  if (known) return void (await settleRefund(context, known, outcome))
  const amount = Math.min(told.amount, order.amount - order.amount_refunded - order.amount_refunding)
  if (outcome.state === 'failed' || payment.status !== 'succeeded' || amount <= 0) return
  const { title } = await providerNamed(context, payment.provider)
  const charge = order.charge!
  const refund = await insertRow(context, Refund, {
    ...{ order: order.id, charge, payment: payment.id, amount, currency: order.currency, reference },
    ...{ provider: order.processor === 'none' ? 'card' : order.processor, reason: told.reason },
    ...{ notes: `Made at ${title}.`, status: 'pending', metadata: {} },
  })
  await changeRow(context, Order, order, { amount_refunding: order.amount_refunding + amount })
  context.emit(Refund, 'created', refund)
  // Emitting again replaces the content of the event above with the current state of the refund.
  context.emit(Refund, 'created', await settleRefund(context, refund, outcome))
}

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

export async function settleRefundById(context: Context, id: string, outcome: RefundOutcome): Promise<void> {
  const refund = await findRow(context, Refund, id)
  if (refund) await settleRefund(context, refund, outcome)
}
