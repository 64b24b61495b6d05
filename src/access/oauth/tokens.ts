import type { TokenRight } from '../../contract/declarations/caller.ts'
import { newId } from '../../contract/values/ids.ts'
import { hashToken, newToken } from '../../contract/values/token-format.ts'
import { timestampOf } from '../../contract/values/values.ts'
import { endWorkOf } from '../../records/end-work.ts'
import type { Db, ShopScope } from '../../resources/tables.ts'
import { USED_MS } from './clients.ts'
import { OAuthError } from './errors.ts'

/** Access tokens are short-lived, because anyone who has the token can use it. */
const ACCESS_SECONDS = 60 * 60
/** How long a refresh token is valid. A client that is inactive for longer has to ask the person for access again. */
const REFRESH_MS = 90 * 24 * 60 * 60 * 1000
/** How long a used refresh token is stored, so that a second use of it is detected. */
const ROTATED_KEPT_MS = 7 * 24 * 60 * 60 * 1000
/** How long a used refresh token may be used again, by a concurrent request or after a lost response. */
const REUSE_ALLOWED_MS = 10_000
/** The maximum number of tokens of one connection. Another one replaces the oldest. */
const MOST_TOKENS = 100

/** These prefixes distinguish the tokens from API tokens, for people and for secret scanners. */
export const ACCESS_PREFIX = 'shpwa_'
const REFRESH_PREFIX = 'shpwr_'

export interface ConnectionKey {
  account_id: string
  id: string
}

export interface TokenAnswer {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: TokenRight
}

/** Issues an access token and a refresh token for a connection. Only their keyed hashes are stored. */
export async function issueTokens(
  db: Db,
  secret: string,
  connection: ConnectionKey & { right: TokenRight; client_id: string },
): Promise<TokenAnswer> {
  const access = newToken(ACCESS_PREFIX)
  const refresh = newToken(REFRESH_PREFIX)
  const now = Date.now()
  const row = (kind: 'access' | 'refresh', value: string, lastsMs: number) => ({
    account_id: connection.account_id,
    id: newId('otok'),
    connection_id: connection.id,
    kind,
    token_hash: hashToken(value, secret),
    created_at: timestampOf(new Date(now)),
    expires_at: timestampOf(new Date(now + lastsMs)),
    rotated_at: null,
  })
  const rows = [row('access', access, ACCESS_SECONDS * 1000), row('refresh', refresh, REFRESH_MS)]
  await db.insertInto('oauth_tokens').values(rows).execute()
  await removeOldest(db, connection)
  await keepClient(db, connection.client_id)
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: ACCESS_SECONDS,
    refresh_token: refresh,
    scope: connection.right,
  }
}

async function removeOldest(db: Db, { account_id, id }: ConnectionKey): Promise<void> {
  const own = db.selectFrom('oauth_tokens').select('id').where('account_id', '=', account_id)
  const beyond = own.where('connection_id', '=', id).orderBy('id', 'desc').offset(MOST_TOKENS).limit(MOST_TOKENS)
  await db.deleteFrom('oauth_tokens').where('account_id', '=', account_id).where('id', 'in', beyond).execute()
}

/** Throws `invalid_grant`. A second use after `REUSE_ALLOWED_MS` revokes the connection, because two parties have the refresh token. */
export async function refreshTokens(
  database: ShopScope,
  secret: string,
  { token, clientId }: { token: string; clientId: string },
): Promise<TokenAnswer> {
  const answer = await database.transaction(async ({ db }) => {
    const now = Date.now()
    const found = await findRefreshToken(db, hashToken(token, secret), timestampOf(new Date(now)))
    if (!found || found.client_id !== clientId) return null
    if (found.rotated_at !== null && now - Date.parse(found.rotated_at) > REUSE_ALLOWED_MS) {
      await revokeConnection(db, found)
      return null
    }
    if (found.rotated_at === null) await markRotated(db, found, now)
    return issueTokens(db, secret, found)
  })
  if (answer) return answer
  throw new OAuthError('invalid_grant', 'The refresh token is invalid: it was used, was revoked or has expired.')
}

function findRefreshToken(db: Db, hash: string, now: string) {
  return liveToken(db, 'refresh', hash, now)
    .select(['connections.account_id', 'connections.id', 'connections.client_id', 'connections.right'])
    .select(['oauth_tokens.id as token_id', 'rotated_at'])
    .executeTakeFirst()
}

/** Selects a token that has not expired, if its connection is active and its user still belongs to the account. */
export function liveToken(db: Db, kind: 'access' | 'refresh', hash: string, now: string) {
  return withConnection(db)
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.account_id', '=', 'connections.account_id')
        .onRef('memberships.user_id', '=', 'connections.user_id'),
    )
    .where('token_hash', '=', hash)
    .where('kind', '=', kind)
    .where('oauth_tokens.expires_at', '>', now)
    .where('connections.status', '=', 'active')
}

function withConnection(db: Db) {
  return db
    .selectFrom('oauth_tokens')
    .innerJoin('connections', (join) =>
      join
        .onRef('connections.account_id', '=', 'oauth_tokens.account_id')
        .onRef('connections.id', '=', 'oauth_tokens.connection_id'),
    )
}

async function markRotated(db: Db, found: { account_id: string; token_id: string }, now: number): Promise<void> {
  const rotated = {
    rotated_at: timestampOf(new Date(now)),
    expires_at: timestampOf(new Date(now + ROTATED_KEPT_MS)),
  }
  const tokens = db.updateTable('oauth_tokens').set(rotated).where('account_id', '=', found.account_id)
  await tokens.where('id', '=', found.token_id).execute()
}

/** Revokes an access token, or a refresh token with its connection (RFC 7009). Throws `unauthorized_client` for another client's token. */
export async function revokeToken(
  database: ShopScope,
  secret: string,
  { token, clientId }: { token: string; clientId: string },
): Promise<void> {
  const own = await database.transaction(async ({ db }) => {
    const found = await withConnection(db)
      .select(['connections.account_id', 'connections.id', 'client_id', 'kind', 'token_hash'])
      .where('token_hash', '=', hashToken(token, secret))
      .executeTakeFirst()
    if (!found) return true
    if (found.client_id !== clientId) return false
    if (found.kind === 'refresh') await revokeConnection(db, found)
    else await db.deleteFrom('oauth_tokens').where('token_hash', '=', found.token_hash).execute()
    return true
  })
  if (!own) throw new OAuthError('unauthorized_client', 'The token belongs to another client.')
}

/** Revokes a connection and deletes its tokens. The connection's row is kept for a while, because runs and plans show the client's name. */
export async function revokeConnection(db: Db, { account_id, id }: ConnectionKey): Promise<void> {
  const tokens = db.deleteFrom('oauth_tokens').where('account_id', '=', account_id)
  await tokens.where('connection_id', '=', id).execute()
  const now = timestampOf(new Date())
  const revoked = { status: 'revoked' as const, revoked_at: now, updated_at: now }
  const connection = db.updateTable('connections').set(revoked).where('account_id', '=', account_id)
  await connection.where('id', '=', id).where('status', '=', 'active').execute()
  await endWorkOf({ db, accountId: account_id }, [id])
}

/** Extends a client's lifetime when a person gives it access or it renews its tokens. Clients with a metadata document have no row. */
async function keepClient(db: Db, id: string): Promise<void> {
  const expires_at = timestampOf(new Date(Date.now() + USED_MS))
  await db.updateTable('oauth_clients').set({ used: 1, expires_at }).where('id', '=', id).execute()
}
