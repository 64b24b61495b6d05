import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withDatabase } from '../../src/cli/with-database.ts'
import { readSettings } from '../../src/settings/config.ts'
import { HAS_CHAIN, TestChain } from '../support/chain.ts'
import { ChainNode } from '../support/chain-node.ts'
import { prepareShop } from '../support/prepared.ts'
import { type Environment, startServer } from '../support/server.ts'
import { Agent, send } from '../support/x402-shop.ts'
import { freshEnvironments } from './environments.ts'

const SENDING = 'eth_sendRawTransaction'
const prepare = freshEnvironments()
/** Looks rarely: requests have a limit, and a block that is asked for moves the chain's clock towards the end of the authorization. */
const until = async (holds: () => Promise<boolean>) => {
  while (!(await holds())) await delay(200)
}

/** What the dead server had leased is free for the next one at once, as it would be a minute and a half later. */
const letLeasesPass = (environment: Environment) =>
  withDatabase(readSettings(environment), (database) =>
    database.transaction(({ db }) =>
      db.updateTable('jobs').set({ leased_until: '2000-01-01T00:00:00Z' }).where('state', '=', 'working').execute(),
    ),
  )

describe.skipIf(!HAS_CHAIN)(
  `A server that is killed${HAS_CHAIN ? '' : ' (needs the chain: peers/install hardhat)'}`,
  () => {
    let chain: TestChain
    let node: ChainNode
    beforeAll(async () => {
      chain = await TestChain.start()
      node = await new ChainNode(chain.url).open()
    }, 60_000)
    afterAll(async () => {
      await node?.close()
      await chain?.close()
    })

    it.each([
      ['after it claimed a payment and before it was sent', 'down'],
      ['after it sent a payment and before it knew of it', 'lost'],
    ] as const)('%s settles it once after the next start', { timeout: 120_000 }, async (_, fault) => {
      const [settler, wallet] = [await chain.wallet(), await chain.wallet()]
      const settings = { X402_RPC_URLS: `base-sepolia=${node.url}`, X402_SETTLER_KEY: settler.key }
      const environment = await prepare('sqlite', settings)
      const token = await prepareShop(environment)
      const server = await startServer(environment)
      const post = async (path: string, body: object, method = 'POST') =>
        (await server.api(method, path, body, { token })).body
      const enabled = { x402_enabled: true, x402_wallet_address: wallet.address, x402_chain: 'base-sepolia' }
      await post('/x402_configuration', enabled, 'PATCH')
      const { id: product_id } = await post('/products', { name: 'Tea', status: 'active' })
      const { id: price_variant } = await post('/price_variants', { product_id, amount: 2905 })
      const body = { line_items: [{ price_variant }], email: 'agent@example.com' }
      const { id, url, x402 } = await post('/checkouts', body)
      const agent = new Agent(await chain.wallet({ cents: 10_000 }))
      const header = await agent.sign(x402)

      const sending = node.hold(SENDING)
      const unanswered = send(url, header).catch(() => null)
      await sending.reached
      node.fail(SENDING, fault)
      await server.stop('SIGKILL')
      expect(await unanswered).toBeNull()
      sending.release()
      await letLeasesPass(environment)
      await until(async () => (await chain.sentBy(settler.address)) >= (fault === 'lost' ? 1 : 0))
      node.recover()

      const next = await startServer(environment)
      const get = async (path: string) => (await next.api('GET', path, undefined, { token })).body
      await until(async () => (await get(`/checkouts/${id}`)).status === 'complete')
      const again = await send(next.url + new URL(url).pathname, header)
      expect([again.status, again.settlement.success]).toEqual([200, true])
      expect((await get('/orders')).data.map(({ status }: { status: string }) => status)).toEqual(['succeeded'])
      expect(await chain.centsOf(wallet.address)).toBe(2905)
      expect(await chain.sentBy(settler.address)).toBe(1)
      expect((await next.stop()).code).toBe(0)
    })
  },
)
