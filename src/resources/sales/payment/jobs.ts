import type { Consequence } from '../../../contract/declarations/consequence.ts'
import { ApiError } from '../../../contract/declarations/errors.ts'
import { KeyRefusedError } from '../../../outside/payments/connector.ts'
import type { PaymentOutcome, PaymentProvider, SavedMethod } from '../../../outside/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { type JobPlace, job } from '../../../records/job.ts'
import { findRow, findRows, requireRow } from '../../../records/records.ts'
import { askProvider, insistAtProvider, isConnectionLost, unlessGone, unlessLost, waitForKey } from './ask.ts'
import { whyHeld } from './connection/find.ts'
import { SALE_EVENTS } from './events.ts'
import { fail } from './fail.ts'
import { Payment, type PaymentRow } from './payment.ts'
import { NO_CARDS } from './provider.ts'
import { isOpen, settle } from './settle.ts'

/** Asks the provider what became of a payment, for a buyer who comes back from its page before its notice. */
export const lookUpPayment = job('payment.look_up', {
  emits: SALE_EVENTS,
  async work(place, { payment: id }: OfPayment) {
    const payment = await place.transaction((context) => findRow(context, Payment, id))
    if (!payment || !isOpen(payment) || payment.reference === null) return
    const { accountId, signal } = place
    const { reference } = payment
    const named = { accountId, key: id, reference, signal }
    const outcome = await unlessLost(place, payment.provider, (provider) => provider.lookUp(named))
    if (outcome) await place.transaction((context) => settleById(context, id, outcome), { inTurn: true })
  },
})

/** Ends a payment at the provider for a buyer who does not want to go on with it. One that was made meanwhile stays made. */
export const takeBackPayment = job('payment.take_back', {
  emits: SALE_EVENTS,
  async work(place, { payment: id }: OfPayment) {
    const payment = await place.transaction((context) => findRow(context, Payment, id))
    if (!payment || !isOpen(payment) || payment.reference === null) return
    await giveUpAtProvider(place, payment, payment.reference)
    await place.transaction((context) => release(context, id, 'The buyer did not continue.'), { inTurn: true })
  },
})

/** What a provider is asked for a buyer who is there. */
export interface Collecting {
  payment: string
  description: string
  email: string
  saveMethod: boolean
  returnUrl: string
}

/** What a provider is asked while the buyer is away. */
export interface Charging {
  payment: string
  description: string
  method: SavedMethod
}

/** Asks the provider to take a payment from a buyer; the same payment is the same request, however often it is sent. */
export const collectPayment = job('payment.collect', {
  emits: SALE_EVENTS,
  foresee: (context, asked: Collecting[]) => chargesOf(context, asked),
  work: (place, { payment: id, ...collecting }: Collecting) =>
    ask(place, id, (provider, payment) => provider.collect({ ...requestOf(place, payment), ...collecting })),
})

/** Asks the provider to charge a saved method. */
export const chargePayment = job('payment.charge', {
  emits: SALE_EVENTS,
  foresee: (context, asked: Charging[]) => chargesOf(context, asked),
  work: (place, { payment: id, ...charging }: Charging) =>
    ask(place, id, (provider, payment) =>
      provider.charge({ ...requestOf(place, payment), ...charging, attempt: place.attempt }),
    ),
})

/**
 * Settles what a crash, a lost notice or an absent buyer left: asks the provider what became of the payment, and gives up
 * what it held when its time is over.
 */
export const settlePayment = job('payment.settle', {
  emits: SALE_EVENTS,
  attempts: 50,
  async work(place, { payment: id }: { payment: string }) {
    const payment = await place.transaction((context) => requireRow(context, Payment, id))
    if (!isOpen(payment)) return
    if (payment.reference !== null) await giveUpAtProvider(place, payment, payment.reference)
    else await requireKnown(place, payment)
    await place.transaction((context) => release(context, id), { inTurn: true })
  },
})

/** Ends at the provider a payment that was given up, so that nobody pays what would have to be sent back. */
export const abandonPayment = job('payment.abandon', {
  emits: SALE_EVENTS,
  async work(place, { payment: id }: { payment: string }) {
    const payment = await place.transaction((context) => requireRow(context, Payment, id))
    if (payment.reference !== null) await giveUpAtProvider(place, payment, payment.reference)
  },
})

async function chargesOf(context: Context, asked: { payment: string }[]): Promise<Consequence[]> {
  const ids = asked.map(({ payment }) => payment)
  const payments = [...(await findRows(context, Payment, ids)).values()]
  return payments.map(({ amount, currency }) => ({ kind: 'charge', amount, currency }))
}

/**
 * Throws while a card may have been charged whose provider can only be asked once its key works again: a renewal whose answer was
 * lost is never given up, since the next one would charge the same period again.
 */
async function requireKnown(place: JobPlace, { provider, checkout }: PaymentRow): Promise<void> {
  if (checkout !== null || (await place.read((context) => whyHeld(context, provider))) !== 'refused') return
  throw waitForKey('The provider no longer takes the key, and cannot be asked about a charge.')
}

/** After this the payment can no longer be made; one that was made meanwhile is booked. */
async function giveUpAtProvider(place: JobPlace, payment: PaymentRow, reference: string): Promise<void> {
  const { accountId, signal } = place
  const named = { accountId, key: payment.id, reference, signal }
  const end = async (provider: PaymentProvider) => {
    await provider.abandon(named)
    return provider.lookUp(named)
  }
  const outcome = await unlessGone(insistAtProvider(place, payment.provider, end))
  if (outcome?.state === 'succeeded')
    await place.transaction((context) => settleById(context, payment.id, outcome), { inTurn: true })
}

/** Gives up a payment that is still open; `isLost` where its connection takes no requests, so that no card was tried. */
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

/**
 * As `release`, before the buyer's time is over: the provider is told too. Throws a 400 over a payment that could not be sent back if
 * it were made after all.
 */
export async function giveUp(context: Context, id: string, message: string): Promise<void> {
  await requireReturnable(context, id)
  await release(context, id, message)
  const { provider } = await requireRow(context, Payment, id)
  if (provider !== context.services.payments.test.name) await context.enqueue(abandonPayment, { payment: id })
}

export async function settleById(context: Context, id: string, outcome: PaymentOutcome): Promise<void> {
  const payment = await findRow(context, Payment, id)
  if (payment) await settle(context, payment, outcome)
}

async function ask(
  place: JobPlace,
  id: string,
  request: (provider: PaymentProvider, payment: PaymentRow) => Promise<PaymentOutcome>,
): Promise<void> {
  const payment = await place.transaction((context) => requireRow(context, Payment, id))
  if (payment.status !== 'begun') return
  try {
    const outcome = await askProvider(place, payment.provider, (provider) => request(provider, payment))
    await place.transaction((context) => settleById(context, id, outcome), { inTurn: true })
  } catch (error) {
    if (!isConnectionLost(error, payment.provider)) throw error
    // The answer to an earlier try may have been lost, and the card be charged: only the provider knows.
    const isKnown = payment.checkout !== null || place.attempt === 1
    if (error instanceof KeyRefusedError && !isKnown) throw waitForKey(error.message)
    await place.transaction((context) => release(context, id, NO_CARDS, { isLost: true }), { inTurn: true })
  }
}

function requestOf({ accountId, signal }: JobPlace, { id, amount, currency }: PaymentRow) {
  return { accountId, key: id, amount, currency, signal }
}

interface OfPayment {
  payment: string
}

/** Throws a 400 while a payment could still be made that nobody could send back. */
async function requireReturnable(context: Context, paymentId: string): Promise<void> {
  const payment = await requireRow(context, Payment, paymentId)
  if (payment.transfer === null || !isOpen(payment)) return
  throw new ApiError(
    'invalid_state',
    'It is being paid in USDC right now, and such a payment cannot be sent back. Try again in ten minutes.',
  )
}
