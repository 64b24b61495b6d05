import { deleteRow } from '../../../records/records.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { createInvitation, resendInvitation } from './create.ts'
import { Invitation } from './invitation.ts'
import { mailInvitation } from './mail.ts'

const { list, create, action, remove } = verbs(Invitation)
const BY_ADMINS = { callers: ['session'] } as const

export const invitations = resource(Invitation, {
  derive: (rows, { realNow }) => rows.map(({ expires_at }) => ({ expired: expires_at <= realNow })),
  jobs: [mailInvitation],
  dashboard: [
    list({ ...BY_ADMINS, summary: 'List open invitations' }),
    create({
      ...BY_ADMINS,
      summary: 'Invite someone to the account by e-mail',
      description:
        'The link in the e-mail works for 7 days. You can only give a role that your own includes. Invitations have a daily limit per account and per address; beyond it, 429.',
      rate: 'slow',
      inTurn: true,
      rule: createInvitation,
    }),
    action('resend', {
      ...BY_ADMINS,
      summary: 'Resend an invitation, for another 7 days',
      rate: 'slow',
      inTurn: true,
      rule: resendInvitation,
    }),
    remove({
      ...BY_ADMINS,
      id: 'revoke_invitation',
      summary: 'Revoke an invitation; its link stops working',
      rule: (context, row) => deleteRow(context, Invitation, row),
    }),
  ],
})
