import type { Consequence } from '../../../contract/declarations/consequence.ts'
import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { changeRow, findRow, findRows } from '../../../records/records.ts'
import { SALE_EVENTS } from '../payment/events.ts'
import { endSubscription } from './cancel.ts'
import { chargeNextPeriod } from './charge.ts'
import type { Step } from './due.ts'
import { hold, isOutOfOrder, letGo } from './hold.ts'
import { mailCanceled } from './mail-canceled.ts'
import { isPaidUp, priceOfNext } from './period.ts'
import { goOn } from './resume.ts'
import { type DueStep, SUBSCRIPTION_DUE, scheduleNext } from './schedule.ts'
import { Subscription, type SubscriptionRow } from './subscription.ts'
import { taxOfNext } from './tax.ts'

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
