import type { FacilitatorEvmSigner } from '@x402/evm'
import type { Hex, PublicClient } from 'viem'
import type { X402Chain } from '../../../contract/values/x402-chains.ts'
import { bytesInWords } from '../../../format/sizes.ts'
import { UnknownOutcomeError } from '../provider.ts'

export type Write = FacilitatorEvmSigner['writeContract']

const NO_ADDRESS: Hex = '0x0000000000000000000000000000000000000000'

const TIMEOUT_MS = 10_000
/** The maximum size of a node's response in bytes; the receipt of a complex transaction has about 100 KB. */
const MAX_BYTES = 1_000_000

/** The token's functions that this service calls (EIP-3009). */
export const TOKEN = [
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
] as const

export type Viem = typeof import('viem')

/** Accesses a blockchain through one node. The library loads with the first request, because it takes 25 MB. */
export class Chain {
  readonly facts: X402Chain
  readonly #url: string
  #opened: Promise<{ viem: Viem; client: PublicClient }> | undefined

  constructor(facts: X402Chain, url: string) {
    this.facts = facts
    this.#url = url
  }

  get id(): number {
    return Number(this.facts.network.split(':')[1])
  }

  transport({ http }: Viem) {
    const fetchFn = boundedFetch({ timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
    return http(this.#url, { fetchFn, timeout: TIMEOUT_MS, retryCount: 0 })
  }

  described({ defineChain }: Viem) {
    const nativeCurrency = { name: 'Gas', symbol: 'GAS', decimals: 18 }
    return defineChain({
      id: this.id,
      name: this.facts.network,
      nativeCurrency,
      rpcUrls: { default: { http: [] } },
    })
  }

  /** Rejects with UnknownOutcomeError if the node cannot be reached. */
  async ask<Answer>(question: (client: PublicClient, viem: Viem) => Promise<Answer>): Promise<Answer> {
    try {
      const { client, viem } = await this.open()
      return await question(client, viem)
    } catch (error) {
      throw this.unanswered(error)
    }
  }

  unanswered(error: unknown): Error {
    if (error instanceof UnknownOutcomeError) return error
    const isTheirs = error instanceof Error && 'shortMessage' in error
    const why = isTheirs ? ` ${error.shortMessage}` : ''
    return new UnknownOutcomeError(`The node of ${this.facts.network} did not answer as it should.${why}`)
  }

  open(): Promise<{ viem: Viem; client: PublicClient }> {
    this.#opened ??= this.#connect().catch((error: unknown) => {
      this.#opened = undefined
      throw error
    })
    return this.#opened
  }

  /** Checks the node's chain id, because a node of another chain would return valid but wrong answers. */
  async #connect() {
    const viem = await import('viem')
    const client: PublicClient = viem.createPublicClient({ transport: this.transport(viem) })
    const id = await client.getChainId()
    if (id !== this.id)
      throw new UnknownOutcomeError(
        `X402_RPC_URLS is wrong: the node of ${this.facts.network} belongs to the chain ${id}.`,
      )
    return { viem, client }
  }

  /** Returns whether the transfer was made or canceled, as of a block. */
  async isUsed({ payer, nonce }: { payer: Hex; nonce: Hex }, blockNumber: bigint): Promise<boolean> {
    const { client, viem } = await this.open()
    return client.readContract({
      ...{ address: this.facts.asset, abi: viem.parseAbi(TOKEN), blockNumber },
      functionName: 'authorizationState',
      args: [payer, nonce],
    })
  }
}

/** The x402 library's implementation of the scheme `exact`; without `write`, it can only verify. */
export async function schemeOf(chain: Chain, { address = NO_ADDRESS, write }: { address?: Hex; write?: Write } = {}) {
  const { ExactEvmScheme } = await import('@x402/evm/exact/facilitator')
  const { client } = await chain.open()
  const never = () => Promise.reject(new Error('Only transfers are handed in.'))
  return new ExactEvmScheme({
    getAddresses: () => [address],
    readContract: client.readContract,
    verifyTypedData: never,
    writeContract: write ?? never,
    sendTransaction: never,
    // The provider checks the nonce instead of the library's transaction, because somebody else may submit the transfer.
    waitForTransactionReceipt: async () => ({ status: 'success' }),
    getCode: (asked) => client.getCode(asked),
  })
}

/** For services that the operator configures: limits the total time and the response size, and follows no redirects. */
export function boundedFetch({ timeoutMs, maxBytes }: { timeoutMs: number; maxBytes: number }): typeof fetch {
  return async (input, init) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout
    const answer = await fetch(input, { ...init, signal, redirect: 'error' })
    const body = await readAtMost(answer, maxBytes)
    const { status, statusText, headers } = answer
    return new Response(body, { status, statusText, headers: { 'Content-Type': headers.get('content-type') ?? '' } })
  }
}

async function readAtMost({ body }: Response, maxBytes: number): Promise<Buffer<ArrayBuffer> | null> {
  if (!body) return null
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`The answer is longer than ${bytesInWords(maxBytes)}.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
