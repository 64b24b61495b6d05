import type {
  NodeOAuthClient,
  NodeSavedSession,
  NodeSavedSessionStore,
  NodeSavedState,
  NodeSavedStateStore,
  OAuthAuthorizationServerMetadata,
  OAuthProtectedResourceMetadata,
} from '@atproto/oauth-client-node'
import type { DomainRecords } from '../../dns/provider.ts'
import type { WebClient } from '../../web/client.ts'
import { guardedFetch } from '../guarded-fetch.ts'
import { type ClientKey, clientDocument } from './client-document.ts'
import { Recent } from './recent.ts'

/** What the network's pages for allowing access are reached with. */
export interface OAuthParts {
  web: WebClient
  domains: Pick<DomainRecords, 'texts'>
  /** The directory of identities (did:plc). */
  directory: string
  /** Proves who this service is. */
  key: ClientKey
  /** What servers said a moment ago, for all accounts: it is public. */
  recent: {
    nonces: Recent<string>
    issuers: Recent<OAuthAuthorizationServerMetadata>
    resources: Recent<OAuthProtectedResourceMetadata | null>
  }
}

export function newRecent(): OAuthParts['recent'] {
  return { nonces: new Recent(), issuers: new Recent(), resources: new Recent() }
}

/** One thing under whatever name it is asked for: a client of the library works for one person or account, and then is gone. */
export class Single<Value extends object> {
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

interface Asking {
  publicUrl: string
  platform: string
  signal: AbortSignal
  state?: Single<NodeSavedState>
  session?: Single<NodeSavedSession>
}

/** The library's client. It reaches every address through the guarded client: those of servers, identities and handles. */
export async function clientFor(
  { web, domains, directory, key, recent }: OAuthParts,
  { publicUrl, platform, signal, state = new Single(), session = new Single() }: Asking,
): Promise<NodeOAuthClient> {
  // It is large, and many services never ask.
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
    // Whoever renews the access of an account holds a lease in the database.
    requestLock: async (_, work) => work(),
    dpopNonceCache: recent.nonces,
    authorizationServerMetadataCache: recent.issuers,
    protectedResourceMetadataCache: recent.resources,
  })
}

/** Servers without TLS are for development, as those of this machine are. */
function allowsLoopback(web: WebClient): boolean {
  try {
    web.checkForm('http://localhost')
    return true
  } catch {
    return false
  }
}
