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
export function hashOf({ derive }: Keys, purpose: Purpose, secret: string): string | null {
  return SECRET.test(secret) ? derive('buyer', `${purpose} ${secret}`) : null
}
