import { isUser } from '../../../contract/declarations/caller.ts'
import { missingResource } from '../../../contract/declarations/errors.ts'
import type { Context, InAccount } from '../../../records/context.ts'

/** Returns the caller's user. A user may belong to several accounts, so the row has no account id. */
export async function currentUser({ db, caller }: Context) {
  if (!isUser(caller)) throw missingResource('user')
  const user = await db.selectFrom('users').selectAll().where('id', '=', caller.userId).executeTakeFirst()
  if (!user) throw missingResource('user')
  return user
}

export async function addressOf({ db }: Pick<Context, 'db'>, userId: string): Promise<string | undefined> {
  const user = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  return user?.email
}

export async function nameOfUser({ db }: Pick<Context, 'db'>, userId: string): Promise<string | undefined> {
  const user = await db.selectFrom('users').select('name').where('id', '=', userId).executeTakeFirst()
  return user?.name
}

/** Returns the members of the account with their roles, in the order in which they joined. */
export async function usersOfAccount({ db, accountId }: InAccount) {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['users.id', 'users.name', 'users.email', 'users.email_verified'])
    .select(['memberships.role', 'memberships.created_at as joined_at'])
    .where('memberships.account_id', '=', accountId)
    .orderBy('memberships.created_at')
    .orderBy('users.id')
    .execute()
}

export async function endSessionsWithoutAccount({ db }: Pick<Context, 'db'>, userId: string): Promise<void> {
  const left = await db.selectFrom('memberships').select('user_id').where('user_id', '=', userId).executeTakeFirst()
  if (!left) await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
}
