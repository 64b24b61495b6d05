import { ApiError } from '../../../contract/declarations/errors.ts'
import { include, rolesNeeded, rolesOf } from '../../../contract/declarations/role-rights.ts'
import type { Context } from '../../../records/context.ts'
import { deleteRowsOf } from '../../../records/rows-of.ts'
import { endSessionsWithoutAccount } from '../../company/user/current.ts'
import { endConnectionsOf } from '../connection/revoke.ts'
import { endInvitationsOf } from '../invitation/end.ts'
import { endViewsOf } from '../saved_view/change.ts'
import { requireOtherOwner } from './change_role.ts'
import { personOf, requireCover, requireMember, type ShownMember } from './find.ts'

/** Takes a person out of the account, or lets one leave. The person's API tokens, connections and open invitations of this account end; nothing else does. */
export async function removeMember(context: Context, userId: string): Promise<ShownMember> {
  const member = await requireMember(context, userId)
  if (!member.self) requireRemover(context, member)
  await requireOtherOwner(context, member)
  await deleteRowsOf(context, 'api_tokens').where('user_id', '=', userId).execute()
  await endConnectionsOf(context, userId)
  await endInvitationsOf(context, userId, null)
  await endViewsOf(context, userId)
  await deleteRowsOf(context, 'letter_choices').where('user_id', '=', userId).execute()
  await deleteRowsOf(context, 'memberships').where('user_id', '=', userId).execute()
  await endSessionsWithoutAccount(context, userId)
  return member
}

function requireRemover(context: Context, { role }: ShownMember): void {
  if (!include(rolesOf(personOf(context.caller)), 'people.write'))
    throw new ApiError('permission_denied', `${rolesNeeded('people.write')}.`)
  requireCover(context.caller, role)
}
