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
