import { deleteRow } from '../../../records/records.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { createInvitation, resendInvitation } from './create.ts'
import { Invitation } from './invitation.ts'
import { mailInvitation } from './mail.ts'

const { list, create, action, remove } = verbs(Invitation)
const BY_ADMINS = { callers: ['session'], role: 'admin' } as const

export const invitations = resource(Invitation, {
  derive: (rows, { realNow }) => rows.map(({ expires_at }) => ({ expired: expires_at <= realNow })),
  jobs: [mailInvitation],
  desk: [
    list({ ...BY_ADMINS, summary: 'List the invitations that nobody has taken yet' }),
    create({
      ...BY_ADMINS,
      summary: 'Invite somebody to the account by mail',
      description:
        'The link of the mail can be used for 7 days. Nobody gives a role above the own one. Invitations have a daily limit, for the account and for each address; more are 429.',
      rate: 'slow',
      inTurn: true,
      rule: createInvitation,
    }),
    action('resend', {
      ...BY_ADMINS,
      summary: 'Mail an invitation once more, for another 7 days',
      rate: 'slow',
      inTurn: true,
      rule: resendInvitation,
    }),
    remove({
      ...BY_ADMINS,
      id: 'revoke_invitation',
      summary: 'Revoke an invitation, whose link then leads nowhere',
      rule: (context, row) => deleteRow(context, Invitation, row),
    }),
  ],
})
