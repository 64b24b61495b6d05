import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, requireRow } from '../../../records/records.ts'
import { scheduleNext } from './schedule.ts'
import { Subscription } from './subscription.ts'

/** Throws a 400 unless the buyer can start to pay the unpaid period of a subscription now. */
export async function requirePayablePeriod(context: Context, id: string): Promise<void> {
  const { unpaid_since, status, paying } = await requireRow(context, Subscription, id)
  if (unpaid_since === null || status === 'canceled')
    throw new ApiError('invalid_state', 'This subscription has nothing left to pay.')
  if (paying !== null) throw new ApiError('invalid_state', 'This subscription is already being paid.')
}

/** Keeps other tries away while a payment is under way. */
export async function holdPeriod(context: Context, id: string, payment: string): Promise<void> {
  const subscription = await requireRow(context, Subscription, id)
  await scheduleNext(context, await changeRow(context, Subscription, subscription, { paying: payment }))
}
