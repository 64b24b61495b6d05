import { timestampOf } from '../../contract/values/values.ts'
import { insertJob } from '../../records/enqueue.ts'
import type { JobType } from '../../records/job.ts'
import { mailPasswordLink } from '../../resources/company/user/password-link.ts'
import type { Db, ShopDatabase } from '../../resources/tables.ts'

/** Enqueues an email to a person, as an email of the person's oldest account. Returns false if the person has no account. */
export async function queueLetter<Payload>(
  db: Db,
  userId: string,
  { job, payload }: { job: JobType<Payload>; payload: Payload },
): Promise<boolean> {
  const membership = await db
    .selectFrom('memberships')
    .select('account_id')
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .executeTakeFirst()
  if (!membership) return false
  const now = timestampOf(new Date())
  const place = { db, accountId: membership.account_id, now, realNow: now, test: false }
  await insertJob(place, job, payload, { inRealTime: true })
  return true
}

/** Enqueues an email with a link to set a password. Returns false if no person has the address. */
export async function queuePasswordMail(database: ShopDatabase, email: string): Promise<boolean> {
  const person = await database.read.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  if (!person) return false
  const letter = { job: mailPasswordLink, payload: { user: person.id } }
  return database.transaction(({ db }) => queueLetter(db, person.id, letter))
}
