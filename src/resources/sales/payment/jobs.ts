import type { Consequence } from '../../../contract/declarations/consequence.ts'
import { ApiError } from '../../../contract/declarations/errors.ts'
import { KeyRefusedError } from '../../../providers/payments/connector.ts'
import type { PaymentOutcome, PaymentProvider, SavedMethod } from '../../../providers/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { type JobContext, job } from '../../../records/job.ts'
import { findRow, findRows, requireRow } from '../../../records/records.ts'
import { whyHeld } from './connection/current.ts'
import { SALE_EVENTS } from './events.ts'
import { fail } from './outcome.ts'
import { Payment, type PaymentRow } from './payment.ts'
import {
  askProvider,
  insistAtProvider,
  isConnectionLost,
  NO_CARDS,
  unlessGone,
  unlessLost,
  waitForKey,
} from './provider.ts'
import { isOpen, settleById } from './settle.ts'

/** Asks the provider for the outcome, for a buyer who returns before the webhook with the outcome arrives. */
export const lookUpPayment = job('payment.look_up', {
  emits: SALE_EVENTS,
  async work(job, { payment: id }: PaymentPayload) {
    const payment = await job.transaction((context) => findRow(context, Payment, id))
    if (!payment || !isOpen(payment) || payment.reference === null) return
    const { accountId, signal } = job
    const { reference } = payment
    const named = { accountId, key: id, reference, signal }
    const outcome = await unlessLost(job, payment.provider, (provider) => provider.lookUp(named))
    if (outcome) await job.transaction((context) => settleById(context, id, outcome), { inTurn: true })
  },
})

/** Ends a payment at the provider for a buyer who does not continue; a payment that has succeeded by then is kept. */
export const takeBackPayment = job('payment.take_back', {
  emits: SALE_EVENTS,
  async work(job, { payment: id }: PaymentPayload) {
    const payment = await job.transaction((context) => findRow(context, Payment, id))
    if (!payment || !isOpen(payment) || payment.reference === null) return
    await giveUpAtProvider(job, payment, payment.reference)
    await job.transaction((context) => release(context, id, 'The buyer did not continue.'), { inTurn: true })
  },
})

/** A request to a provider while the buyer is present. */
export interface CollectPayload {
  payment: string
  description: string
  email: string
  saveMethod: boolean
  returnUrl: string
}

/** A request to a provider while the buyer is away. */
export interface ChargePayload {
  payment: string
  description: string
  method: SavedMethod
}

/** Asks the provider to collect a payment. Retries use the same idempotency key. */
export const collectPayment = job('payment.collect', {
  emits: SALE_EVENTS,
  foresee: (context, asked: CollectPayload[]) => chargesOf(context, asked),
  work: (job, { payment: id, ...collecting }: CollectPayload) =>
    ask(job, id, (provider, payment) => provider.collect({ ...requestOf(job, payment), ...collecting })),
})

export const chargePayment = job('payment.charge', {
  emits: SALE_EVENTS,
  foresee: (context, asked: ChargePayload[]) => chargesOf(context, asked),
  work: (job, { payment: id, ...charging }: ChargePayload) =>
    ask(job, id, (provider, payment) =>
      provider.charge({ ...requestOf(job, payment), ...charging, attempt: job.attempt }),
    ),
})

/** Settles a payment that is still open at its expiry, because of a crash, a lost webhook or a buyer who left. */
export const settlePayment = job('payment.settle', {
  emits: SALE_EVENTS,
  attempts: 50,
  async work(job, { payment: id }: { payment: string }) {
    const payment = await job.transaction((context) => requireRow(context, Payment, id))
    if (!isOpen(payment)) return
    if (payment.reference !== null) await giveUpAtProvider(job, payment, payment.reference)
    else await requireKnown(job, payment)
    await job.transaction((context) => release(context, id), { inTurn: true })
  },
})

async function chargesOf(context: Context, asked: { payment: string }[]): Promise<Consequence[]> {
  const ids = asked.map(({ payment }) => payment)
  const payments = [...(await findRows(context, Payment, ids)).values()]
  return payments.map(({ amount, currency }) => ({ kind: 'charge', amount, currency }))
}

/** Makes the job wait if a renewal may have been charged but the key is refused: giving it up could charge the period twice. */
async function requireKnown(job: JobContext, { provider, checkout }: PaymentRow): Promise<void> {
  if (checkout !== null || (await job.read((context) => whyHeld(context, provider))) !== 'refused') return
  throw waitForKey('The provider no longer takes the key, and cannot be asked about a charge.')
}

async function ask(
  job: JobContext,
  id: string,
  request: (provider: PaymentProvider, payment: PaymentRow) => Promise<PaymentOutcome>,
): Promise<void> {
  const payment = await job.transaction((context) => requireRow(context, Payment, id))
  if (payment.status !== 'begun') return
  try {
    const outcome = await askProvider(job, payment.provider, (provider) => request(provider, payment))
    await job.transaction((context) => settleById(context, id, outcome), { inTurn: true })
  } catch (error) {
    if (!isConnectionLost(error, payment.provider)) throw error
    // An earlier attempt may have charged the card although its answer was lost; only the provider knows.
    const isKnown = payment.checkout !== null || job.attempt === 1
    if (error instanceof KeyRefusedError && !isKnown) throw waitForKey(error.message)
    await job.transaction((context) => release(context, id, NO_CARDS, { isLost: true }), { inTurn: true })
  }
}

function requestOf({ accountId, signal }: JobContext, { id, amount, currency }: PaymentRow) {
  return { accountId, key: id, amount, currency, signal }
}

interface PaymentPayload {
  payment: string
}

/** Ends a payment at the provider after it was given up, so that the buyer pays no money that has to be refunded. */
export const abandonPayment = job('payment.abandon', {
  emits: SALE_EVENTS,
  async work(job, { payment: id }: { payment: string }) {
    const payment = await job.transaction((context) => requireRow(context, Payment, id))
    if (payment.reference !== null) await giveUpAtProvider(job, payment, payment.reference)
  },
})

/** Ends a payment at the provider. If it has succeeded by then, the success is recorded. */
async function giveUpAtProvider(job: JobContext, payment: PaymentRow, reference: string): Promise<void> {
  const { accountId, signal } = job
  const named = { accountId, key: payment.id, reference, signal }
  const end = async (provider: PaymentProvider) => {
    await provider.abandon(named)
    return provider.lookUp(named)
  }
  const outcome = await unlessGone(insistAtProvider(job, payment.provider, end))
  if (outcome?.state === 'succeeded')
    await job.transaction((context) => settleById(context, payment.id, outcome), { inTurn: true })
}

/** `isLost` means that no card was tried, because the connection could make no request. */
async function release(
  context: Context,
  id: string,
  message = 'The payment was not completed in time.',
  { isLost = false } = {},
): Promise<void> {
  const payment = await requireRow(context, Payment, id)
  if (isOpen(payment))
    await fail(context, payment, { status: 'released', reference: null, message, code: 'not_completed', isLost })
}

/** Gives up a payment before it expires, and ends it at the provider. Throws a 400 for USDC, which could not be refunded. */
export async function giveUp(context: Context, id: string, message: string): Promise<void> {
  await requireReturnable(context, id)
  await release(context, id, message)
  const { provider } = await requireRow(context, Payment, id)
  if (!context.services.payments.isImmediate(provider)) await context.enqueue(abandonPayment, { payment: id })
}

/** Throws a 400 for an open payment in USDC, because the service could not refund it if it succeeds later. */
async function requireReturnable(context: Context, paymentId: string): Promise<void> {
  const payment = await requireRow(context, Payment, paymentId)
  if (payment.transfer === null || !isOpen(payment)) return
  throw new ApiError(
    'invalid_state',
    'It is being paid in USDC right now, and such a payment cannot be sent back. Try again in ten minutes.',
  )
}
