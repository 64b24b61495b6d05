import { ROLES, type Role } from '../../../contract/declarations/caller.ts'
import { cover, include } from '../../../contract/declarations/role-rights.ts'
import { inOnePiece } from '../../../contract/values/values.ts'
import { isolated } from '../../../format/direction.ts'
import type { Context } from '../../../records/context.ts'
import { job } from '../../../records/job.ts'
import { findRow } from '../../../records/records.ts'
import { deleteRowsOf } from '../../../records/rows-of.ts'
import { currentAccount } from '../../company/account/current.ts'
import { nameOfUser } from '../../company/user/current.ts'
import { type PersonalLetter, sendLetter } from '../../company/user/personal-mail.ts'
import { idOfSecret, secretOf } from '../../sales/secret.ts'
import { Invitation } from './invitation.ts'

interface InvitationMail {
  invitation: string
  /** Whether the request has already counted this e-mail against the rate limit. */
  taken?: boolean
}

export const mailInvitation = job<InvitationMail>('invitation.mail', {
  async work(job, { invitation: id, taken = false }) {
    const letter = await job.transaction(async (context): Promise<PersonalLetter | null> => {
      const invitation = await findRow(context, Invitation, id)
      if (!invitation) return null
      const name = isolated((await currentAccount(context)).name)
      const inviter = await nameOfUser(context, invitation.invited_by)
      return {
        kind: 'invitation',
        taken,
        to: invitation.email,
        subject: `Join ${name} on Shopwright`,
        heading: `You are invited to ${name}`,
        words: `${isolated(inviter ?? 'Someone')} invited you to join the account “${name}” with the role ${invitation.role}.`,
        link: { label: 'Accept the invitation', url: invitationUrl(context, id) },
        after: 'The link works for 7 days. If you were not expecting this invitation, you can ignore this message.',
      }
    })
    if (letter) await sendLetter(job, letter)
    await job.finish(async () => {})
  },
})

/** Returns the URL of an invitation. Its secret is derived from the id, so none is stored. */
function invitationUrl(context: Pick<Context, 'publicUrl' | 'services'>, id: string): string {
  return inOnePiece(context.publicUrl, '/invitations/', secretOf(context, Invitation, id))
}

/** Returns the id of the invitation that a secret belongs to, or null when the secret is invalid. */
export function invitationIdOf(context: Pick<Context, 'services'>, secret: string): string | null {
  return idOfSecret(context, Invitation, secret)
}

/** Deletes the invitations that a person sent for roles that `role` may not grant; all of them if `role` is null. */
export async function endInvitationsOf(context: Context, userId: string, role: Role | null): Promise<void> {
  const kept = role === null ? [] : ROLES.filter((granted) => mayInviteAs(role, granted))
  const made = deleteRowsOf(context, 'invitations').where('invited_by', '=', userId)
  await (kept.length === 0 ? made : made.where('role', 'not in', kept)).execute()
}

export function mayInviteAs(role: Role, granted: Role): boolean {
  return include([role], 'people.write') && cover([role], granted)
}
