import { createECDH, createHash } from 'node:crypto'
import type {
  NodeOAuthClient,
  NodeSavedSession,
  NodeSavedSessionStore,
  NodeSavedState,
  NodeSavedStateStore,
  OAuthAuthorizationServerMetadata,
  OAuthProtectedResourceMetadata,
} from '@atproto/oauth-client-node'
import { BoundedMap } from '../../../../bounded-map.ts'
import type { DomainRecords } from '../../../../providers/dns/provider.ts'
import { addressProblem, type WebClient } from '../../../../providers/web/client.ts'
import { guardedFetch } from '../network.ts'
import { callbackPath, clientPath, PlatformRefusedError } from '../provider.ts'

export interface OAuthParts {
  web: WebClient
  domains: Pick<DomainRecords, 'texts'>
  /** The URL of the identity directory (did:plc). */
  directory: string
  /** The key that authenticates this service. */
  key: ReturnType<typeof clientKey>
  recent: ReturnType<typeof newRecent>
}

/** Caches of public server data, shared by all accounts. */
export function newRecent() {
  return {
    nonces: new Recent<string>(),
    issuers: new Recent<OAuthAuthorizationServerMetadata>(),
    resources: new Recent<OAuthProtectedResourceMetadata | null>(),
  }
}

/** A store for a single value under any key: each client of the library serves one person or account only. */
export class SingleStore<Value extends object> {
  value: Value | undefined

  constructor(value?: Value) {
    this.value = value
  }

  required(): Value {
    if (this.value === undefined) throw new Error('The library for OAuth has kept nothing')
    return this.value
  }

  get = (): Value | undefined => this.value
  set = (_: string, value: Value): void => {
    this.value = value
  }
  del = (): void => {
    this.value = undefined
  }
}

interface ClientOptions {
  publicUrl: string
  platform: string
  signal: AbortSignal
  state?: SingleStore<NodeSavedState>
  session?: SingleStore<NodeSavedSession>
}

/** Creates the library's client. All its requests, to servers and for identities and handles, use the guarded client. */
export async function clientFor(
  { web, domains, directory, key, recent }: OAuthParts,
  { publicUrl, platform, signal, state = new SingleStore(), session = new SingleStore() }: ClientOptions,
): Promise<NodeOAuthClient> {
  // The library is imported here because it is large and many services never need it.
  const library = await import('@atproto/oauth-client-node')
  const fetch = guardedFetch(web, signal)
  const document = clientDocument({ publicUrl, platform, key })
  const isConfidential = document.token_endpoint_auth_method === 'private_key_jwt'
  return new library.NodeOAuthClient({
    clientMetadata: library.oauthClientMetadataSchema.parse(document),
    ...(isConfidential && { keyset: [await library.JoseKey.fromJWK({ ...key.secret })] }),
    fetch,
    allowHttp: allowsLoopback(web),
    plcDirectoryUrl: directory,
    handleResolver: new library.AtprotoHandleResolver({ fetch, resolveTxt: (name) => domains.texts(name) }),
    stateStore: state satisfies NodeSavedStateStore,
    sessionStore: session satisfies NodeSavedSessionStore,
    // The job that refreshes an account's access already holds a lease in the database.
    requestLock: async (_, work) => work(),
    dpopNonceCache: recent.nonces,
    authorizationServerMetadataCache: recent.issuers,
    protectedResourceMetadataCache: recent.resources,
  })
}

/** Allows servers without TLS only if this machine's addresses are allowed, for development. */
function allowsLoopback(web: WebClient): boolean {
  return addressProblem(web, 'http://localhost') === null
}

const MOST = 200
const KEPT_MS = 60_000

/** A cache of at most 200 values, each kept for a minute. */
class Recent<Value> {
  readonly #known = new BoundedMap<string, { value: Value; until: number }>(MOST)

  get = (name: string): Value | undefined => {
    const found = this.#known.get(name)
    return found && found.until > Date.now() ? found.value : undefined
  }
  set = (name: string, value: Value): void => this.#known.set(name, { value, until: Date.now() + KEPT_MS })
  del = (name: string): void => this.#known.delete(name)
}

/** The minimal permissions that the service needs (atproto.com, Permissions). */
export const SCOPES = [
  'atproto',
  'repo?collection=app.bsky.feed.like&collection=app.bsky.feed.post&collection=app.bsky.feed.threadgate',
  'blob?accept=image/*&accept=video/mp4',
  'rpc?lxm=app.bsky.actor.getProfile&lxm=app.bsky.feed.getPostThread&lxm=app.bsky.feed.getPosts&aud=*',
]
const NAME = 'Shopwright'
const ALGORITHM = 'ES256'

/** Derives the service's own key pair (JSON Web Keys) from 32 bytes; the same bytes result in the same pair. */
export function clientKey(bytes: Buffer) {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(bytes)
  // The first byte marks an uncompressed point, which both coordinates follow.
  const point = pair.getPublicKey()
  const coordinate = (from: number, to: number) => point.subarray(from, to).toString('base64url')
  const [x, y] = [coordinate(1, 33), coordinate(33, 65)]
  const kid = createHash('sha256').update(point).digest('base64url').slice(0, 16)
  const both = { kty: 'EC', crv: 'P-256', x, y, kid, alg: ALGORITHM } as const
  const d = pair.getPrivateKey().toString('base64url')
  return { public: { ...both, use: 'sig' }, secret: { ...both, d, key_ops: ['sign'] } } as const
}

type ClientIdentity = Pick<ClientOptions, 'publicUrl' | 'platform'> & Pick<OAuthParts, 'key'>

/**
 * Returns the service's client metadata. At an https URL, servers fetch this document, which contains the public key of the
 * service; on 127.0.0.1, for development, the client id encodes everything (atproto.com, OAuth, Clients). Throws a
 * PlatformRefusedError for any other URL.
 */
export function clientDocument({ publicUrl, platform, key }: ClientIdentity) {
  const redirect = publicUrl + callbackPath(platform)
  const scope = SCOPES.join(' ')
  const common = {
    scope,
    redirect_uris: [redirect],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    dpop_bound_access_tokens: true,
  }
  if (publicUrl.startsWith('https:'))
    return {
      ...common,
      client_id: publicUrl + clientPath(platform),
      client_name: NAME,
      client_uri: publicUrl,
      application_type: 'web',
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: ALGORITHM,
      jwks: { keys: [key.public] },
    }
  if (!LOOPBACK.includes(new URL(publicUrl).hostname)) throw new PlatformRefusedError(NOT_HERE)
  const client_id = `http://localhost?${new URLSearchParams({ redirect_uri: redirect, scope })}`
  return { ...common, client_id, application_type: 'native', token_endpoint_auth_method: 'none' }
}

/** The allowed hosts of a service in development; a redirect URL with `localhost` is not allowed (RFC 8252, 8.3). */
const LOOPBACK = ['127.0.0.1', '[::1]']
const NOT_HERE =
  'Bluesky lets people allow access only to a service at an https address, or at http://127.0.0.1 for development. Use an app password instead.'
