import { createHash, timingSafeEqual } from 'node:crypto'
import type { TokenRight } from '../../contract/declarations/caller.ts'
import { newId } from '../../contract/values/ids.ts'
import { hashToken, newToken } from '../../contract/values/token-format.ts'
import { timestampOf } from '../../contract/values/values.ts'
import { writeLog } from '../../records/log.ts'
import type { Db, ShopScope } from '../../resources/tables.ts'
import { OAuthError } from './errors.ts'
import { issueTokens, revokeConnection, type TokenAnswer } from './tokens.ts'

/** The lifetime of a code is short, because clients exchange it for tokens at once. */
const VALID_MS = 60_000
/** The maximum number of connections of one person in an account. Another one replaces the least recently used. */
const MOST_CONNECTIONS = 50

const CODE_PREFIX = 'shpwc_'

export interface Consent {
  userId: string
  email: string
  right: TokenRight
  client: { id: string; name: string; domain: string | null }
  returnsTo: string
  redirectUri: string
  challenge: string
}

export async function issueCode(
  database: ShopScope,
  secret: string,
  accountId: string,
  consent: Consent,
): Promise<string> {
  const code = newToken(CODE_PREFIX)
  const row = {
    account_id: accountId,
    code_hash: hashToken(code, secret),
    consent: JSON.stringify(consent),
    connection_id: null,
    expires_at: timestampOf(new Date(Date.now() + VALID_MS)),
  }
  await database.transaction(({ db }) => db.insertInto('oauth_codes').values(row).execute())
  return code
}

export interface Redemption {
  code: string
  clientId: string
  /** The redirect URL in the token request; null if there is none, because OAuth 2.1 no longer requires it. */
  redirectUri: string | null
  verifier: string
}

/**
 * Exchanges a code for tokens. A code can be tried once; a second use revokes the connection that the first one created, because
 * someone else has the code. Throws `invalid_grant`.
 */
export async function redeemCode(database: ShopScope, secret: string, redemption: Redemption): Promise<TokenAnswer> {
  const answer = await database.transaction(async ({ db }) => {
    const codeHash = hashToken(redemption.code, secret)
    const found = await db.selectFrom('oauth_codes').selectAll().where('code_hash', '=', codeHash).executeTakeFirst()
    if (!found) return null
    if (found.connection_id !== null) {
      await revokeConnection(db, { account_id: found.account_id, id: found.connection_id })
      return null
    }
    const consent = JSON.parse(found.consent) as Consent
    const fits = Date.parse(found.expires_at) > Date.now() && isProved(redemption, consent)
    const member = fits ? await isMember(db, found.account_id, consent.userId) : false
    if (!member) {
      await db.deleteFrom('oauth_codes').where('code_hash', '=', codeHash).execute()
      return null
    }
    const connection = await makeConnection(db, found.account_id, consent)
    const used = db.updateTable('oauth_codes').set({ connection_id: connection.id })
    await used.where('code_hash', '=', codeHash).execute()
    return issueTokens(db, secret, connection)
  })
  if (answer) return answer
  throw new OAuthError(
    'invalid_grant',
    'The code is invalid: it was used, has expired, or belongs to another client_id, redirect_uri or code_verifier.',
  )
}

function isProved({ clientId, redirectUri, verifier }: Redemption, consent: Consent): boolean {
  if (clientId !== consent.client.id) return false
  if (redirectUri !== null && redirectUri !== consent.redirectUri) return false
  const hashed = createHash('sha256').update(verifier).digest()
  return timingSafeEqual(hashed, Buffer.from(consent.challenge.padEnd(43, 'A').slice(0, 43), 'base64url'))
}

async function isMember(db: Db, accountId: string, userId: string): Promise<boolean> {
  const member = db.selectFrom('memberships').select('role').where('account_id', '=', accountId)
  return (await member.where('user_id', '=', userId).executeTakeFirst()) !== undefined
}

async function makeConnection(db: Db, accountId: string, consent: Consent) {
  const { client, userId, right } = consent
  await endOldest(db, accountId, userId)
  const now = timestampOf(new Date())
  const row = {
    account_id: accountId,
    id: newId('conn'),
    user_id: userId,
    client_id: client.id,
    client_name: client.name,
    client_domain: client.domain,
    returns_to: consent.returnsTo,
    right,
    allowed_by: consent.email,
    status: 'active' as const,
    last_used_at: null,
    revoked_at: null,
    created_at: now,
    updated_at: now,
  }
  await db.insertInto('connections').values(row).execute()
  const caller = { kind: 'token', tokenId: row.id, accountId, userId, role: 'viewer', right } as const
  await writeLog(db, caller, { kind: 'operation', operation: 'connect_agent', resource: row.id })
  return row
}

async function endOldest(db: Db, accountId: string, userId: string): Promise<void> {
  const own = await db
    .selectFrom('connections')
    .select(['account_id', 'id', 'created_at', 'last_used_at'])
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('status', '=', 'active')
    .execute()
  const lastUse = (row: (typeof own)[number]) => row.last_used_at ?? row.created_at
  own.sort((one, other) => lastUse(other).localeCompare(lastUse(one)))
  for (const connection of own.slice(MOST_CONNECTIONS - 1)) await revokeConnection(db, connection)
}
