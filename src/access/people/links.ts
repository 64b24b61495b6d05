import type { Scope } from '../../database/database.ts'
import type { Vault } from '../../records/services.ts'
import { storedLink } from '../../resources/company/user/password_link.ts'
import type { Tables } from '../../resources/tables.ts'

/** Whom a link of a password is for. */
export interface LinkHolder {
  userId: string
  name: string
  email: string
  /** Whether the person has a password already. */
  hasPassword: boolean
}

/** The person whose link it is, or null when it is wrong, used or too old. */
export async function holderOfLink(
  { read }: Pick<Scope<Tables>, 'read'>,
  vault: Vault,
  token: string,
): Promise<LinkHolder | null> {
  const identifier = storedLink(vault, token)
  if (identifier === null) return null
  const found = await read
    .selectFrom('verifications')
    .innerJoin('users', 'users.id', 'verifications.value')
    .select(['users.id as userId', 'users.name', 'users.email'])
    .where('identifier', '=', identifier)
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
