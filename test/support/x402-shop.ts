import type { PaymentRequirements } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { afterAll, beforeAll, describe } from 'vitest'
import type { onEngines } from './app.ts'
import { HAS_CHAIN, TestChain } from './chain.ts'
import { ChainNode } from './chain-node.ts'
import { FACILITATOR_KEY, FacilitatorServer } from './facilitator.ts'
import { apiKeys, TokenCheck } from './facilitator-tokens.ts'
import { priceForSale } from './sell.ts'
import { type Body, Shop } from './shop.ts'

type Wallet = Awaited<ReturnType<TestChain['wallet']>>
type Accepted = PaymentRequirements

/** How payments are settled: with our own key, by a facilitator with one token, or with a token for each request. */
type SettledBy = 'own key' | 'facilitator' | 'signed tokens'

/** A shop that accepts USDC on a test chain, and agents that pay with the real client. */
export class X402Shop {
  readonly shop = new Shop()
  chain!: TestChain
  node!: ChainNode
  facilitator: FacilitatorServer | null = null
  /** Pays the fees of the chain. */
  settler!: Wallet
  /** The wallet that receives the payments of the shop. */
  wallet!: Wallet

  async open(engine: (typeof onEngines)[number]['name'], by: SettledBy): Promise<void> {
    this.chain = await TestChain.start()
    this.node = await new ChainNode(this.chain.url).open()
    this.settler = await this.chain.wallet()
    this.wallet = await this.chain.wallet()
    const nodes = { X402_RPC_URLS: `base-sepolia=${this.node.url}` }
    await this.shop.open(engine, { ...nodes, ...(await this.#settles(by)) })
    await this.enable(this.shop)
  }

  async #settles(by: SettledBy): Promise<Record<string, string>> {
    if (by === 'own key') return { X402_SETTLER_KEY: this.settler.key }
    const { chain, settler } = this
    const key = by === 'signed tokens' ? apiKeys()[0]! : null
    const tokens = key && new TokenCheck(key)
    this.facilitator = await FacilitatorServer.start(chain, settler.account, tokens?.refusal.bind(tokens))
    const place = { X402_FACILITATOR_URL: this.facilitator.url }
    if (key === null) return { ...place, X402_FACILITATOR_KEY: FACILITATOR_KEY }
    return { ...place, X402_FACILITATOR_KEY_ID: key.id, X402_FACILITATOR_KEY_SECRET: key.secret }
  }

  enable(shop: Shop, wallet = this.wallet.address): Promise<Body> {
    const body = { x402_enabled: true, x402_wallet_address: wallet, x402_chain: 'base-sepolia' }
    return shop.patch('/x402_configuration', body)
  }

  async close(): Promise<void> {
    await this.shop.close()
    await this.facilitator?.close()
    await this.node.close()
    await this.chain.close()
  }

  /** Creates an open checkout for 29.05 dollars, or for another price. */
  async checkout(price: object = {}, more: object = {}): Promise<Body> {
    const { id } = await priceForSale(this.shop, { amount: 2905, ...price })
    return this.shop.post('/checkouts', { line_items: [{ price_variant: id }], email: 'agent@example.com', ...more })
  }

  async agent(cents = 10_000): Promise<Agent> {
    return new Agent(await this.chain.wallet({ cents }))
  }
}

/** An agent with a wallet. */
export class Agent {
  readonly wallet: Wallet
  readonly #client: x402Client

  constructor(wallet: Wallet) {
    this.wallet = wallet
    const client = new ExactEvmScheme(wallet.account)
    const spendControls = { maxAmountPerPayment: '$100' }
    this.#client = x402Client.fromConfig({ schemes: [{ network: 'eip155:*', client }], spendControls })
  }

  /** Requests a URL, and pays if payment is required. */
  async pay(url: string): Promise<Answered> {
    return answeredBy(await wrapFetchWithPayment(fetch, this.#client)(url))
  }

  /** Returns the payment header for payment terms. `change` modifies the payment before it is signed. */
  async sign(x402: Body, change: Partial<Accepted> = {}): Promise<string> {
    const accepts = [{ ...x402.accepts[0], ...change }]
    return encoded(await this.#client.createPaymentPayload({ ...x402, accepts }))
  }
}

export interface Answered {
  status: number
  headers: Headers
  body: Body
  /** The decoded `PAYMENT-RESPONSE` header. */
  settlement: Body
}

/** Sends a request, optionally with a payment header, to the URL of a checkout or a price. */
export async function send(
  url: string,
  header?: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Answered> {
  const all = { ...(header && { 'PAYMENT-SIGNATURE': header }), ...headers }
  return answeredBy(await fetch(url, { method, headers: all }))
}

async function answeredBy(response: Response): Promise<Answered> {
  const text = await response.text()
  const settlement = response.headers.get('payment-response')
  const isJson = response.headers.get('content-type')?.includes('json')
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text ? JSON.parse(text) : text,
    settlement: settlement && decoded(settlement),
  }
}

export function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64')
}

export function decoded(header: string): Body {
  return JSON.parse(Buffer.from(header, 'base64').toString())
}

/** Runs a suite with such a shop. Without the chain it is skipped, and its name says why. */
export function onX402(places: typeof onEngines, by: SettledBy, suite: (shop: X402Shop) => void): void {
  for (const { name, available } of places) {
    const why = HAS_CHAIN ? '' : ' (needs the chain: peers/install hardhat)'
    describe.skipIf(!available || !HAS_CHAIN)(`on ${name}, settled by ${by}${why}`, () => {
      const shop = new X402Shop()
      beforeAll(() => shop.open(name, by), 60_000)
      afterAll(() => shop.close())
      suite(shop)
    })
  }
}
