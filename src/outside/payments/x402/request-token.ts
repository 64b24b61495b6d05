import { randomBytes, sign } from 'node:crypto'
import { readSigningKey, type SigningKey } from '../../../contract/values/signing-key.ts'

/** Coinbase's own library uses the same time. */
const HOLDS_SECONDS = 120

/** An API key of a facilitator, as it hands it out. */
export interface ApiKey {
  id: string
  secret: string
}

/**
 * Makes the tokens that Coinbase's facilitator wants: a JWT for each request, which names its method, host and path. Throws for a secret
 * that is no key.
 */
export class RequestTokens {
  readonly #id: string
  readonly #key: SigningKey

  constructor({ id, secret }: ApiKey) {
    const key = readSigningKey(secret)
    if (key === null) throw new Error('X402_FACILITATOR_KEY_SECRET is no private key.')
    this.#id = id
    this.#key = key
  }

  /** `now` is in milliseconds since 1970. */
  tokenFor(method: string, address: string, now = Date.now()): string {
    const { algorithm, key } = this.#key
    const { host, pathname } = new URL(address)
    const from = Math.floor(now / 1000)
    const header = { alg: algorithm, kid: this.#id, typ: 'JWT', nonce: randomBytes(16).toString('hex') }
    const claims = {
      ...{ sub: this.#id, iss: 'cdp', uris: [`${method} ${host}${pathname}`] },
      ...{ iat: from, nbf: from, exp: from + HOLDS_SECONDS },
    }
    const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    const hash = algorithm === 'ES256' ? 'sha256' : null
    return `${signed}.${sign(hash, Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
  }
}
