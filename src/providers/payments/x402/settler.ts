import { randomBytes, sign } from 'node:crypto'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { z } from 'zod'
import { readSigningKey, type SigningKey } from '../../../contract/values/signing-key.ts'
import {
  type Listing,
  type SignedTransfer,
  type TransferRefusal,
  type TransferTerms,
  UnknownOutcomeError,
} from '../provider.ts'
import { boundedFetch, type Chain, schemeOf, type Write } from './chain.ts'

/** Submits transfers with the service's own key, whose wallet pays the network fees. The money never passes through that wallet. */
export class OwnKey implements Settler {
  readonly #key: Hex
  /** The previous transaction. Transactions are sent one after the other, because a wallet numbers them. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(key: string) {
    this.#key = `0x${key.slice(2)}`
  }

  /** Returns null, because `checkTransfer` has already asked the chain. */
  async verify(): Promise<null> {
    return null
  }

  async settle(chain: Chain, { payload, requirements }: TransferSubmission): Promise<TransferRefusal | null> {
    const { privateKeyToAccount } = await import('viem/accounts')
    const account = privateKeyToAccount(this.#key)
    let isOut = false
    const write: Write = (call) => this.#inTurn(() => send(chain, account, call, () => (isOut = true)))
    const scheme = await schemeOf(chain, { address: account.address, write })
    const { success, errorReason, errorMessage } = await scheme.settle(payload, requirements)
    return success || isOut ? null : refusalOf(errorReason, errorMessage)
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work, work)
    this.#last = result.catch(() => {})
    return result
  }
}

/** A transfer in the format of the x402 libraries. Its client data was validated. */
interface TransferSubmission {
  payload: PaymentPayload
  requirements: PaymentRequirements
}

export interface Settler {
  /** Returns why a transfer would be refused, or null. */
  verify(chain: Chain, handed: TransferSubmission): Promise<TransferRefusal | null>
  /** Submits a transfer. A refusal means that it was not published; after null, the chain decides. Rejects if neither is known. */
  settle(chain: Chain, handed: TransferSubmission): Promise<TransferRefusal | null>
}

export function submissionOf(
  { facts }: Chain,
  terms: TransferTerms,
  { signature, ...authorization }: SignedTransfer,
  listing?: Listing,
): TransferSubmission {
  const requirements = { ...terms, network: facts.network }
  const payload = { x402Version: 2, accepted: requirements, payload: { signature, authorization } }
  return { requirements, payload: { ...payload, ...listing } }
}

const REASONS: Record<string, string> = {
  invalid_exact_evm_signature:
    'The signature is not that of the wallet that is to pay, for this amount, wallet and network.',
  invalid_exact_evm_insufficient_balance: 'The wallet that is to pay has too little USDC.',
  invalid_exact_evm_nonce_already_used: 'This payment was made or canceled before.',
  invalid_exact_evm_transaction_simulation_failed: 'The token would refuse the transfer.',
  eip6492_factory_not_allowed: 'The wallet that is to pay is not on the chain yet. Deploy it first.',
}

/** Returns a sentence for an error code of the libraries, with their details cut to 200 characters. */
export function refusalOf(code = 'payment_refused', detail?: string): TransferRefusal {
  const known = REASONS[code]
  const more = detail === undefined ? '' : ` ${detail.slice(0, 200)}`
  return { code: code.slice(0, 100), message: known ?? `The payment was refused: ${code.slice(0, 100)}.${more}` }
}

/** Calls `noteOut` before sending, because anybody may see the transaction from then on. */
async function send(
  chain: Chain,
  account: PrivateKeyAccount,
  { address: to, abi, functionName, args }: Parameters<Write>[0],
  noteOut: () => void,
): Promise<Hex> {
  const { viem, client } = await chain.open()
  const described = chain.described(viem)
  const wallet = viem.createWalletClient({ account, chain: described, transport: chain.transport(viem) })
  const data = viem.encodeFunctionData({ abi, functionName, args: [...args] })
  const request = await wallet.prepareTransactionRequest({ to, data, account, chain: described })
  const serializedTransaction = await wallet.signTransaction(request)
  noteOut()
  return client.sendRawTransaction({ serializedTransaction })
}

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

interface FacilitatorOptions {
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
