import type { Database } from '../database/database.ts'
import type { Tables } from '../records/tables.ts'
import { createAccount, findOwner } from './accounts.ts'
import { createToken, type TokenOwner } from './tokens.ts'

export interface FirstAccount extends TokenOwner {
  /** The token's value when it was made just now and nobody knows it yet. */
  token: string | null
}

/** On an empty database: an account, its owner and a token. Null when there is an account already. */
export async function makeFirstAccount(
  database: Database<Tables>,
  secret: string,
  bootstrapToken: string | undefined,
): Promise<FirstAccount | null> {
  if (await findOwner(database)) return null
  const owner = await createAccount(database, {
    name: 'My Shop',
    subdomain: 'my-shop',
    owner: { name: 'Owner', email: 'owner@example.com' },
  })
  const { value } = await createToken(database, secret, owner, 'First token', bootstrapToken)
  return { ...owner, token: bootstrapToken === undefined ? value : null }
}
