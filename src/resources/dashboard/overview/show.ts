import type { Context } from '../../../records/context.ts'
import { currentAccount } from '../../company/account/current.ts'
import { simulatedIn } from '../simulated_orders.ts'
import { attentionOf } from './attention.ts'
import type { Range } from './overview.ts'
import { periodOf } from './period.ts'
import { salesOf } from './sales.ts'
import { subscribersOf } from './subscribers.ts'

/** How the shop is doing, the account's own currency first. */
export async function overviewOf(context: Context, range: Range): Promise<object> {
  const { timezone, default_currency: own } = await currentAccount(context)
  const period = periodOf(range, context.now, timezone)
  const sales = await salesOf(context, period)
  const simulated = await simulatedIn(context, { from: period.starts[0]!, until: period.until })
  const { running, recurring } = await subscribersOf(context, period)
  const ownFirst = (one: { currency: string }, other: { currency: string }) =>
    Number(other.currency === own) - Number(one.currency === own)
  return {
    range,
    interval: period.interval,
    timezone,
    starts: period.starts,
    until: period.until,
    before_from: period.before.from,
    before_until: period.before.until,
    simulated_orders: [...simulated.values()].reduce((sum, count) => sum + count, 0),
    sales: sales.toSorted(ownFirst),
    subscribers: running,
    recurring: recurring.toSorted(ownFirst),
    attention: await attentionOf(context),
  }
}
