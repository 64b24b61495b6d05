import { X402_CHAIN_NAMES, X402_CHAINS, type X402ChainName } from '../../../contract/values/x402-chains.ts'
import type {
  BroughtTransfer,
  Failure,
  Listing,
  PaymentOutcome,
  PaymentReference,
  TransferCheck,
  TransferRequest,
  TransferTerms,
  X402Provider,
} from '../provider.ts'
import { Chain } from './chain.ts'
import { checkTransfer, waitUntil } from './check.ts'
import { Facilitator } from './facilitator.ts'
import { fateOf } from './fate.ts'
import { OwnKey } from './own-key.ts'
import { readHeader } from './read.ts'
import { keyOfReference, readReference, transferKey } from './reference.ts'
import { handedOf, type Settler } from './settler.ts'
import { UnknownOutcomeError } from './unknown.ts'

/** The settings that set payments by x402 up. */
export interface X402Settings {
  /** Addresses of nodes by their chains. */
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

/** Blocks come every one or two seconds. A transfer that takes longer is looked up again by the job. */
const WAIT = { mostMs: 20_000, pauseMs: 400 }

/** Payments by x402, or null while the settings name no chain or nobody who hands transfers in. */
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

/** Payments in USDC to the wallets of accounts. */
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
  readonly #chains: ReadonlyMap<string, Chain>
  readonly #settler: Settler

  constructor(chains: Chain[], settler: Settler) {
    this.#chains = new Map(chains.map((chain) => [chain.facts.network, chain]))
    this.#settler = settler
  }

  serves(network: string): boolean {
    return this.#chains.has(network)
  }

  read(header: string): BroughtTransfer {
    return readHeader(header)
  }

  keyOf(brought: BroughtTransfer): string {
    return transferKey(brought)
  }

  check(brought: BroughtTransfer, terms: TransferTerms, listing?: Listing): Promise<TransferCheck> {
    return checkTransfer({ chain: this.#chain(terms.network), settler: this.#settler }, brought, terms, listing)
  }

  /**
   * After a first try the chain is asked first: the transfer may have been made by now. A refusal ends the payment only when it comes
   * first: what an earlier try gave out can still be made until its time is over.
   */
  async handIn({ reference, terms, transfer, listing, attempt, signal }: TransferRequest): Promise<PaymentOutcome> {
    const chain = this.#chain(terms.network)
    const isFirst = attempt === 1
    if (!isFirst) {
      const fate = await fateOf(chain, reference)
      if (fate.state !== 'pending') return fate
    }
    const refused = await this.#settler.settle(chain, handedOf(chain, terms, transfer, listing))
    if (refused && isFirst) return this.#unlessMade(chain, reference, refused.message)
    const outcome = await waitUntil(() => fateOf(chain, reference), { ...WAIT, signal })
    if (outcome.state !== 'pending') return outcome
    throw new UnknownOutcomeError('The transfer was handed in, and is not final yet.')
  }

  lookUp({ reference }: Pick<PaymentReference, 'reference'>): Promise<PaymentOutcome> {
    return fateOf(this.#chain(readReference(reference).network), reference)
  }

  /** A transfer cannot be called back: it ends by itself, some minutes after it was signed. */
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

  /** A settler refuses what was made already, too. */
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
    async (client) =>
      !(await chain.isUsed(client, readReference(reference), await client.getBlockNumber({ cacheTime: 0 }))),
  )
}
