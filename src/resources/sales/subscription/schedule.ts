import type { Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { Subscription } from './subscription.ts'

/** Plans the job that does what falls due next, in place of the one that was planned. */
export async function scheduleNext(
  _context: Context,
  subscription: Row<typeof Subscription>,
): Promise<Row<typeof Subscription>> {
  return changeRow(_context, Subscription, subscription, {})
}
