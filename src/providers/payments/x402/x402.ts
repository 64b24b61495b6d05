import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { X402_CHAIN_NAMES, X402_CHAINS, type X402ChainName } from '../../../contract/values/x402-chains.ts'
import {
  type BroughtTransfer,
  type Failure,
  type Listing,
  type PaymentOutcome,
  type PaymentReference,
  type TransferCheck,
  type TransferRefusal,
  type TransferRequest,
  type TransferTerms,
  TransferUnreadableError,
  UnknownOutcomeError,
  type X402Provider,
} from '../provider.ts'
import { Chain, schemeOf, TOKEN } from './chain.ts'
import { fateOf, keyOfReference, readReference, referenceOf, transferKey } from './fate.ts'
import { Facilitator, OwnKey, refusalOf, type Settler, submissionOf } from './settler.ts'

/** The maximum length of the header. A contract wallet's signature has up to 2,048 bytes here, and extensions take about 2 KB. */
const LONGEST_HEADER = 12_288

type Hex = `0x${string}`

const address = hex(/^[0-9a-f]{40}$/i, 'must be 0x and 40 hexadecimal digits')
const nonce = hex(/^[0-9a-f]{64}$/i, 'must be 0x and 64 hexadecimal digits')
const signature = hex(/^([0-9a-f]{2}){1,2048}$/i, 'must be 0x and pairs of hexadecimal digits, 2048 at most')
const whole = z.string().regex(/^(0|[1-9][0-9]{0,77})$/, 'must be a whole number in a text')

/** The payload of x402, version 2, for the scheme `exact` on an EVM chain. Other fields are dropped. */
const payload = z.object({
  x402Version: z.literal(2),
  accepted: z.object({
    scheme: z.literal('exact'),
    network: z.string().max(100),
    amount: whole,
    asset: address,
    payTo: address,
  }),
  payload: z.object({
    authorization: z.object({
      from: address,
      to: address,
      value: whole,
      validAfter: whole,
      validBefore: whole,
      nonce,
    }),
    signature,
  }),
  extensions: z.record(z.string(), z.unknown()).nullish(),
})

export interface X402Settings {
  X402_RPC_URLS?: Readonly<Partial<Record<X402ChainName, string>>> | undefined
  X402_SETTLER_KEY?: string | undefined
  X402_FACILITATOR_URL?: string | undefined
  X402_FACILITATOR_KEY?: string | undefined
  X402_FACILITATOR_KEY_ID?: string | undefined
  X402_FACILITATOR_KEY_SECRET?: string | undefined
}

export const X402_SET_UP = [
  'Set X402_RPC_URLS to a node of each chain, such as base=https://mainnet.base.org.',
  'Set X402_FACILITATOR_URL to a facilitator, or X402_SETTLER_KEY to the private key of a wallet that pays the chain’s fees, and restart the service.',
]

/** The time to wait for a block, which takes one or two seconds. A job looks up transfers that take longer. */
const WAIT = { mostMs: 20_000, pauseMs: 400 }

/** Returns null if the settings have no chain or no settler. */
export function openX402(settings: X402Settings): X402Provider | null {
  const { X402_RPC_URLS: urls = {}, X402_FACILITATOR_URL: url, X402_FACILITATOR_KEY: key } = settings
  const { X402_FACILITATOR_KEY_ID: id, X402_FACILITATOR_KEY_SECRET: secret } = settings
  const settler = url
    ? new Facilitator({ url, key, apiKey: id && secret ? { id, secret } : undefined })
    : settings.X402_SETTLER_KEY && new OwnKey(settings.X402_SETTLER_KEY)
  const chains = X402_CHAIN_NAMES.flatMap((name) => {
    const address = urls[name]
    return address === undefined ? [] : [new Chain(X402_CHAINS[name], address)]
  })
  return settler && chains.length > 0 ? new X402Payments(chains, settler) : null
}

const NOT_BY_CARD = 'A payment in USDC begins with a transfer that the buyer has signed.'
const NO_REFUND = 'A payment in USDC went to the wallet of the shop, so only the shop can send it back.'

class X402Payments implements X402Provider {
  readonly name = 'x402'
  readonly title = 'x402'
  readonly noticesPath = null
  readonly processor = 'x402'
  readonly live = true
  readonly reason = 'Programs pay in USDC.'
  readonly missing: readonly string[] = []
  readonly immediate = false
  readonly disputes = null
  readonly read = readHeader
  readonly keyOf = transferKey
  readonly #chains: ReadonlyMap<string, Chain>
  readonly #settler: Settler

  constructor(chains: Chain[], settler: Settler) {
    this.#chains = new Map(chains.map((chain) => [chain.facts.network, chain]))
    this.#settler = settler
  }

  serves(network: string): boolean {
    return this.#chains.has(network)
  }

  check(brought: BroughtTransfer, terms: TransferTerms, listing?: Listing): Promise<TransferCheck> {
    return checkTransfer({ chain: this.#chain(terms.network), settler: this.#settler }, brought, terms, listing)
  }

  /** Later attempts check the chain first, and survive a refusal, because a published transfer stays valid until it expires. */
  async handIn({ reference, terms, transfer, listing, attempt, signal }: TransferRequest): Promise<PaymentOutcome> {
    const chain = this.#chain(terms.network)
    const isFirst = attempt === 1
    if (!isFirst) {
      const fate = await fateOf(chain, reference)
      if (fate.state !== 'pending') return fate
    }
    const refused = await this.#settler.settle(chain, submissionOf(chain, terms, transfer, listing))
    if (refused && isFirst) return this.#unlessMade(chain, reference, refused.message)
    const outcome = await waitUntil(() => fateOf(chain, reference), { ...WAIT, signal })
    if (outcome.state !== 'pending') return outcome
    throw new UnknownOutcomeError('The transfer was handed in, and is not final yet.')
  }

  lookUp({ reference }: Pick<PaymentReference, 'reference'>): Promise<PaymentOutcome> {
    return fateOf(this.#chain(readReference(reference).network), reference)
  }

  /** Rejects until the transfer has expired, some minutes after it was signed, because it cannot be revoked. */
  async abandon(payment: PaymentReference): Promise<void> {
    const { state } = await this.lookUp(payment)
    if (state === 'pending') throw new UnknownOutcomeError('The transfer could still be made, so it is waited for.')
  }

  async collect(): Promise<Failure> {
    return { state: 'failed', reference: null, message: NOT_BY_CARD }
  }

  charge(): Promise<Failure> {
    return this.collect()
  }

  async refund(): Promise<Failure> {
    return { state: 'failed', reference: null, message: NO_REFUND }
  }

  async readNotice(): Promise<null> {
    return null
  }

  /** A settler also refuses a transfer that was already made, so the chain decides. */
  async #unlessMade(chain: Chain, reference: string, message: string): Promise<PaymentOutcome> {
    const fate = await fateOf(chain, reference)
    if (fate.state !== 'pending') return fate
    if (await isUnused(chain, reference)) return { state: 'failed', reference: keyOfReference(reference), message }
    throw new UnknownOutcomeError('The transfer was made, and is not final yet.')
  }

  #chain(network: string): Chain {
    const chain = this.#chains.get(network)
    if (!chain) throw new UnknownOutcomeError(`X402_RPC_URLS names no node of ${network}.`)
    return chain
  }
}

function isUnused(chain: Chain, reference: string): Promise<boolean> {
  return chain.ask(
    async (client) => !(await chain.isUsed(readReference(reference), await client.getBlockNumber({ cacheTime: 0 }))),
  )
}

function hex(digits: RegExp, error: string) {
  return z.custom<Hex>(
    (given) => typeof given === 'string' && given.startsWith('0x') && digits.test(given.slice(2)),
    error,
  )
}

/** Parses the header `PAYMENT-SIGNATURE`, which is JSON in Base64. */
function readHeader(header: string): BroughtTransfer {
  if (header.length > LONGEST_HEADER)
    throw new TransferUnreadableError(`The header PAYMENT-SIGNATURE is longer than ${LONGEST_HEADER} characters.`)
  const result = payload.safeParse(decoded(header))
  if (!result.success) {
    const [issue] = result.error.issues
    throw new TransferUnreadableError(
      `The header PAYMENT-SIGNATURE is not a payment of x402, version 2, by the scheme exact: ${issue?.path.join('.') || 'it'}: ${issue?.message}.`,
    )
  }
  const { accepted, payload: signed, extensions } = result.data
  return {
    accepted,
    transfer: { ...signed.authorization, signature: signed.signature },
    extensions: extensions ?? {},
  }
}

function decoded(header: string): unknown {
  try {
    return JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
  } catch {
    throw new TransferUnreadableError('The header PAYMENT-SIGNATURE is not JSON in Base64.')
  }
}

/** The minimum remaining validity in seconds, because a block has to include the transfer before it expires. */
const LEAST_SECONDS = 20
/** The allowed difference between the clocks of a client and of this service. */
const SKEW_SECONDS = 60

/** Checks a transfer without submitting it. Rejects if the chain or the settler cannot be reached. */
async function checkTransfer(
  { chain, settler }: { chain: Chain; settler: Settler },
  brought: BroughtTransfer,
  terms: TransferTerms,
  listing?: Listing,
): Promise<TransferCheck> {
  const refusal = whyNotAccepted(brought, terms) ?? whyNotNow(brought, terms, Math.floor(Date.now() / 1000))
  if (refusal) return { state: 'refused', ...refusal }
  const block = await chain.ask((client) => client.getBlockNumber({ cacheTime: 0 }))
  const refused =
    (await askToken(chain, brought, block)) ??
    (await askScheme(chain, brought, terms)) ??
    (await settler.verify(chain, submissionOf(chain, terms, brought.transfer, listing)))
  if (refused) return { state: 'refused', ...refused }
  return { state: 'good', key: transferKey(brought), reference: referenceOf(brought, block) }
}

/** Compares the terms that the client accepted and signed with the current ones. */
function whyNotAccepted({ accepted, transfer }: BroughtTransfer, terms: TransferTerms): TransferRefusal | null {
  const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
  if (accepted.network !== terms.network)
    return { code: 'invalid_exact_evm_network_mismatch', message: `The payment must be on ${terms.network}.` }
  if (!same(accepted.asset, terms.asset))
    return { code: 'invalid_payment_requirements', message: `The payment must be in the token ${terms.asset}.` }
  if (!same(accepted.payTo, terms.payTo) || !same(transfer.to, terms.payTo))
    return { code: 'invalid_exact_evm_recipient_mismatch', message: `The payment must be to ${terms.payTo}.` }
  if (accepted.amount !== terms.amount || transfer.value !== terms.amount)
    return {
      code: 'invalid_exact_evm_payload_authorization_value_mismatch',
      message: `The payment must be of ${terms.amount} units of the token.`,
    }
  return null
}

/** Also refuses a transfer that is valid for too long, because an unknown outcome blocks the checkout until the transfer expires. */
function whyNotNow({ transfer }: BroughtTransfer, terms: TransferTerms, now: number): TransferRefusal | null {
  const [after, before] = [BigInt(transfer.validAfter), BigInt(transfer.validBefore)]
  const longest = terms.maxTimeoutSeconds + SKEW_SECONDS
  if (after >= BigInt(now))
    return {
      code: 'invalid_exact_evm_payload_authorization_valid_after',
      message: 'The payment is not valid yet: validAfter must be in the past.',
    }
  if (before < BigInt(now + LEAST_SECONDS))
    return {
      code: 'invalid_exact_evm_payload_authorization_valid_before',
      message: `The payment has expired: validBefore must be ${LEAST_SECONDS} seconds or more from now.`,
    }
  if (before > BigInt(now + longest))
    return {
      code: 'invalid_exact_evm_payload_authorization_valid_before',
      message: `The payment is valid for too long: validBefore must be at most ${terms.maxTimeoutSeconds} seconds from now.`,
    }
  return null
}

function askToken(chain: Chain, { transfer }: BroughtTransfer, blockNumber: bigint): Promise<TransferRefusal | null> {
  const { from: payer, nonce } = transfer
  return chain.ask(async (client, viem) => {
    if (await chain.isUsed({ payer, nonce }, blockNumber)) return refusalOf('invalid_exact_evm_nonce_already_used')
    const token = { address: chain.facts.asset, abi: viem.parseAbi(TOKEN) }
    const has = await client.readContract({ ...token, functionName: 'balanceOf', args: [payer] })
    return has < BigInt(transfer.value) ? refusalOf('invalid_exact_evm_insufficient_balance') : null
  })
}

async function askScheme(
  chain: Chain,
  brought: BroughtTransfer,
  terms: TransferTerms,
): Promise<TransferRefusal | null> {
  const { payload, requirements } = submissionOf(chain, terms, brought.transfer)
  const { isValid, invalidReason } = await chain.ask(async () => (await schemeOf(chain)).verify(payload, requirements))
  return isValid ? null : refusalOf(invalidReason)
}

/** Repeats `ask` until the answer is not pending or the time is up, and returns the last answer. */
async function waitUntil<Answer extends { state: string }>(
  ask: () => Promise<Answer>,
  { mostMs, pauseMs, signal }: { mostMs: number; pauseMs: number; signal?: AbortSignal | undefined },
): Promise<Answer> {
  const end = performance.now() + mostMs
  for (;;) {
    const answer = await ask()
    if (answer.state !== 'pending' || performance.now() > end) return answer
    await delay(pauseMs, undefined, signal && { signal })
  }
}
