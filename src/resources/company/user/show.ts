import { isUser } from '../../../contract/declarations/caller.ts'
import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import type { User } from './user.ts'

/** Only the caller's own user is ever shown, with the caller's role. */
export function deriveRoles(rows: Row<typeof User>[], { caller }: Context): Derived[] {
  return rows.map(() => ({ roles: isUser(caller) ? [caller.role] : [] }))
}
