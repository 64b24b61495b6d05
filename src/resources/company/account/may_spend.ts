import { type Actor, type Caller, isUser, type Role } from '../../../contract/declarations/caller.ts'
import { ApiError } from '../../../contract/declarations/errors.ts'
import { leastRights, rightOf } from '../../../contract/declarations/rights.ts'
import { include, rolesNeeded, rolesOf } from '../../../contract/declarations/role-rights.ts'
import { NO_RIGHTS } from '../../../outside/runners/provider.ts'
import type { Context } from '../../../records/context.ts'
import { listed } from '../../../words/lists.ts'
import { rightsOf } from '../user/rights_of.ts'

/** Refuses a user who may not spend the account's credits: 403 `permission_denied`. The service itself may. */
export function requireMaySpend(caller: Caller): void {
  if (isUser(caller)) refuse({ roles: rolesOf(caller), right: rightOf(caller) }, 'yours is')
}

/** The same for what is done in the name of some who are absent, each of whom has to have the right. */
export async function requireMaySpendFor(context: Context, actors: readonly Actor[]): Promise<void> {
  const all = await rightsOf(context, actors)
  if (!all) throw new ApiError('permission_denied', NO_RIGHTS)
  refuse(leastRights(all), 'of those who wrote, changed or approved this, somebody is')
}

function refuse({ roles, right }: { roles: readonly Role[]; right: string }, whose: string): void {
  const lacking = [...new Set(roles)].filter((role) => !include([role], 'account.spend'))
  if (lacking.length > 0)
    throw new ApiError('permission_denied', `${rolesNeeded('account.spend')}; ${whose} ${listed(lacking)}.`)
  if (right === 'read')
    throw new ApiError('permission_denied', 'A read-only token may not spend the credits of the account.')
}
