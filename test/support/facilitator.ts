import { createServer, type IncomingMessage, type Server } from 'node:http'
import { x402Facilitator } from '@x402/core/facilitator'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { createWalletClient, http, publicActions } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { PLAYED, type TestChain } from './chain.ts'

export const FACILITATOR_KEY = 'the-key-of-the-facilitator'

/** The behaviour for the next request. */
type Mood = 'works' | 'loses the answer' | 'is down' | 'refuses'

/** Returns the reason for refusing a request, or null. */
type Admits = (request: IncomingMessage) => string | null

/** Serves the facilitator of x402's own library over a chain. It refuses requests that the interface does not describe. */
export class FacilitatorServer {
  mood: Mood = 'works'
  readonly requests: string[] = []
  readonly payloads: PaymentPayload[] = []
  readonly #server: Server
  readonly #facilitator: x402Facilitator
  readonly #refusal: Admits

  private constructor(facilitator: x402Facilitator, refusal: Admits) {
    this.#facilitator = facilitator
    this.#refusal = refusal
    this.#server = createServer((request, response) => {
      this.#answer(request).then(
        (answer) => {
          if (answer === null) return response.destroy()
          response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer.body))
        },
        (error: unknown) => response.writeHead(500).end(JSON.stringify({ error: String(error) })),
      )
    })
  }

  static async start(
    chain: TestChain,
    account: PrivateKeyAccount,
    refusal: Admits = ({ headers }) => (headers.authorization === `Bearer ${FACILITATOR_KEY}` ? null : 'unauthorized'),
  ): Promise<FacilitatorServer> {
    const transport = http(chain.url)
    const wallet = createWalletClient({ account, chain: chain.described, transport, pollingInterval: 50 })
    const client = wallet.extend(publicActions)
    const signer = toFacilitatorEvmSigner({ ...client, address: account.address } as never)
    const facilitator = new x402Facilitator().register(PLAYED.network, new ExactEvmScheme(signer))
    const server = new FacilitatorServer(facilitator, refusal)
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve))
    return server
  }

  get url(): string {
    const address = this.#server.address()
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/facilitator`
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  /** Returns null to close the connection without a response. */
  async #answer(request: IncomingMessage): Promise<{ status: number; body: unknown } | null> {
    const { method, url } = request
    this.requests.push(`${method} ${url}`)
    const error = this.#refusal(request)
    if (error !== null) return { status: 401, body: { error } }
    const step = url?.replace('/facilitator/', '')
    if (method !== 'POST' || (step !== 'verify' && step !== 'settle')) return { status: 404, body: {} }
    const { payload, requirements } = readBody(await bodyOf(request))
    this.payloads.push(payload)
    if (step === 'verify') return { status: 200, body: await this.#facilitator.verify(payload, requirements) }
    if (this.mood === 'is down') return null
    if (this.mood === 'refuses')
      return {
        status: 200,
        body: { success: false, errorReason: 'policy_refused', transaction: '', network: requirements.network },
      }
    const settled = await this.#facilitator.settle(payload, requirements)
    return this.mood === 'loses the answer' ? null : { status: 200, body: settled }
  }
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (request.headers['content-type'] !== 'application/json') throw new Error('The body must be JSON.')
  return JSON.parse(Buffer.concat(await request.toArray()).toString())
}

function readBody(body: Record<string, unknown>): { payload: PaymentPayload; requirements: PaymentRequirements } {
  const names = Object.keys(body).sort().join()
  if (names !== 'paymentPayload,paymentRequirements,x402Version' || body.x402Version !== 2)
    throw new Error(`The body is not one of x402, version 2: ${names}`)
  const payload = body.paymentPayload as PaymentPayload
  const requirements = body.paymentRequirements as PaymentRequirements
  if (JSON.stringify(payload.accepted) !== JSON.stringify(requirements)) throw new Error('The accepted terms differ.')
  return { payload, requirements }
}
