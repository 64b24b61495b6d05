import type { Kysely } from 'kysely'
import { ApiError } from '../../contract/declarations/errors.ts'
import { isWhole, TOKEN_PREFIX } from '../../contract/values/token-format.ts'
import { timestampOf } from '../../contract/values/values.ts'
import { compileOnce } from '../../database/compile-once.ts'
import type { Tables } from '../../resources/tables.ts'
import type { TokenKind } from '../authenticate.ts'
import type { ConnectAddresses } from './addresses.ts'
import { ACCESS_PREFIX, liveToken } from './tokens.ts'

const findAccess = compileOnce((db: Kysely<Tables>, hash: string, now: string) =>
  liveToken(db, 'access', hash, now)
    .select(['connections.account_id', 'connections.id', 'connections.user_id', 'connections.right'])
    .select('memberships.role'),
)

/**
 * The access tokens of clients that a person has let in. They are for `/connect` alone (RFC 8707): neither the API nor
 * `/mcp` knows them, and `/connect` knows no others. The caller's token is the connection, whatever token of it was sent.
 */
export function accessTokens(addresses: ConnectAddresses): TokenKind {
  return {
    table: 'connections',
    couldBe: (token) => isWhole(token, ACCESS_PREFIX),
    find: (db, hash) => findAccess(db, hash, timestampOf(new Date())),
    refusal: (header) => refusal(header, addresses),
  }
}

/** Says where the authorization server is found (RFC 9728, section 5.1), and what was wrong (RFC 6750, section 3). */
function refusal(header: string | null, { resource, resourceMetadata }: ConnectAddresses): ApiError {
  const found = `resource_metadata="${resourceMetadata}"`
  if (!header) {
    const message = `No access token was sent. OAuth clients can learn how to get one at ${resourceMetadata}.`
    return challenge(message, `Bearer ${found}`)
  }
  const problem = header.includes(` ${TOKEN_PREFIX}`)
    ? `This is an API token; use it at ${resource.replace(/connect$/, 'mcp')}.`
    : 'The access token is invalid: it has expired, or the connection was revoked.'
  return challenge(problem, `Bearer error="invalid_token", error_description="${problem}", ${found}`)
}

function challenge(message: string, header: string): ApiError {
  return new ApiError('authentication_required', message, { headers: { 'WWW-Authenticate': header } })
}
