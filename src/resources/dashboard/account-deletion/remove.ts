import { invalid } from '../../../contract/declarations/errors.ts'
import type { AnswerOf } from '../../../contract/declarations/noun.ts'
import type { Scope } from '../../../database/database.ts'
import type { OutsideContext } from '../../../records/context.ts'
import { deleteAccount } from '../../company/account/life/delete.ts'
import type { Tables } from '../../tables.ts'
import type { AccountDeletion } from './account-deletion.ts'

/** The maximum time for which a person waits. A running server deletes the remaining rows later. */
const WITHIN_MS = 3_000

/** Prepares the deletion of an account, such as revoking access at other services. It must not reject. */
export type BeforeDeletion = (context: OutsideContext) => Promise<void>

/** Deletes an account after the person typed its subdomain to confirm. */
export async function removeAccount(
  context: OutsideContext,
  { id, subdomain }: { id: string; subdomain: string },
  typed: string,
  before: readonly BeforeDeletion[],
): Promise<AnswerOf<typeof AccountDeletion>> {
  if (typed.trim() !== subdomain)
    throw invalid({ subdomain: [`does not match. Type ${subdomain} to delete the account`] })
  await Promise.all(before.map((prepare) => prepare(context)))
  const { finished } = await deleteAccount(scopeOf(context), id, { withinMs: WITHIN_MS })
  return { id, subdomain, deleted: true, finished }
}

/** Returns a scope whose transactions are those of this operation. */
function scopeOf({ db, transaction }: OutsideContext): Scope<Tables> {
  return {
    read: db,
    transaction: (work) =>
      transaction((place) => work({ db: place.db, savepoint: (part) => part(), settled: async () => {} })),
  }
}
