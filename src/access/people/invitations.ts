import type { Role, SessionCaller } from '../../contract/declarations/caller.ts'
import { newId } from '../../contract/values/ids.ts'
import { timestampOf } from '../../contract/values/values.ts'
import { insertUnless } from '../../database/compile-once.ts'
import { isUniqueViolation } from '../../database/unique.ts'
import { writeLog } from '../../records/log.ts'
import type { Services } from '../../records/services.ts'
import { invitationIdOf, mayInviteAs } from '../../resources/dashboard/invitation/mail.ts'
import type { Db, ShopScope } from '../../resources/tables.ts'
import { accountOf } from '../account-of.ts'
import { accountsOf } from './accounts-of.ts'
import { hasPassword, startOver } from './passwords.ts'

export interface OpenInvitation {
  id: string
  accountId: string
  account: string
  subdomain: string
  email: string
  role: Role
}

/** Returns the open invitation that a link belongs to, or null if the link is wrong, revoked, used or expired. */
export async function invitationOf(
  { database, services }: { database: ShopScope; services: Pick<Services, 'vault'> },
  secret: string,
): Promise<OpenInvitation | null> {
  const { read } = database
  const id = invitationIdOf({ services: services as Services }, secret)
  const accountId = id === null ? null : await accountOf(read, 'invitations', id)
  return id === null || accountId === null ? null : openInvitation(read, { id, accountId })
}

/** Returns null if the person who sent the invitation may no longer send it. */
async function openInvitation(
  db: Db,
  { id, accountId }: Pick<OpenInvitation, 'id' | 'accountId'>,
): Promise<OpenInvitation | null> {
  const found = await db
    .selectFrom('invitations')
    .innerJoin('accounts', 'accounts.account_id', 'invitations.account_id')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.account_id', '=', 'invitations.account_id')
        .onRef('memberships.user_id', '=', 'invitations.invited_by'),
    )
    .select(['accounts.name as account', 'accounts.subdomain', 'invitations.email', 'invitations.role'])
    .select('memberships.role as inviterRole')
    .where('invitations.account_id', '=', accountId)
    .where('invitations.id', '=', id)
    .where('invitations.expires_at', '>', timestampOf(new Date()))
    .executeTakeFirst()
  if (!found) return null
  const { inviterRole, ...invitation } = found
  return mayInviteAs(inviterRole, invitation.role) ? { ...invitation, id, accountId } : null
}

/** Someone who is signed in with the confirmed address, or someone with only the link who enters a name and a new password (as a hash). */
export type Invitee = { userId: string } | { name: string; hash: string }

/** The user who has joined; `known` if a person with the address must sign in first; null if the invitation is no longer open. */
export type JoinResult = { userId: string } | 'known' | null

/** Accepts an invitation. Its link was emailed to the address, so the use of the link confirms the address. */
export async function takeInvitation(database: ShopScope, open: OpenInvitation, taker: Invitee): Promise<JoinResult> {
  try {
    return await database.transaction(async ({ db }) => {
      const invitation = await openInvitation(db, open)
      if (!invitation) return null
      const { accountId, id, email, role } = invitation
      const userId = 'userId' in taker ? await provenUser(db, taker.userId, email) : await userOf(db, email, taker)
      if (userId === null) return 'known'
      const joined: SessionCaller = { kind: 'session', sessionId: 'invitation', accountId, userId, role }
      await writeLog(db, joined, { kind: 'operation', operation: 'accept_invitation', resource: userId })
      await db.deleteFrom('invitations').where('account_id', '=', accountId).where('id', '=', id).execute()
      const joining = { account_id: accountId, user_id: userId, role, created_at: timestampOf(new Date()) }
      await insertUnless(db, 'memberships', joining, ['account_id', 'user_id'])
      return { userId }
    })
  } catch (error) {
    if (isUniqueViolation(error)) return null
    throw error
  }
}

async function provenUser(db: Db, userId: string, email: string): Promise<string | null> {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('email', '=', email)
    .where('email_verified', '=', 1)
    .executeTakeFirst()
  return user?.id ?? null
}

/**
 * Returns the id of the user with the address, created if missing; null if a member has confirmed it and has a password. The new
 * password becomes the only way to sign in, which locks out anyone who used the address without confirming it.
 */
async function userOf(db: Db, email: string, { name, hash }: { name: string; hash: string }): Promise<string | null> {
  const known = await db
    .selectFrom('users')
    .select(['id', 'email_verified'])
    .where('email', '=', email)
    .executeTakeFirst()
  const isMember = known !== undefined && (await accountsOf({ read: db }, known.id)).length > 0
  if (known?.email_verified === 1 && isMember && (await hasPassword({ read: db }, known.id))) return null
  const id = known?.id ?? newId('user')
  if (known) await db.updateTable('users').set({ email_verified: 1 }).where('id', '=', id).execute()
  else {
    const created_at = timestampOf(new Date())
    await db.insertInto('users').values({ id, name, email, email_verified: 1, created_at }).execute()
  }
  await startOver(db, id, hash)
  return id
}
