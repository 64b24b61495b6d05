import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testServerUrl } from '../database/engines.ts'
import { HAS_CHAIN, TestChain } from '../support/chain.ts'
import { times } from '../support/depth.ts'
import { prepareShop } from '../support/prepared.ts'
import { startServer } from '../support/server.ts'
import { Agent, decoded, send } from '../support/x402-shop.ts'
import { freshEnvironments } from './environments.ts'

const prepare = freshEnvironments()
const why = HAS_CHAIN ? '' : ' (needs the chain: peers/install hardhat)'

describe.skipIf(!HAS_CHAIN || !testServerUrl)(`A price that two servers sell by x402${why}`, () => {
  let chain: TestChain
  beforeAll(async () => {
    chain = await TestChain.start()
  }, 60_000)
  afterAll(() => chain?.close())

  it('has one order for a payment that is sent to both at once, and often', { timeout: 180_000 }, async () => {
    const [settler, wallet] = [await chain.wallet(), await chain.wallet()]
    const settings = { X402_RPC_URLS: `base-sepolia=${chain.url}`, X402_SETTLER_KEY: settler.key }
    const environment = await prepare('postgres', { ...settings, SECRET_KEY: 'a secret key that both servers share' })
    const token = await prepareShop(environment)
    const other = { ...environment, DATA_DIR: join(environment.DATA_DIR!, 'other') }
    const servers = await Promise.all([startServer(environment), startServer(other)])
    const call = async (method: string, path: string, body?: object) =>
      (await servers[0]!.api(method, path, body, { token })).body
    const enabled = { x402_enabled: true, x402_wallet_address: wallet.address, x402_chain: 'base-sepolia' }
    await call('PATCH', '/x402_configuration', enabled)
    const { id: product_id } = await call('POST', '/products', { name: 'Tea', status: 'active' })
    const rounds = times({ gate: 2, deep: 10 })
    for (let round = 0; round < rounds; round++) {
      const { id } = await call('POST', '/price_variants', { product_id, amount: 100, quantity_available: 5 })
      const addresses = servers.map(({ url }) => `${url}/buy/${id}?email=agent@example.com`)
      const agent = new Agent(await chain.wallet({ cents: 1000 }))
      const header = await agent.sign(decoded((await send(addresses[0]!)).headers.get('payment-required')!))
      const sent = await chain.sentBy(settler.address)
      const answers = await Promise.all([...addresses, ...addresses, ...addresses].map((one) => send(one, header)))
      expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(6).fill([200, answers[0]!.body]))
      expect(await chain.sentBy(settler.address)).toBe(sent + 1)
      expect(await chain.centsOf(agent.wallet.address)).toBe(900)
      expect((await call('GET', `/price_variants/${id}`)).quantity_available).toBe(4)
    }
    expect((await call('GET', '/orders')).data).toHaveLength(rounds)
    for (const server of servers) expect((await server.stop()).code).toBe(0)
  })
})
