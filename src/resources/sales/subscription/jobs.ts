import type { Consequence } from '../../../contract/declarations/consequence.ts'
import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { changeRow, findNamed, findRow, findRows, requireRow } from '../../../records/records.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { queueComingCharge } from '../../messages/email/service-mail.ts'
import { buyersGet } from '../../messages/email/team/letter-choices.ts'
import { placeOf } from '../checkout/tax/terms.ts'
import { type BegunPayment, beginPayment, charge } from '../payment/begin.ts'
import { findConnection, isConnection } from '../payment/connection/current.ts'
import { SALE_EVENTS } from '../payment/events.ts'
import { fail, succeed } from '../payment/outcome.ts'
import { processorNamed } from '../payment/provider.ts'
import { endSubscription } from './cancel.ts'
import { savedMethod } from './card.ts'
import { mailCanceled, mailPaymentLink } from './letters.ts'
import { isPaidUp, priceOfNext } from './period.ts'
import { ASK_TO_PAY, hold, isOutOfOrder, letGo } from './renewal-outcome.ts'
import { goOn } from './resume.ts'
import {
  type ComingCharge,
  type DueStep,
  requirePayablePeriod,
  type Step,
  SUBSCRIPTION_DUE,
  scheduleNext,
  TELL_OF_CHARGE,
} from './schedule.ts'
import { Subscription, type SubscriptionRow } from './subscription.ts'
import { taxOfNext } from './tax.ts'
import { unpaidCheckout } from './unpaid-checkout.ts'

/** One attempt per hour for more than a month, because nothing else moves the subscription forward if this job fails. */
const MOST_ATTEMPTS = 1000

const STEPS: Record<Step, (context: Context, subscription: SubscriptionRow) => Promise<unknown>> = {
  charge: chargeNextPeriod,
  give_up: giveUp,
  resume: goOn,
  end,
}

/** Performs a step exactly once: its effect is committed with the completion of the job, and scheduling another step cancels the job. */
export const subscriptionDue = dueJob(SUBSCRIPTION_DUE.name, {
  emits: [...SALE_EVENTS, 'subscription.resumed'],
  attempts: MOST_ATTEMPTS,
  foresee: chargesOf,
  async work(context: Context, { subscription: id, step }: DueStep) {
    const subscription = await findRow(context, Subscription, id)
    if (!subscription || !isPlanned(context, subscription)) return
    if (step !== 'resume' && (await isOutOfOrder(context, subscription))) return hold(context, subscription)
    await STEPS[step](context, await letGo(context, subscription))
  },
})

async function chargesOf(context: Context, falling: DueStep[]): Promise<Consequence[]> {
  const charged = falling.filter(({ step }) => step === 'charge').map(({ subscription }) => subscription)
  const subscriptions = [...(await findRows(context, Subscription, charged)).values()]
  const charges: Consequence[] = []
  for (const subscription of subscriptions) {
    const { total: amount } = priceOfNext(subscription, await taxOfNext(context, subscription))
    if (amount > 0 && subscription.method !== null)
      charges.push({ kind: 'charge', amount, currency: subscription.currency })
  }
  return charges
}

function isPlanned({ caller }: Context, { due_job }: SubscriptionRow): boolean {
  return caller.kind === 'job' && caller.jobId === due_job
}

/** Ends the attempts to charge; the buyer can still pay until the subscription ends. */
async function giveUp(context: Context, subscription: SubscriptionRow): Promise<void> {
  await context.remember(Subscription, [subscription])
  const unpaid = await changeRow(context, Subscription, subscription, { status: 'unpaid' })
  context.emit(Subscription, 'updated', await scheduleNext(context, unpaid))
}

async function end(context: Context, subscription: SubscriptionRow): Promise<void> {
  const { ends_at, unpaid_since, cancellation_reason } = subscription
  const reason = isPaidUp(subscription) ? 'completed' : unpaid_since === null ? cancellation_reason : 'unpaid'
  await endSubscription(context, subscription, { at: ends_at ?? context.now, reason })
  if (reason === 'unpaid') await context.enqueue(mailCanceled, { subscription: subscription.id })
}

/** E-mails the buyer of an unpaid period a link to a checkout that accepts another card. */
export const askToPay = dueJob(ASK_TO_PAY.name, {
  emits: ['checkout.created', 'email.created'],
  async foresee(context, asked: NonNullable<typeof ASK_TO_PAY.payload>[]) {
    const subscriptions = await findNamed(context, Subscription, 'subscription', asked)
    const customers = await findNamed(context, Customer, 'customer', subscriptions.values())
    return [...customers.values()].map(({ email: to }) => ({ kind: 'email', to }))
  },
  async work(context, { subscription: id }: NonNullable<typeof ASK_TO_PAY.payload>) {
    const subscription = await findRow(context, Subscription, id)
    if (!subscription || (subscription.status !== 'past_due' && subscription.status !== 'unpaid')) return
    const customer = await requireRow(context, Customer, subscription.customer)
    const checkout = await unpaidCheckout(context, subscription, customer)
    await mailPaymentLink(context, { subscription, customer, checkout })
  },
})

/** E-mails the buyer about the next charge, unless it is no longer due or the account has turned these e-mails off. */
export const tellOfCharge = dueJob<ComingCharge>(TELL_OF_CHARGE.name, {
  emits: ['email.created'],
  async work(context: Context, { subscription: id, chargedAt }) {
    const subscription = await findRow(context, Subscription, id)
    if (!subscription || subscription.current_period_end !== chargedAt || subscription.ends_at !== null) return
    const { status, terms, currency } = subscription
    if (status !== 'active' && status !== 'trialing') return
    const endsTrial = status === 'trialing'
    if (!(await buyersGet(context, endsTrial ? 'trial' : 'renewal'))) return
    const customer = await findRow(context, Customer, subscription.customer)
    const { total: amount } = priceOfNext(subscription, await taxOfNext(context, subscription))
    if (!customer || amount === 0) return
    const { interval, interval_count: intervalCount, product_name: product } = terms
    const data = { product, endsTrial, amount, currency, interval, intervalCount, chargedAt }
    await queueComingCharge(context, { to: customer.email, customer: customer.id }, data)
  },
})

/** Charges the saved card for the next period, with an order of its own; outcome.ts handles the outcome. */
export async function chargeNextPeriod(
  context: Context,
  subscription: SubscriptionRow,
  { byHand = false } = {},
): Promise<void> {
  const { id, customer, metadata } = subscription
  const { tax: _tax, ...price } = priceOfNext(subscription, await taxOfNext(context, subscription))
  const place = placeOf(subscription)
  const purchase = { ...price, place, customer, subscription: id, checkout: null, invoice: null, link: null, metadata }
  const begun = await beginPayment(context, purchase, await originOf(context, subscription.provider), { byHand })
  await changeRow(context, Subscription, subscription, { paying: begun.payment.id, due_job: null })
  await takePayment(context, begun, subscription, { awaited: byHand })
}

async function originOf(context: Context, name: string) {
  const connection = isConnection(name) ? await findConnection(context, name) : undefined
  const live = connection ? connection.live === 1 : !isConnection(name) && context.services.payments.named(name).live
  return { name, processor: processorNamed(context, name), live }
}

/** Charges the saved card; a period that costs nothing succeeds without a request to the provider. */
async function takePayment(
  context: Context,
  begun: BegunPayment,
  { provider, method, terms }: SubscriptionRow,
  { awaited }: { awaited: boolean },
): Promise<void> {
  if (begun.payment.amount === 0) await succeed(context, begun.payment, { reference: null, method: null })
  else if (method === null)
    await fail(context, begun.payment, {
      status: 'failed',
      reference: null,
      message: 'No card is saved.',
      code: 'no_card',
    })
  else
    await charge(context, begun, provider, {
      awaited,
      description: terms.product_name,
      method: savedMethod(method),
    })
}

/**
 * The maximum number of attempts for one period, including scheduled ones. Banks take a card that is tried more often within a month for
 * stolen, and then decline other payments of the shop as well.
 */
const MOST_TRIES = 12

/** Charges the unpaid period now; scheduled attempts continue if this one fails. Throws a 400 if the period cannot be charged. */
export async function chargeNow(context: Context, id: string): Promise<SubscriptionRow> {
  await requirePayablePeriod(context, id)
  const subscription = await requireRow(context, Subscription, id)
  requireTry(subscription)
  await requireInOrder(context, subscription)
  await context.remember(Subscription, [subscription])
  if (subscription.due_job !== null) await context.cancel(subscription.due_job)
  await chargeNextPeriod(context, subscription, { byHand: true })
  return requireRow(context, Subscription, id)
}

async function requireInOrder(context: Context, subscription: SubscriptionRow): Promise<void> {
  if (await isOutOfOrder(context, subscription))
    throw new ApiError(
      'invalid_state',
      'The connection to the payment provider that has the card is out of order. Repair it under Settings, Payments; the charge then goes on by itself.',
    )
}

function requireTry({ method, failed_payments_count: tries }: SubscriptionRow): void {
  if (method === null)
    throw new ApiError('invalid_state', 'No card is saved for this subscription. Send the buyer the payment link.')
  if (tries >= MOST_TRIES)
    throw new ApiError(
      'invalid_state',
      `This period was tried ${tries} times, and banks take more tries for fraud. Send the buyer the payment link.`,
    )
}
