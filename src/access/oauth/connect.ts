import { TOKEN_RIGHTS, type TokenRight } from '../../contract/declarations/caller.ts'
import { ApiError } from '../../contract/declarations/errors.ts'
import { isWhole, TOKEN_PREFIX } from '../../contract/values/token-format.ts'
import { timestampOf } from '../../contract/values/values.ts'
import { compileOnce } from '../../database/compile-once.ts'
import type { WebClient } from '../../providers/web/client.ts'
import type { Db, ShopDatabase } from '../../resources/tables.ts'
import { Authenticator, type TokenKind } from '../authenticate.ts'
import { type ConnectAddresses, connectAddresses, resourceMetadata, serverMetadata } from './addresses.ts'
import {
  type AuthorizationRequest,
  readAuthorization,
  redirectedError,
  requiredParameter,
  requireResource,
  returnAddress,
} from './authorization-request.ts'
import { ClientDocuments } from './client-documents.ts'
import { type Client, registerClient, registeredClient } from './clients.ts'
import { issueCode, redeemCode } from './codes.ts'
import { OAuthError } from './errors.ts'
import { destinationOf } from './redirect-uri.ts'
import { ACCESS_PREFIX, liveToken, refreshTokens, revokeToken, type TokenAnswer } from './tokens.ts'

const findAccess = compileOnce((db: Db, hash: string, now: string) =>
  liveToken(db, 'access', hash, now)
    .select(['connections.account_id', 'connections.id', 'connections.user_id', 'connections.right'])
    .select('memberships.role'),
)

interface ConnectParts {
  database: ShopDatabase
  secret: string
  web: WebClient
  publicUrl: string
  clientDocuments: boolean
}

/** The OAuth authorization server: finds clients, and issues and revokes their tokens. */
export class Connect {
  readonly addresses: ConnectAddresses
  readonly authenticator: Authenticator
  /** The metadata documents with which clients discover the server. */
  readonly metadata: { resource: object; server: object }
  readonly #parts: ConnectParts
  readonly #documents: ClientDocuments

  constructor(parts: ConnectParts) {
    this.#parts = parts
    this.#documents = new ClientDocuments(parts.web)
    this.addresses = connectAddresses(parts.publicUrl)
    this.authenticator = new Authenticator(parts.database, parts.secret, accessTokens(this.addresses))
    this.metadata = {
      resource: resourceMetadata(this.addresses),
      server: serverMetadata(this.addresses, parts.clientDocuments),
    }
  }

  register(given: unknown) {
    return registerClient(this.#parts.database, given)
  }

  readRequest(parameters: URLSearchParams): Promise<AuthorizationRequest> {
    return readAuthorization(parameters, this.addresses, (id) => this.#client(id))
  }

  /** Returns the redirect URL with an authorization code. */
  async allow(
    request: AuthorizationRequest,
    person: { userId: string; email: string },
    { accountId, right }: { accountId: string; right: TokenRight },
  ): Promise<string> {
    const { id, name, domain } = request.client
    const { redirectUri, challenge } = request
    const code = await issueCode(this.#parts.database, this.#parts.secret, accountId, {
      userId: person.userId,
      email: person.email,
      right,
      client: { id, name, domain },
      returnsTo: destinationOf(redirectUri).name,
      redirectUri,
      challenge,
    })
    return returnAddress(request, this.addresses, { code })
  }

  deny(request: AuthorizationRequest): string {
    const error = new OAuthError('access_denied', 'The person denied access.')
    return redirectedError(request, this.addresses, error).location
  }

  async exchange(form: URLSearchParams): Promise<TokenAnswer> {
    const { database, secret } = this.#parts
    const grant = requiredParameter(form, 'grant_type')
    if (grant !== 'authorization_code' && grant !== 'refresh_token')
      throw new OAuthError('unsupported_grant_type', 'The grant types are authorization_code and refresh_token.')
    const clientId = await this.#knownClientId(form)
    requireResource(form.getAll('resource'), this.addresses)
    if (grant === 'refresh_token')
      return refreshTokens(database, secret, { clientId, token: requiredParameter(form, 'refresh_token') })
    const [code, verifier] = [requiredParameter(form, 'code'), requiredParameter(form, 'code_verifier')]
    if (!/^[\w.~-]{43,128}$/.test(verifier))
      throw new OAuthError('invalid_request', 'code_verifier must have 43 to 128 letters, digits, and - . _ ~')
    return redeemCode(database, secret, { code, clientId, verifier, redirectUri: form.get('redirect_uri') })
  }

  async revoke(form: URLSearchParams): Promise<void> {
    const [token, clientId] = [requiredParameter(form, 'token'), requiredParameter(form, 'client_id')]
    await revokeToken(this.#parts.database, this.#parts.secret, { token, clientId })
  }

  async #client(id: string): Promise<Client> {
    if (this.#documents.isAddress(id) && this.#parts.clientDocuments) return this.#documents.find(id)
    const client = await registeredClient(this.#parts.database, id)
    if (client) return client
    throw unknownClient()
  }

  /** Throws an error for a deleted client, which then registers again. Client documents are not fetched here. */
  async #knownClientId(form: URLSearchParams): Promise<string> {
    const id = requiredParameter(form, 'client_id')
    if (this.#documents.isAddress(id) || (await registeredClient(this.#parts.database, id))) return id
    throw unknownClient()
  }
}

function unknownClient(): OAuthError {
  return new OAuthError(
    'invalid_client',
    'The client is unknown: it never registered, or has not been used for a long time.',
  )
}

/** OAuth access tokens are valid for `/connect` only (RFC 8707), and `/connect` accepts no others. `tokenId` is the connection's id. */
function accessTokens(addresses: ConnectAddresses): TokenKind {
  return {
    table: 'connections',
    couldBe: (token) => isWhole(token, ACCESS_PREFIX),
    find: (db, hash) => findAccess(db, hash, timestampOf(new Date())),
    refusal: (header) => refusal(header, addresses),
  }
}

/** The 401 error, whose header names the metadata (RFC 9728, section 5.1) and the OAuth error (RFC 6750, section 3). */
function refusal(header: string | null, { resource, resourceMetadata }: ConnectAddresses): ApiError {
  const found = `resource_metadata="${resourceMetadata}", scope="${TOKEN_RIGHTS.join(' ')}"`
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
