import { randomBytes } from 'node:crypto'
import { newId } from '../../contract/ids.ts'
import type { Scope } from '../../database/database.ts'
import type { Vault } from '../../records/services.ts'
import type { Tables } from '../../resources/tables.ts'
import { hashOfSecret } from './hash.ts'

/** A secret for an address: 32 random bytes, which no URL needs to escape. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** What every secret of a link looks like; nothing else is worth a query. */
export const SECRET_FORM = /^[A-Za-z0-9_-]{16,64}$/

/** The name under which the library keeps what a token of a password's link proves. */
function identifierOf(token: string): string {
  return `reset-password:${token}`
}

/** A link by which a person sets a password once, without the earlier one. Gives its token. */
export async function makePasswordLink(
  database: Scope<Tables>,
  vault: Vault,
  { userId, seconds }: { userId: string; seconds: number },
): Promise<string> {
  const token = newSecret()
  const now = Date.now()
  const created = new Date(now).toISOString()
  const link = {
    id: newId('verif'),
    identifier: hashOfSecret(vault, identifierOf(token)),
    value: userId,
    expires_at: new Date(now + seconds * 1000).toISOString(),
    created_at: created,
    updated_at: created,
  }
  await database.transaction(({ db }) => db.insertInto('verifications').values(link).execute())
  return token
}

/** Where a person sets a password. */
export function passwordUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/set-password/${token}`
}

/** Whom a link of a password is for. */
export interface LinkHolder {
  userId: string
  name: string
  email: string
  /** Whether the person has a password already. */
  hasPassword: boolean
}

/** The person whose link it is, or null when it is wrong, used or too old. */
export async function holderOfLink({ read }: Scope<Tables>, vault: Vault, token: string): Promise<LinkHolder | null> {
  if (!SECRET_FORM.test(token)) return null
  const found = await read
    .selectFrom('verifications')
    .innerJoin('users', 'users.id', 'verifications.value')
    .select(['users.id as userId', 'users.name', 'users.email'])
    .where('identifier', '=', hashOfSecret(vault, identifierOf(token)))
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst()
  return found ? { ...found, hasPassword: await hasPassword({ read }, found.userId) } : null
}

/** Whether a person can sign in with a password. */
export async function hasPassword({ read }: Pick<Scope<Tables>, 'read'>, userId: string): Promise<boolean> {
  const methods = read.selectFrom('sign_in_methods').select('id').where('user_id', '=', userId)
  const found = await methods.where('provider_id', '=', 'credential').executeTakeFirst()
  return found !== undefined
}
