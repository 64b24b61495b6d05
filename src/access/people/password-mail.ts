import { timestampOf } from '../../contract/values.ts'
import type { Database } from '../../database/database.ts'
import { insertJob } from '../../records/enqueue.ts'
import { mailPasswordLink } from '../../resources/company/user/password_link.ts'
import type { Tables } from '../../resources/tables.ts'

/** Enqueues the mail with a link for whoever has the address, in an account of that person. False when there is nobody. */
export async function queuePasswordMail(database: Database<Tables>, email: string): Promise<boolean> {
  const person = await database.read
    .selectFrom('users')
    .innerJoin('memberships', 'memberships.user_id', 'users.id')
    .select(['users.id', 'memberships.account_id'])
    .where('users.email', '=', email)
    .orderBy('memberships.created_at')
    .executeTakeFirst()
  if (!person) return false
  const now = timestampOf(new Date())
  await database.transaction(({ db }) => {
    const place = { db, accountId: person.account_id, now, realNow: now, test: false }
    return insertJob(place, mailPasswordLink, { user: person.id }, { inRealTime: true })
  })
  return true
}
