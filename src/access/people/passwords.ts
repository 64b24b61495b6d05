import { newId } from '../../contract/values/ids.ts'
import type { Vault } from '../../records/services.ts'
import { UNNAMED_OWNER } from '../../resources/company/account/life/open.ts'
import { endLinks } from '../../resources/company/user/forget.ts'
import { storedLink } from '../../resources/company/user/password-link.ts'
import type { Db, ShopScope } from '../../resources/tables.ts'
import { askForAddress, unlessTaken } from './addresses.ts'

type ReadScope = Pick<ShopScope, 'read'>

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

export interface LinkHolder {
  userId: string
  name: string
  email: string
  hasPassword: boolean
  /** Whether the link was emailed to the person's address, so that its use confirms the address. */
  mailed: boolean
  /** Whether the person's address is a placeholder, so that the person may choose an address together with the password. */
  choosesAddress: boolean
}

/** Returns the person that a password link belongs to, or null if the link is wrong, used or expired. */
export async function holderOfLink({ read }: ReadScope, vault: Vault, token: string): Promise<LinkHolder | null> {
  const identifier = storedLink(vault, 'reset-password', token)
  if (identifier === null) return null
  const found = await read
    .selectFrom('verifications')
    .innerJoin('users', 'users.id', 'verifications.value')
    .select(['users.id as userId', 'users.name', 'users.email', 'mailed_to'])
    .where('identifier', '=', identifier)
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst()
  if (!found || (found.mailed_to !== null && found.mailed_to !== found.email)) return null
  const { mailed_to, ...person } = found
  return {
    ...person,
    hasPassword: await hasPassword({ read }, person.userId),
    mailed: mailed_to !== null,
    choosesAddress: person.email === UNNAMED_OWNER.email && (await isAlone(read)),
  }
}

/** Returns whether there is only one user. With more users, the response to a chosen address would reveal whether another user has it. */
async function isAlone(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(2).execute()).length === 1
}

/** The input of a person with a password link. Name and address apply only if the person has no password yet. */
export interface LinkUse {
  hash: string
  name: string
  email: string
}

/** Makes the password the only way to sign in. Returns the address, or null if the link is no longer valid or the address is taken. */
export async function useLink(
  database: ShopScope,
  { vault, token }: { vault: Vault; token: string },
  { hash, name, email }: LinkUse,
): Promise<string | null> {
  const used = await unlessTaken(() =>
    database.transaction(async ({ db }) => {
      const holder = await holderOfLink({ read: db }, vault, token)
      if (holder === null) return null
      const address = holder.choosesAddress && !holder.hasPassword ? email : holder.email
      await startOver(db, holder.userId, hash)
      await db
        .updateTable('users')
        .set({
          email: address,
          ...(!holder.hasPassword && { name, updated_at: new Date().toISOString() }),
          ...(holder.mailed && address === holder.email && { email_verified: 1 }),
        })
        .where('id', '=', holder.userId)
        .execute()
      if (address !== holder.email) await askForAddress(db, holder.userId, address)
      return address
    }),
  )
  return used === 'taken' ? null : used
}
