import type { Hex, PublicClient } from 'viem'
import type { X402Chain } from '../../../contract/values/x402-chains.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { UnknownOutcomeError } from './unknown.ts'

const TIMEOUT_MS = 10_000
/** A receipt of a call into several contracts has some 100 KB. */
const MAX_BYTES = 1_000_000

/** What is used of the token (EIP-3009). */
export const TOKEN_ABI = [
  {
    type: 'function',
    name: 'authorizationState',
    stateMutability: 'view',
    inputs: [
      { name: 'authorizer', type: 'address' },
      { name: 'nonce', type: 'bytes32' },
    ],
    outputs: [{ name: '', type: 'bool' }],
  },
  {
    type: 'function',
    name: 'balanceOf',
    stateMutability: 'view',
    inputs: [{ name: 'account', type: 'address' }],
    outputs: [{ name: '', type: 'uint256' }],
  },
] as const

export type Viem = typeof import('viem')

/** A blockchain by one of its nodes. The library is loaded when a chain is first asked, since it takes 25 MB. */
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

  /** How the library reaches the node. */
  transport({ http }: Viem) {
    const fetchFn = boundedFetch({ timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
    return http(this.#url, { fetchFn, timeout: TIMEOUT_MS, retryCount: 0 })
  }

  /** As the library describes a chain. */
  described({ defineChain }: Viem) {
    const nativeCurrency = { name: 'Gas', symbol: 'GAS', decimals: 18 }
    return defineChain({
      id: this.id,
      name: this.facts.network,
      nativeCurrency,
      rpcUrls: { default: { http: [] } },
    })
  }

  /** Rejects with UnknownOutcomeError when the node cannot be asked. */
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

  /** A node of another chain would answer everything, and nothing of it would be true. */
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

  /** Whether a transfer was made or canceled, as of a block. */
  isUsed(client: PublicClient, { payer, nonce }: { payer: Hex; nonce: Hex }, blockNumber: bigint): Promise<boolean> {
    const { asset: address } = this.facts
    return client.readContract({
      ...{ address, abi: TOKEN_ABI, blockNumber },
      functionName: 'authorizationState',
      args: [payer, nonce],
    })
  }
}
