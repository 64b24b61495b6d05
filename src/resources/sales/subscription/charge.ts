import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { placeOf } from '../checkout/tax/terms.ts'
import { type BegunPayment, beginPayment } from '../payment/begin.ts'
import { findConnection, isConnection } from '../payment/connection/find.ts'
import { fail } from '../payment/fail.ts'
import { processorNamed } from '../payment/provider.ts'
import { succeed } from '../payment/succeed.ts'
import { charge } from '../payment/take.ts'
import { savedMethod } from './card/find.ts'
import { priceOfNext } from './period.ts'
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
