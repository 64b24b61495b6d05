import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { deleteRowsOf } from '../../../records/rows-of.ts'
import { endSessionsWithoutAccount } from '../../company/user/current.ts'
import { endConnectionsOf } from '../connection/revoke.ts'
import { endInvitationsOf } from '../invitation/end.ts'
import { endViewsOf } from '../saved_view/change.ts'
import { requireOtherOwner } from './change_role.ts'
import { requireMember, type ShownMember } from './find.ts'
import { personOf, requireRank } from './rank.ts'

/** Takes a person out of the account, or lets one leave. The person's API tokens, connections and open invitations of this account end; nothing else does. */
export async function removeMember(context: Context, userId: string): Promise<ShownMember> {
  const member = await requireMember(context, userId)
  if (!member.self) requireRemover(context, member)
  await requireOtherOwner(context, member)
  await deleteRowsOf(context, 'api_tokens').where('user_id', '=', userId).execute()
  await endConnectionsOf(context, userId)
  await endInvitationsOf(context, userId, null)
  await endViewsOf(context, userId)
  await deleteRowsOf(context, 'memberships').where('user_id', '=', userId).execute()
  await endSessionsWithoutAccount(context, userId)
  return member
}

function requireRemover(context: Context, { role }: ShownMember): void {
  if (personOf(context.caller).role === 'member')
    throw new ApiError('permission_denied', 'This requires the role admin or higher.')
  requireRank(context.caller, role)
}
