import { invalid } from '../../../contract/declarations/errors.ts'
import type { CreateInput, Row } from '../../../contract/declarations/noun.ts'
import { laterBy } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, insertRow } from '../../../records/records.ts'
import { countRows, rowsOf } from '../../../records/rows-of.ts'
import { requireLetter } from '../../messages/email/letter-budget.ts'
import { membersOf, personOf, requireCover } from '../member/find.ts'
import { Invitation } from './invitation.ts'
import { mailInvitation } from './mail.ts'

const WEEK_MS = 7 * 24 * 60 * 60 * 1000
/** Limits the open invitations of an account, to prevent mass mailing. */
const MOST_OPEN = 100

/** Invites a person by e-mail. Callers cannot grant a role with more rights than their own. */
export async function createInvitation(
  context: Context,
  { email, role = 'viewer' }: CreateInput<typeof Invitation>,
): Promise<Row<typeof Invitation>> {
  requireCover(context.caller, role)
  await requireNew(context, email)
  const invited_by = personOf(context.caller).userId
  const made = await insertRow(context, Invitation, { email, role, invited_by, expires_at: weekFrom(context) })
  await mail(context, made)
  return made
}

/** E-mails the invitation again and extends it by a week. */
export async function resendInvitation(
  context: Context,
  invitation: Row<typeof Invitation>,
): Promise<Row<typeof Invitation>> {
  requireCover(context.caller, invitation.role)
  const changed = await changeRow(context, Invitation, invitation, { expires_at: weekFrom(context) })
  await mail(context, changed)
  return changed
}

async function mail(context: Context, { id, email: to }: Row<typeof Invitation>): Promise<void> {
  await requireLetter(context, { kind: 'invitation', to, by: personOf(context.caller).userId })
  await context.enqueue(mailInvitation, { invitation: id, taken: true }, { inRealTime: true })
}

/** Returns the time in a week. Invitations expire in real time, even if the account has its own clock. */
function weekFrom({ realNow }: Context): string {
  return laterBy(realNow, WEEK_MS)
}

async function requireNew(context: Context, email: string): Promise<void> {
  if ((await membersOf(context)).some((member) => member.email === email))
    throw invalid({ email: ['is already a member of this account'] })
  const open = await rowsOf(context, 'invitations').select('email').limit(MOST_OPEN).execute()
  if (open.some((one) => one.email === email))
    throw invalid({ email: ['was invited already: send that invitation again, or revoke it'] })
  if ((await countRows(rowsOf(context, 'invitations'))) >= MOST_OPEN)
    throw invalid({ base: [`An account has at most ${MOST_OPEN} open invitations; revoke one`] })
}
