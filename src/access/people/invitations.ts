import type { Role } from '../../contract/caller.ts'
import { newId } from '../../contract/ids.ts'
import { timestampOf } from '../../contract/values.ts'
import type { Scope } from '../../database/database.ts'
import { isUniqueViolation } from '../../database/unique.ts'
import type { Services } from '../../records/services.ts'
import { invitationIdOf } from '../../resources/desk/invitation/secret.ts'
import type { Tables } from '../../resources/tables.ts'
import { accountOf } from '../account-of.ts'
import { hasPassword } from './links.ts'

/** An invitation as whoever has its link sees it. */
export interface OpenInvitation {
  id: string
  accountId: string
  /** The account's name and address. */
  account: string
  subdomain: string
  email: string
  role: Role
  /** The person who has the address already, if there is one. */
  known: { userId: string; hasPassword: boolean } | null
}

interface Place {
  database: Scope<Tables>
  services: Pick<Services, 'vault'>
}

/** The invitation of a link, or null when it is wrong, revoked, taken or too old. */
export async function invitationOf({ database, services }: Place, secret: string): Promise<OpenInvitation | null> {
  const { read } = database
  const id = invitationIdOf({ services: services as Services }, secret)
  const accountId = id === null ? null : await accountOf(read, 'invitations', id)
  if (id === null || accountId === null) return null
  const found = await read
    .selectFrom('invitations')
    .innerJoin('accounts', 'accounts.id', 'invitations.account_id')
    .select(['accounts.name as account', 'accounts.subdomain', 'invitations.email', 'invitations.role'])
    .where('invitations.account_id', '=', accountId)
    .where('invitations.id', '=', id)
    .where('invitations.expires_at', '>', timestampOf(new Date()))
    .executeTakeFirst()
  return found ? { ...found, id, accountId, known: await userWith({ read }, found.email) } : null
}

async function userWith({ read }: Pick<Scope<Tables>, 'read'>, email: string): Promise<OpenInvitation['known']> {
  const user = await read.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  return user ? { userId: user.id, hasPassword: await hasPassword({ read }, user.id) } : null
}

/**
 * Takes an invitation: whoever has the address, or somebody new with that name, becomes a member. The user's id, or null when
 * it was revoked or taken meanwhile.
 */
export async function takeInvitation(
  database: Scope<Tables>,
  { id, accountId }: OpenInvitation,
  name: string,
): Promise<string | null> {
  try {
    return await database.transaction(async ({ db }) => {
      const taken = await db
        .deleteFrom('invitations')
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .returning(['email', 'role'])
        .executeTakeFirst()
      if (!taken) return null
      const userId = await userOf(db, taken.email, name)
      const membership = { account_id: accountId, user_id: userId, role: taken.role }
      await db
        .insertInto('memberships')
        .values({ ...membership, created_at: timestampOf(new Date()) })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      return userId
    })
  } catch (error) {
    if (isUniqueViolation(error)) return null
    throw error
  }
}

/** Whoever opened the link reads the mail of the address. */
async function userOf(db: Scope<Tables>['read'], email: string, name: string): Promise<string> {
  const known = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  if (known) {
    await db.updateTable('users').set({ email_verified: 1 }).where('id', '=', known.id).execute()
    return known.id
  }
  const id = newId('user')
  const created_at = timestampOf(new Date())
  await db.insertInto('users').values({ id, name, email, email_verified: 1, created_at }).execute()
  return id
}
