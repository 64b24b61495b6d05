import { randomBytes } from 'node:crypto'
import { vaultOf } from '../../src/access/vault.ts'
import { newId } from '../../src/contract/values/ids.ts'
import { hashOfSecret } from '../../src/resources/company/user/password-link.ts'
import { type RunningApp, SECRET_KEY } from './app.ts'

const HOUR_MS = 60 * 60 * 1000

/** Signs a user in, and returns the cookie header of the browser. */
export async function signedIn({ app }: RunningApp, userId: string): Promise<string> {
  const token = randomBytes(16).toString('hex')
  const now = new Date().toISOString()
  const session = {
    id: newId('sess'),
    user_id: userId,
    token_hash: hashOfSecret(vaultOf(SECRET_KEY), token),
    ip_address: null,
    user_agent: null,
    expires_at: new Date(Date.now() + HOUR_MS).toISOString(),
    created_at: now,
    updated_at: now,
  }
  await app.database.transaction(({ db }) => db.insertInto('sessions').values(session).execute())
  return `shopwright_session=${token}`
}
