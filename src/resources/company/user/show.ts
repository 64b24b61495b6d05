import { isUser } from '../../../contract/declarations/caller.ts'
import type { Row } from '../../../contract/declarations/noun.ts'
import { commonRoles, rolesOf } from '../../../contract/declarations/role-rights.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import type { User } from './user.ts'

/** Only the caller's own user is ever shown, with the greatest roles that the caller may act in now. */
export function deriveRoles(rows: Row<typeof User>[], { caller }: Context): Derived[] {
  return rows.map(() => ({ roles: isUser(caller) ? commonRoles(rolesOf(caller)) : [] }))
}
