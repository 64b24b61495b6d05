import type { Db } from '../../tables.ts'

/** Deletes those of the users who belong to no account, with their sign-in data. Returns the number of deleted users. */
export async function forgetWithoutAccount(db: Db, userIds: readonly string[]): Promise<number> {
  let gone = 0
  for (const id of userIds) {
    const left = await db.selectFrom('memberships').select('user_id').where('user_id', '=', id).executeTakeFirst()
    if (left) continue
    for (const table of ['sessions', 'sign_in_methods', 'passkeys'] as const)
      await db.deleteFrom(table).where('user_id', '=', id).execute()
    await endLinks(db, id)
    const { numDeletedRows } = await db.deleteFrom('users').where('id', '=', id).executeTakeFirstOrThrow()
    gone += Number(numDeletedRows)
  }
  return gone
}

/** Deletes all sign-in and confirmation links of a person, and a pending change of the e-mail address. */
export async function endLinks(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('verifications').where('value', '=', userId).execute()
  await db.deleteFrom('address_changes').where('user_id', '=', userId).execute()
}
