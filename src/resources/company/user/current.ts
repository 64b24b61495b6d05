import { isUser } from '../../../contract/caller.ts'
import { missingResource } from '../../../contract/errors.ts'
import type { Context } from '../../../records/context.ts'

/** The user that the caller acts for. A user may belong to several accounts, so the row carries none. */
export async function currentUser({ db, caller }: Context) {
  if (!isUser(caller)) throw missingResource('user')
  const user = await db.selectFrom('users').selectAll().where('id', '=', caller.userId).executeTakeFirst()
  if (!user) throw missingResource('user')
  return user
}

/** The address of a user, to write to; undefined when there is no such user any more. */
export async function addressOf({ db }: Pick<Context, 'db'>, userId: string): Promise<string | undefined> {
  const user = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  return user?.email
}
