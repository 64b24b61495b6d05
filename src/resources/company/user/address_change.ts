import type { Context } from '../../../records/context.ts'

type In = Pick<Context, 'db'>

/** An address that a person has asked for and not proven yet, with what it takes to write there; undefined once it has ended. */
export function addressChange({ db }: In, id: string) {
  return db
    .selectFrom('address_changes')
    .innerJoin('users', 'users.id', 'address_changes.user_id')
    .select(['address_changes.email', 'user_id', 'users.name', 'users.email as present'])
    .where('address_changes.id', '=', id)
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst()
}

/** The id of whoever signs in with an address; undefined where nobody does. */
export async function userWithAddress({ db }: In, email: string): Promise<string | undefined> {
  const user = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  return user?.id
}

/** Keeps what is stored of the token of its link, in place of an earlier one. */
export async function keepLinkOf({ db }: In, id: string, token_hash: string): Promise<void> {
  await db.updateTable('address_changes').set({ token_hash }).where('id', '=', id).execute()
}
