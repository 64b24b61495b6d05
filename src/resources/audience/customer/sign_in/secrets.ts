import { randomBytes } from 'node:crypto'
import type { Vault } from '../../../../records/services.ts'

type Keys = Pick<Vault, 'derive'>
/** What a secret of a buyer is for: none does for another. */
export type Purpose = 'sign_in' | 'address' | 'session'

/** What every secret looks like; nothing else is worth a query. */
const SECRET = /^[A-Za-z0-9_-]{43}$/

export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** What is stored of a secret: a keyed hash, of its purpose too. Null for what is no secret. */
export function hashOf(keys: Keys, purpose: Purpose, secret: string): string | null {
  return SECRET.test(secret) ? hashOfNew(keys, purpose, secret) : null
}

/** The same of a secret that was just made. */
export function hashOfNew({ derive }: Keys, purpose: Purpose, secret: string): string {
  return derive('buyer', `${purpose} ${secret}`)
}
