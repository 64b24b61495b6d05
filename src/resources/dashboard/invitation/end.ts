import { ROLES, type Role } from '../../../contract/declarations/caller.ts'
import { cover, include } from '../../../contract/declarations/role-rights.ts'
import type { Context } from '../../../records/context.ts'
import { deleteRowsOf } from '../../../records/rows-of.ts'

/** Ends the invitations of a person that could not be made with a role; all of them where the person leaves the account. */
export async function endInvitationsOf(context: Context, userId: string, role: Role | null): Promise<void> {
  const kept = role === null ? [] : ROLES.filter((granted) => mayInviteAs(role, granted))
  const made = deleteRowsOf(context, 'invitations').where('invited_by', '=', userId)
  await (kept.length === 0 ? made : made.where('role', 'not in', kept)).execute()
}

/** Whether somebody with a role may invite others with another. */
export function mayInviteAs(role: Role, granted: Role): boolean {
  return include([role], 'people.write') && cover([role], granted)
}
