import { ROLES, type Role } from '../../../contract/declarations/caller.ts'
import { ApiError, invalid } from '../../../contract/declarations/errors.ts'
import { oneOf } from '../../../contract/declarations/kinds.ts'
import { cover, include, rolesNeeded, rolesOf } from '../../../contract/declarations/role-rights.ts'
import type { Context } from '../../../records/context.ts'
import { custom } from '../../../records/custom.ts'
import { endWorkOf } from '../../../records/end-work.ts'
import { resource } from '../../../records/resource.ts'
import { deleteRowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import { endSessionsWithoutAccount } from '../../company/user/current.ts'
import { endConnectionsOf } from '../connection/revoke.ts'
import { Done, done } from '../done.ts'
import { ROLE_MEANING } from '../invitation/invitation.ts'
import { endInvitationsOf } from '../invitation/mail.ts'
import { endViewsOf } from '../saved-view/change.ts'
import { membersOf, personOf, requireCover, requireMember, type ShownMember } from './find.ts'

export const memberChanges = resource(Done, {
  dashboard: [
    custom({
      id: 'update_member',
      right: 'people.write',
      method: 'PATCH',
      path: '/members/{id}',
      summary: 'Change a member’s role',
      description:
        'You can only give a role that your own includes, to somebody whose role yours includes. The account always keeps an owner.',
      answers: Done,
      callers: ['session'],
      body: { role: oneOf(ROLES, ROLE_MEANING).required() },
      rule: (context, { path, input }) => done(changeRole(context, path.id, input.role!), path.id),
    }),
    custom({
      id: 'remove_member',
      // Anyone may leave the account; the operation's code requires more rights to remove others.
      right: 'self.write',
      method: 'DELETE',
      path: '/members/{id}',
      summary: 'Remove a member from the account, or leave it',
      description: 'The API tokens and invitations that the person has made here end. The last owner cannot leave.',
      answers: Done,
      callers: ['session'],
      rule: (context, { path }) => done(removeMember(context, path.id), path.id),
    }),
  ],
})

async function changeRole(context: Context, userId: string, role: Role): Promise<void> {
  const member = await requireMember(context, userId)
  requireCover(context.caller, member.role)
  requireCover(context.caller, role)
  requireProven(member, role)
  if (role !== 'owner') await requireOtherOwner(context, member)
  await endInvitationsOf(context, userId, role)
  await updateRowsOf(context, 'memberships').set({ role }).where('user_id', '=', userId).execute()
}

/** Throws a 422 when a role adds rights for an unconfirmed e-mail address, because the address may belong to somebody else. */
function requireProven({ email_verified, role: present }: ShownMember, role: Role): void {
  if (!email_verified && !cover([present], role))
    throw invalid({
      base: ['This person has not confirmed the e-mail address yet: they do so on the page of their profile'],
    })
}

/** Throws a 422 when the member is the only owner. */
async function requireOtherOwner(context: Context, { id, role }: ShownMember): Promise<void> {
  if (role !== 'owner') return
  const others = (await membersOf(context)).filter((one) => one.role === 'owner' && one.id !== id)
  if (others.length === 0) throw invalid({ base: ['The account needs an owner: make someone else an owner first'] })
}

/** Removes a member with their tokens, connections, invitations, private views and e-mail choices. Members may remove themselves. */
async function removeMember(context: Context, userId: string): Promise<void> {
  const member = await requireMember(context, userId)
  if (!member.self) requireRemover(context, member)
  await requireOtherOwner(context, member)
  const tokens = deleteRowsOf(context, 'api_tokens').where('user_id', '=', userId).returning('id')
  const ended = (await tokens.execute()).map(({ id }) => id)
  await endWorkOf(context, ended)
  await endConnectionsOf(context, userId)
  await endInvitationsOf(context, userId, null)
  await endViewsOf(context, userId)
  await deleteRowsOf(context, 'letter_choices').where('user_id', '=', userId).execute()
  await deleteRowsOf(context, 'memberships').where('user_id', '=', userId).execute()
  await endSessionsWithoutAccount(context, userId)
}

function requireRemover(context: Context, { role }: ShownMember): void {
  if (!include(rolesOf(personOf(context.caller)), 'people.write'))
    throw new ApiError('permission_denied', `${rolesNeeded('people.write')}.`)
  requireCover(context.caller, role)
}
