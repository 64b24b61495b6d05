import type {
  NodeOAuthClient,
  NodeSavedSession,
  NodeSavedSessionStore,
  NodeSavedState,
  NodeSavedStateStore,
  OAuthAuthorizationServerMetadata,
  OAuthProtectedResourceMetadata,
} from '@atproto/oauth-client-node'
import type { DomainRecords } from '../../../../providers/dns/provider.ts'
import type { WebClient } from '../../../../providers/web/client.ts'
import { guardedFetch } from '../network.ts'
import { type ClientKey, clientDocument } from './client-document.ts'

/** The dependencies of OAuth requests. */
export interface OAuthParts {
  web: WebClient
  domains: Pick<DomainRecords, 'texts'>
  /** The URL of the identity directory (did:plc). */
  directory: string
  /** The key that authenticates this service. */
  key: ClientKey
  /** Caches of public server data, shared by all accounts. */
  recent: {
    nonces: Recent<string>
    issuers: Recent<OAuthAuthorizationServerMetadata>
    resources: Recent<OAuthProtectedResourceMetadata | null>
  }
}

export function newRecent(): OAuthParts['recent'] {
  return { nonces: new Recent(), issuers: new Recent(), resources: new Recent() }
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
  try {
    web.checkForm('http://localhost')
    return true
  } catch {
    return false
  }
}

const MOST = 200
const KEPT_MS = 60_000

/** A cache of at most 200 values, each kept for a minute. */
class Recent<Value> {
  readonly #known = new Map<string, { value: Value; until: number }>()

  get = (name: string): Value | undefined => {
    const found = this.#known.get(name)
    return found && found.until > Date.now() ? found.value : undefined
  }

  set = (name: string, value: Value): void => {
    this.#known.delete(name)
    this.#known.set(name, { value, until: Date.now() + KEPT_MS })
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest)
  }

  del = (name: string): void => {
    this.#known.delete(name)
  }
}
