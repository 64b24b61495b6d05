import type { Kysely } from 'kysely'
import type { Tables } from '../../tables.ts'

/** Ends every link that was made for a person, and an address that was asked for. */
export async function endLinks(db: Kysely<Tables>, userId: string): Promise<void> {
  await db.deleteFrom('verifications').where('value', '=', userId).execute()
  await db.deleteFrom('address_changes').where('user_id', '=', userId).execute()
}
