import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
import { placeOf } from '../checkout/tax/terms.ts'
import { type BegunPayment, beginPayment, charge } from '../payment/begin.ts'
import { findConnection, isConnection } from '../payment/connection/current.ts'
import { fail, succeed } from '../payment/outcome.ts'
import { processorNamed } from '../payment/provider.ts'
import { savedMethod } from './card/find.ts'
import { isOutOfOrder } from './hold.ts'
import { priceOfNext } from './period.ts'
import { requirePayablePeriod } from './schedule.ts'
import { Subscription, type SubscriptionRow } from './subscription.ts'
import { taxOfNext } from './tax.ts'

/** Charges the saved card for the next period, with an order of its own; period-paid.ts and renewal-failed.ts handle the outcome. */
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
