import { newId } from '../../contract/values/ids.ts'
import { endLinks } from '../../resources/company/user/forget.ts'
import type { Db, ShopScope } from '../../resources/tables.ts'

export type ReadScope = Pick<ShopScope, 'read'>

export async function hasPassword({ read }: ReadScope, userId: string): Promise<boolean> {
  const methods = read.selectFrom('sign_in_methods').select('id').where('user_id', '=', userId)
  const found = await methods.where('provider_id', '=', 'credential').executeTakeFirst()
  return found !== undefined
}

/** Makes a password the only way to sign in: deletes the person's passkeys, sessions, links and other passwords. `hash` is stored. */
export async function startOver(db: Db, userId: string, hash: string): Promise<void> {
  await db.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  await replacePassword(db, userId, hash)
}

/** Replaces a person's password and deletes the person's sessions and links. */
export async function replacePassword(db: Db, userId: string, hash: string): Promise<void> {
  await endLinks(db, userId)
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await db.deleteFrom('sign_in_methods').where('user_id', '=', userId).execute()
  const now = new Date().toISOString()
  const method = { provider_id: 'credential', provider_account: userId, password_hash: hash }
  const row = { id: newId('signin'), user_id: userId, ...method, created_at: now, updated_at: now }
  await db.insertInto('sign_in_methods').values(row).execute()
}

/** Returns the id of the current password of an address, which changes with each new password; null if there is none. */
export async function passwordOfAddress(db: Db, email: string): Promise<string | null> {
  const found = await db
    .selectFrom('sign_in_methods')
    .innerJoin('users', 'users.id', 'sign_in_methods.user_id')
    .select('sign_in_methods.id')
    .where('users.email', '=', email)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst()
  return found?.id ?? null
}
