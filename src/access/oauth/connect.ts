import { TOKEN_RIGHTS, type TokenRight } from '../../contract/declarations/caller.ts'
import { ApiError } from '../../contract/declarations/errors.ts'
import { isWhole, TOKEN_PREFIX } from '../../contract/values/token-format.ts'
import { timestampOf } from '../../contract/values/values.ts'
import { compileOnce } from '../../database/compile-once.ts'
import type { WebClient } from '../../providers/web/client.ts'
import type { Db, ShopDatabase } from '../../resources/tables.ts'
import { Authenticator, type TokenKind } from '../authenticate.ts'
import { type ConnectAddresses, connectAddresses } from './addresses.ts'
import { ClientDocuments } from './client-documents.ts'
import { issueCode, redeemCode } from './codes.ts'
import { OAuthError, type OAuthErrorCode } from './errors.ts'
import { destinationOf, isSameRedirect } from './redirect-uri.ts'
import {
  ACCESS_PREFIX,
  type Client,
  liveToken,
  refreshTokens,
  registerClient,
  registeredClient,
  revokeToken,
  type TokenAnswer,
} from './tokens.ts'

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
    return refusalOf(request, this.addresses, error).location
  }

  async exchange(form: URLSearchParams): Promise<TokenAnswer> {
    const { database, secret } = this.#parts
    const grant = required(form, 'grant_type')
    if (grant !== 'authorization_code' && grant !== 'refresh_token')
      throw new OAuthError('unsupported_grant_type', 'The grant types are authorization_code and refresh_token.')
    const clientId = await this.#knownClientId(form)
    requireResource(form.getAll('resource'), this.addresses)
    if (grant === 'refresh_token')
      return refreshTokens(database, secret, { clientId, token: required(form, 'refresh_token') })
    const [code, verifier] = [required(form, 'code'), required(form, 'code_verifier')]
    if (!/^[\w.~-]{43,128}$/.test(verifier))
      throw new OAuthError('invalid_request', 'code_verifier must have 43 to 128 letters, digits, and - . _ ~')
    return redeemCode(database, secret, { code, clientId, verifier, redirectUri: form.get('redirect_uri') })
  }

  async revoke(form: URLSearchParams): Promise<void> {
    const [token, clientId] = [required(form, 'token'), required(form, 'client_id')]
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
    const id = required(form, 'client_id')
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

/** The metadata that clients read first. It names the authorization server of the MCP endpoint (RFC 9728). */
function resourceMetadata({ resource, issuer }: ConnectAddresses): object {
  return {
    resource,
    resource_name: 'Shopwright',
    authorization_servers: [issuer],
    scopes_supported: TOKEN_RIGHTS,
    bearer_methods_supported: ['header'],
  }
}

/** The metadata of the authorization server (RFC 8414). Clients have no secret, so PKCE is required. */
function serverMetadata(addresses: ConnectAddresses, clientDocuments: boolean): object {
  return {
    issuer: addresses.issuer,
    authorization_endpoint: addresses.authorize,
    token_endpoint: addresses.token,
    registration_endpoint: addresses.register,
    revocation_endpoint: addresses.revoke,
    scopes_supported: TOKEN_RIGHTS,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: clientDocuments,
    protected_resources: [addresses.resource],
  }
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

export interface AuthorizationRequest {
  client: Client
  redirectUri: string
  state: string | null
  /** The hash of a secret that the client reveals when it requests its tokens (PKCE, RFC 7636). */
  challenge: string
  /** The rights that the person may grant: those that the client requests, or all if it requests none. */
  rights: TokenRight[]
}

/** An error that is reported to the client by redirecting the browser to the client's URL. */
export class RedirectedError extends OAuthError {
  readonly location: string
  /** Whether the browser may be redirected without a click, because the target is this computer or a client with a verified domain. */
  readonly unasked: boolean

  constructor(
    code: OAuthErrorCode,
    description: string,
    { location, unasked }: { location: string; unasked: boolean },
  ) {
    super(code, description)
    this.location = location
    this.unasked = unasked
  }
}

const ONCE = [
  'client_id',
  'redirect_uri',
  'response_type',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'response_mode',
]

/** Throws a RedirectedError once the redirect URL is known to belong to the client; before, an OAuthError that only the person sees. */
async function readAuthorization(
  parameters: URLSearchParams,
  addresses: ConnectAddresses,
  findClient: (id: string) => Promise<Client>,
): Promise<AuthorizationRequest> {
  const repeated = ONCE.find((name) => parameters.getAll(name).length > 1)
  if (repeated) throw new OAuthError('invalid_request', `${repeated} is given more than once.`)
  const client = await findClient(required(parameters, 'client_id'))
  const redirectUri = required(parameters, 'redirect_uri')
  if (!client.redirectUris.some((registered) => isSameRedirect(registered, redirectUri)))
    throw new OAuthError('invalid_redirect_uri', 'The client has not registered this redirect_uri.')
  const state = parameters.get('state')
  try {
    return { client, redirectUri, state, challenge: challengeOf(parameters), rights: rightsOf(parameters, addresses) }
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    throw refusalOf({ client, redirectUri, state }, addresses, error)
  }
}

function refusalOf(
  request: Pick<AuthorizationRequest, 'client' | 'redirectUri' | 'state'>,
  addresses: ConnectAddresses,
  error: OAuthError,
): RedirectedError {
  const unasked = request.client.domain !== null || destinationOf(request.redirectUri).kind === 'computer'
  const location = returnAddress(request, addresses, { ...error.body() })
  return new RedirectedError(error.code, error.message, { location, unasked })
}

/** Returns the client's redirect URL with the response, the client's `state`, and the issuer (RFC 9207). */
function returnAddress(
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  { issuer }: ConnectAddresses,
  answer: Record<string, string>,
): string {
  const added = new URLSearchParams({ ...answer, ...(state !== null && { state }), iss: issuer })
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${added}`
}

/** Throws if the requested resource is not the MCP endpoint (RFC 8707). Older clients do not send a resource. */
function requireResource(given: string[], { resource }: ConnectAddresses): void {
  const other = given.find((one) => one !== resource && one !== `${resource}/`)
  if (other !== undefined) throw new OAuthError('invalid_target', `The only resource is ${resource}.`)
}

function challengeOf(parameters: URLSearchParams): string {
  if (required(parameters, 'response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'The only response_type is code.')
  if ((parameters.get('response_mode') ?? 'query') !== 'query')
    throw new OAuthError('invalid_request', 'The only response_mode is query.')
  if (parameters.get('code_challenge_method') !== 'S256')
    throw new OAuthError('invalid_request', 'code_challenge_method must be S256.')
  const challenge = required(parameters, 'code_challenge')
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge))
    throw new OAuthError('invalid_request', 'code_challenge must be a SHA-256 hash in 43 characters of base64url.')
  return challenge
}

/** Scopes of other servers are ignored, because some clients always send them. */
function rightsOf(parameters: URLSearchParams, addresses: ConnectAddresses): TokenRight[] {
  requireResource(parameters.getAll('resource'), addresses)
  const asked = (parameters.get('scope') ?? '').split(' ')
  const known = TOKEN_RIGHTS.filter((right) => asked.includes(right))
  return known.length > 0 ? known : [...TOKEN_RIGHTS]
}

/** Throws `invalid_request` if the parameter is missing. */
function required(parameters: URLSearchParams, name: string): string {
  const value = parameters.get(name)
  if (!value) throw new OAuthError('invalid_request', `${name} is missing.`)
  return value
}
