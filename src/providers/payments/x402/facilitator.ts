import { randomBytes, sign } from 'node:crypto'
import { z } from 'zod'
import { readSigningKey, type SigningKey } from '../../../contract/values/signing-key.ts'
import type { TransferRefusal } from '../provider.ts'
import { boundedFetch, type Chain, UnknownOutcomeError } from './chain.ts'
import { refusalOf, type Settler, type TransferSubmission } from './settler.ts'

/** The lifetime of a token, the same as in Coinbase's own library. */
const HOLDS_SECONDS = 120

interface ApiKey {
  id: string
  secret: string
}

/** Creates tokens for Coinbase's facilitator: one JWT per request, with its method, host and path. Throws if the secret is not a key. */
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

/** The time limit of a request; facilitators wait for the chain before they respond. */
const TIMEOUT_MS = 25_000
const MAX_BYTES = 64 * 1024

const verified = z.object({
  isValid: z.boolean(),
  invalidReason: z.string().nullish(),
  invalidMessage: z.string().nullish(),
})
const settled = z.object({
  success: z.boolean(),
  errorReason: z.string().nullish(),
  errorMessage: z.string().nullish(),
  transaction: z.string().nullish(),
})

export interface FacilitatorOptions {
  url: string
  key?: string | undefined
  /** The key that signs a token for each request; takes precedence over `key`. */
  apiKey?: ApiKey | undefined
}

/** Submits transfers through a facilitator, with `POST /verify` and `POST /settle` of x402 version 2. */
export class Facilitator implements Settler {
  readonly #url: string
  readonly #tokenFor: (address: string) => string | undefined
  readonly #fetch = boundedFetch({ timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })

  constructor({ url, key, apiKey }: FacilitatorOptions) {
    const tokens = apiKey && new RequestTokens(apiKey)
    this.#url = url
    this.#tokenFor = (address) => tokens?.tokenFor('POST', address) ?? key
  }

  async verify(_chain: Chain, handed: TransferSubmission): Promise<TransferRefusal | null> {
    const { isValid, invalidReason, invalidMessage } = await this.#post('verify', handed, verified)
    return isValid ? null : refusalOf(invalidReason ?? undefined, invalidMessage ?? undefined)
  }

  /** A response with a transaction means that the transfer was sent, even if the response reports a failure. */
  async settle(_chain: Chain, handed: TransferSubmission): Promise<TransferRefusal | null> {
    const { success, transaction, errorReason, errorMessage } = await this.#post('settle', handed, settled)
    return success || transaction ? null : refusalOf(errorReason ?? undefined, errorMessage ?? undefined)
  }

  /** A refusal may have any HTTP status. An invalid response leaves the outcome unknown. */
  async #post<Answer>(
    path: string,
    { payload, requirements }: TransferSubmission,
    schema: z.ZodType<Answer>,
  ): Promise<Answer> {
    const address = `${this.#url}/${path}`
    const token = this.#tokenFor(address)
    const body = { x402Version: 2, paymentPayload: payload, paymentRequirements: requirements }
    const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) }
    const answer = await this.#fetch(address, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => {
      throw new UnknownOutcomeError(`The facilitator did not answer ${path}.`)
    })
    const result = schema.safeParse(await answer.json().catch(() => null))
    if (result.success) return result.data
    throw new UnknownOutcomeError(`The facilitator answered ${path} with status ${answer.status} and no result.`)
  }
}
