import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { actionsOf } from './actions.ts'
import type { Subscription } from './subscription.ts'

export function deriveSubscriptions(rows: Row<typeof Subscription>[], { now }: Context): Derived[] {
  return rows.map((row) => ({ allowed_actions: actionsOf(row, now) }))
}
