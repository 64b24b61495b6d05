import { createECDH, createHash } from 'node:crypto'
import { callbackPath, clientPath, PlatformRefusedError } from '../provider.ts'

/** The minimal permissions that the service needs (atproto.com, Permissions). */
export const SCOPES = [
  'atproto',
  'repo?collection=app.bsky.feed.like&collection=app.bsky.feed.post&collection=app.bsky.feed.threadgate',
  'blob?accept=image/*&accept=video/mp4',
  'rpc?lxm=app.bsky.actor.getProfile&lxm=app.bsky.feed.getPostThread&lxm=app.bsky.feed.getPosts&aud=*',
]
const NAME = 'Shopwright'
const ALGORITHM = 'ES256'

interface Key {
  kty: 'EC'
  crv: 'P-256'
  x: string
  y: string
  kid: string
  alg: typeof ALGORITHM
}

/** The service's own key pair (JSON Web Keys). */
export interface ClientKey {
  public: Key & { use: 'sig' }
  secret: Key & { d: string; key_ops: ['sign'] }
}

/** Derives a key pair from 32 bytes; the same bytes result in the same pair. */
export function clientKey(bytes: Buffer): ClientKey {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(bytes)
  // The first byte marks an uncompressed point, which both coordinates follow.
  const point = pair.getPublicKey()
  const coordinate = (from: number, to: number) => point.subarray(from, to).toString('base64url')
  const [x, y] = [coordinate(1, 33), coordinate(33, 65)]
  const kid = createHash('sha256').update(point).digest('base64url').slice(0, 16)
  const both: Key = { kty: 'EC', crv: 'P-256', x, y, kid, alg: ALGORITHM }
  const d = pair.getPrivateKey().toString('base64url')
  return { public: { ...both, use: 'sig' }, secret: { ...both, d, key_ops: ['sign'] } }
}

interface ClientIdentity {
  publicUrl: string
  platform: string
  key: ClientKey
}

/** The client metadata document, in the format of the OAuth library. */
export interface ClientDocument {
  client_id: string
  token_endpoint_auth_method: 'none' | 'private_key_jwt'
  [more: string]: unknown
}

/**
 * Returns the service's client metadata. At an https URL, servers fetch this document, which contains the public key of the
 * service; on 127.0.0.1, for development, the client id encodes everything (atproto.com, OAuth, Clients). Throws a
 * PlatformRefusedError for any other URL.
 */
export function clientDocument({ publicUrl, platform, key }: ClientIdentity): ClientDocument {
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
