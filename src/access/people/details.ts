import type { Scope } from '../../database/database.ts'
import { isUniqueViolation } from '../../database/unique.ts'
import type { Vault } from '../../records/services.ts'
import type { Tables } from '../../resources/tables.ts'
import { holderOfLink } from './links.ts'

/** How a person is called and reached. */
export interface Details {
  name: string
  email: string
}

/** `taken`: somebody else has the address. `gone`: the person may not change them any more. */
export type DetailsChange = 'changed' | 'taken' | 'gone'

/** Changes the details of a person. */
export function changeDetails(database: Scope<Tables>, userId: string, details: Details): Promise<DetailsChange> {
  return changeDetailsOf(database, async () => userId, details)
}

/** Changes the details of whoever has a link, while it can be used. */
export function changeDetailsByLink(
  database: Scope<Tables>,
  { vault, token }: { vault: Vault; token: string },
  details: Details,
): Promise<DetailsChange> {
  return changeDetailsOf(database, async (db) => (await holderOfLink({ read: db }, vault, token))?.userId, details)
}

/** `find` gives the person, in the transaction of the change. */
async function changeDetailsOf(
  database: Scope<Tables>,
  find: (db: Scope<Tables>['read']) => Promise<string | undefined>,
  { name, email }: Details,
): Promise<DetailsChange> {
  const changed = { name, email, updated_at: new Date().toISOString() }
  try {
    return await database.transaction(async ({ db }) => {
      const userId = await find(db)
      if (userId === undefined) return 'gone'
      await db.updateTable('users').set(changed).where('id', '=', userId).execute()
      return 'changed'
    })
  } catch (error) {
    if (isUniqueViolation(error)) return 'taken'
    throw error
  }
}
