import { TOKEN_RIGHTS, type TokenRight } from '../../contract/declarations/caller.ts'
import type { ConnectAddresses } from './addresses.ts'
import type { Client } from './clients.ts'
import { OAuthError, type OAuthErrorCode } from './errors.ts'
import { destinationOf, isSameRedirect } from './redirect-uri.ts'

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
export async function readAuthorization(
  parameters: URLSearchParams,
  addresses: ConnectAddresses,
  findClient: (id: string) => Promise<Client>,
): Promise<AuthorizationRequest> {
  const repeated = ONCE.find((name) => parameters.getAll(name).length > 1)
  if (repeated) throw new OAuthError('invalid_request', `${repeated} is given more than once.`)
  const client = await findClient(requiredParameter(parameters, 'client_id'))
  const redirectUri = requiredParameter(parameters, 'redirect_uri')
  if (!client.redirectUris.some((registered) => isSameRedirect(registered, redirectUri)))
    throw new OAuthError('invalid_redirect_uri', 'The client has not registered this redirect_uri.')
  const state = parameters.get('state')
  try {
    return { client, redirectUri, state, challenge: challengeOf(parameters), rights: rightsOf(parameters, addresses) }
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    throw redirectedError({ client, redirectUri, state }, addresses, error)
  }
}

export function redirectedError(
  request: Pick<AuthorizationRequest, 'client' | 'redirectUri' | 'state'>,
  addresses: ConnectAddresses,
  error: OAuthError,
): RedirectedError {
  const unasked = request.client.domain !== null || destinationOf(request.redirectUri).kind === 'computer'
  const location = returnAddress(request, addresses, { ...error.body() })
  return new RedirectedError(error.code, error.message, { location, unasked })
}

/** Returns the client's redirect URL with the response, the client's `state`, and the issuer (RFC 9207). */
export function returnAddress(
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  { issuer }: ConnectAddresses,
  answer: Record<string, string>,
): string {
  const added = new URLSearchParams({ ...answer, ...(state !== null && { state }), iss: issuer })
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${added}`
}

/** Throws if the requested resource is not the MCP endpoint (RFC 8707). Older clients do not send a resource. */
export function requireResource(given: string[], { resource }: ConnectAddresses): void {
  const other = given.find((one) => one !== resource && one !== `${resource}/`)
  if (other !== undefined) throw new OAuthError('invalid_target', `The only resource is ${resource}.`)
}

function challengeOf(parameters: URLSearchParams): string {
  if (requiredParameter(parameters, 'response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'The only response_type is code.')
  if ((parameters.get('response_mode') ?? 'query') !== 'query')
    throw new OAuthError('invalid_request', 'The only response_mode is query.')
  if (parameters.get('code_challenge_method') !== 'S256')
    throw new OAuthError('invalid_request', 'code_challenge_method must be S256.')
  const challenge = requiredParameter(parameters, 'code_challenge')
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
export function requiredParameter(parameters: URLSearchParams, name: string): string {
  const value = parameters.get(name)
  if (!value) throw new OAuthError('invalid_request', `${name} is missing.`)
  return value
}
