import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** An API key as its provider hands it out, and what the provider keeps of it. */
export interface IssuedKey {
  id: string
  algorithm: 'EdDSA' | 'ES256'
  secret: string
  publicKey: KeyObject
}

export function pemOf(type: 'ec' | 'rsa', options: object): string {
  const { privateKey } = generateKeyPairSync(type as 'ec', options as { namedCurve: string })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().replaceAll('\n', '\\n')
}

/** The forms in which Coinbase hands out keys: Ed25519 in Base64, and P-256 as PEM, here in one line. */
export function apiKeys(): IssuedKey[] {
  const edwards = generateKeyPairSync('ed25519')
  const { d, x } = edwards.privateKey.export({ format: 'jwk' })
  const bytes = Buffer.concat([Buffer.from(d!, 'base64url'), Buffer.from(x!, 'base64url')])
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const pem = elliptic.privateKey.export({ type: 'sec1', format: 'pem' }).toString()
  return [
    { id: 'key-1', algorithm: 'EdDSA', secret: bytes.toString('base64'), publicKey: edwards.publicKey },
    {
      ...{ id: 'organizations/1/apiKeys/2', algorithm: 'ES256', secret: pem.replaceAll('\n', '\\n') },
      publicKey: elliptic.publicKey,
    },
  ]
}

/** Coinbase tokens for one request are valid for two minutes. */
const LONGEST_SECONDS = 120
const part = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())

/** Takes tokens as Coinbase describes them, each for the request that it names and once; the rest is refused with a reason. */
export class TokenCheck {
  readonly #key: IssuedKey
  readonly #seen = new Set<string>()

  constructor(key: IssuedKey) {
    this.#key = key
  }

  /** Returns the reason for refusing a request, or null. */
  refusal({ method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): string | null {
    const [, token = ''] = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(headers.authorization ?? '') ?? []
    if (token === '') return 'no token'
    const [head = '', body = '', signature = ''] = token.split('.')
    const { id, algorithm, publicKey } = this.#key
    const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
    const hash = algorithm === 'ES256' ? 'sha256' : null
    if (!verify(hash, Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))) return 'bad signature'
    const { alg, kid, typ, nonce } = part(head)
    if (alg !== algorithm || kid !== id || typ !== 'JWT' || !/^[0-9a-f]{32}$/.test(nonce)) return 'bad header'
    const { sub, iss, uris, nbf, exp } = part(body)
    if (sub !== id || iss !== 'cdp') return 'bad issuer'
    const now = Date.now() / 1000
    if (!(nbf <= now + 1) || !(exp > now) || exp - nbf > LONGEST_SECONDS) return 'expired'
    if (JSON.stringify(uris) !== JSON.stringify([`${method} ${headers.host}${url}`])) return 'for another request'
    if (this.#seen.has(nonce)) return 'used before'
    this.#seen.add(nonce)
    return null
  }
}
