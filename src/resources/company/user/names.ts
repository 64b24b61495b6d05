import { compileForIds } from '../../../database/compile-once.ts'
import type { Context, InAccount } from '../../../records/context.ts'

/** Users are stored across accounts, so the query checks that they are members of this account. */
const peopleOfIds = compileForIds((db: Context['db'], accountId: string, ids: string[]) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where('id', 'in', ids)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('memberships')
          .select('user_id')
          .where('account_id', '=', accountId)
          .whereRef('memberships.user_id', '=', 'users.id'),
      ),
    ),
)

/** Returns names and e-mail addresses by user id. Former members of the account are absent. */
export async function namesOf(
  { db, accountId }: InAccount,
  ids: readonly string[],
): Promise<Map<string, { id: string; name: string; email: string }>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const people = await peopleOfIds(db, accountId, wanted)
  return new Map(people.map((person) => [person.id, person]))
}
