import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TransferTerms, X402Provider } from '../../../src/providers/payments/provider.ts'
import { createPayments } from '../../../src/providers/payments/registry.ts'
import { HAS_CHAIN, PLAYED, TestChain } from '../../support/chain.ts'
import { Agent } from '../../support/x402-shop.ts'

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const KEY = `0x${'1'.repeat(64)}`
const TERMS: TransferTerms = {
  scheme: 'exact',
  network: PLAYED.network,
  amount: '29050000',
  asset: PLAYED.asset,
  payTo: WALLET,
  maxTimeoutSeconds: 300,
  extra: { name: 'USDC', version: '2' },
}

const opened = (settings: Parameters<typeof createPayments>[0]): X402Provider => createPayments(settings).x402!

describe('Payments by x402', () => {
  it('are there when a chain and somebody who settles are set up', () => {
    const nodes = { X402_RPC_URLS: { base: 'http://127.0.0.1:9' } }
    expect([createPayments({}).x402, createPayments(nodes).x402]).toEqual([null, null])
    expect(createPayments({ X402_SETTLER_KEY: KEY }).x402).toBeNull()
    const provider = opened({ ...nodes, X402_SETTLER_KEY: KEY })
    expect([provider.serves('eip155:8453'), provider.serves('eip155:137')]).toEqual([true, false])
  })

  it('give nothing back, and are never charged without a transfer', async () => {
    const provider = opened({ X402_RPC_URLS: { base: 'http://127.0.0.1:9' }, X402_SETTLER_KEY: KEY })
    const request = { accountId: 'acct_1', key: 're_1', amount: 1, currency: 'usd', reference: '0x1' }
    expect(await provider.refund(request)).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('only the shop'),
    })
    expect(await provider.charge({ ...request, description: '', method: { token: '' } })).toMatchObject({
      state: 'failed',
    })
    expect(
      createPayments({ X402_RPC_URLS: { base: 'http://127.0.0.1:9' }, X402_SETTLER_KEY: KEY }).providerFor({
        test: false,
      }).name,
    ).toBe('test')
  })
})

describe.skipIf(!HAS_CHAIN)(
  `What became of a transfer${HAS_CHAIN ? '' : ' (needs the chain: peers/install hardhat)'}`,
  () => {
    let chain: TestChain
    let provider: X402Provider

    beforeAll(async () => {
      chain = await TestChain.start()
      const { key } = await chain.wallet()
      provider = opened({ X402_RPC_URLS: { 'base-sepolia': chain.url }, X402_SETTLER_KEY: key })
    }, 60_000)
    afterAll(() => chain?.close())

    /** A transfer that is good, and what it is looked up by. */
    const good = async (agent: Agent) => {
      const resource = { url: 'https://shop.example/checkout/1', description: '', mimeType: 'application/json' }
      const accepts = [TERMS]
      const brought = provider.read(await agent.sign({ x402Version: 2, resource, accepts }))
      const checked = await provider.check(brought, TERMS)
      if (checked.state !== 'good') throw new Error(checked.message)
      return { ...checked, ...brought }
    }
    const agentWith = async (cents: number) => new Agent(await chain.wallet({ cents }))
    const callOf = ({ transfer }: Awaited<ReturnType<typeof good>>) => {
      const { from, to, value, validAfter, validBefore, nonce, signature } = transfer
      const parts = [signature.slice(0, 66), `0x${signature.slice(66, 130)}`]
      const args = [from, to, value, validAfter, validBefore, nonce, Number(`0x${signature.slice(130)}`), ...parts]
      return { functionName: 'transferWithAuthorization', args }
    }
    /** Looks until it is final. */
    const fate = async (reference: string) => {
      for (;;) {
        const outcome = await provider.lookUp({ accountId: 'acct_1', key: 'pay_1', reference })
        if (outcome.state !== 'pending') return outcome
      }
    }

    it('is known by its nonce, once there are enough blocks', async () => {
      const agent = await agentWith(10_000)
      const transfer = await good(agent)
      const lookUp = () => provider.lookUp({ accountId: 'acct_1', key: 'pay_1', reference: transfer.reference })
      expect(await lookUp()).toEqual({ state: 'pending', reference: transfer.reference })
      await chain.mine({ everyMs: 0 })
      const hash = await chain.send(agent.wallet.account, callOf(transfer))
      expect((await lookUp()).state).toBe('pending')
      await chain.rpc('hardhat_mine', ['0x2'])
      expect(await lookUp()).toEqual({ state: 'succeeded', reference: hash, method: null })
      await chain.mine({ everyMs: 200 })
    })

    it('is not taken from a transfer of the same nonce to somebody else', async () => {
      const agent = await agentWith(10_000)
      const wanted = await good(agent)
      const { message } = await fateOfOther(agent, wanted)
      expect(message).toBe('The buyer’s wallet used what it had signed for another transfer.')
    })

    /** The payer signs the same nonce for a transfer to itself, and makes that one. */
    async function fateOfOther(agent: Agent, wanted: Awaited<ReturnType<typeof good>>) {
      const other = await resigned(agent, wanted)
      await chain.send(agent.wallet.account, callOf(other))
      const outcome = await fate(wanted.reference)
      if (outcome.state !== 'failed') throw new Error(outcome.state)
      return outcome
    }

    async function resigned(agent: Agent, wanted: Awaited<ReturnType<typeof good>>) {
      const transfer = { ...wanted.transfer, to: agent.wallet.address }
      const fields = [
        'from:address',
        'to:address',
        'value:uint256',
        'validAfter:uint256',
        'validBefore:uint256',
        'nonce:bytes32',
      ]
      const { signature: _, ...message } = transfer
      const signature = await agent.wallet.account.signTypedData({
        domain: { name: 'USDC', version: '2', chainId: 84_532, verifyingContract: PLAYED.asset },
        types: {
          TransferWithAuthorization: fields.map((field) => {
            const [name, type] = field.split(':')
            return { name: name!, type: type! }
          }),
        },
        primaryType: 'TransferWithAuthorization',
        message,
      })
      return { ...wanted, transfer: { ...transfer, signature } }
    }

    it('is its own, where its payer makes several in one transaction', async () => {
      const agent = await agentWith(10_000)
      const [one, two] = [await good(agent), await good(agent)]
      const hash = await chain.bundle(agent.wallet.account, [callOf(one), callOf(await resigned(agent, two))])
      expect(await fate(one.reference)).toMatchObject({ state: 'succeeded', reference: hash })
      expect(await fate(two.reference)).toMatchObject({ state: 'failed' })
      expect(await chain.centsOf(agent.wallet.address)).toBe(10_000 - 2905)
    })

    it('is that it was canceled, when its payer did that', async () => {
      const agent = await agentWith(10_000)
      const transfer = await good(agent)
      const signature = await agent.wallet.account.signTypedData({
        domain: { name: 'USDC', version: '2', chainId: 84_532, verifyingContract: PLAYED.asset },
        types: {
          CancelAuthorization: [
            { name: 'authorizer', type: 'address' },
            { name: 'nonce', type: 'bytes32' },
          ],
        },
        primaryType: 'CancelAuthorization',
        message: { authorizer: agent.wallet.address, nonce: transfer.transfer.nonce as `0x${string}` },
      })
      const parts = [Number(`0x${signature.slice(130)}`), signature.slice(0, 66), `0x${signature.slice(66, 130)}`]
      const args = [agent.wallet.address, transfer.transfer.nonce, ...parts]
      await chain.send(agent.wallet.account, { functionName: 'cancelAuthorization', args })
      expect(await fate(transfer.reference)).toMatchObject({
        state: 'failed',
        message: 'The buyer’s wallet canceled the transfer.',
      })
    })

    it('is not said by a node of another chain, nor by one that answers too much', async () => {
      const answers = async (body: string) => {
        const server = createServer((_, response) =>
          response.writeHead(200, { 'Content-Type': 'application/json' }).end(body),
        )
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
        const { port } = server.address() as { port: number }
        const other = opened({ X402_RPC_URLS: { 'base-sepolia': `http://127.0.0.1:${port}` }, X402_SETTLER_KEY: KEY })
        const { reference } = await good(await agentWith(10_000))
        const failure = await other
          .lookUp({ accountId: 'acct_1', key: 'pay_1', reference })
          .catch((error: Error) => error.message)
        server.close()
        return failure
      }
      expect(await answers(JSON.stringify({ jsonrpc: '2.0', id: 0, result: '0x1' }))).toBe(
        'X402_RPC_URLS is wrong: the node of eip155:84532 belongs to the chain 1.',
      )
      expect(await answers('x'.repeat(1_000_001))).toMatch(/^The node of eip155:84532 did not answer as it should/)
    })

    it('cannot be given up while it could still be made', async () => {
      const { reference } = await good(await agentWith(10_000))
      const abandon = () => provider.abandon({ accountId: 'acct_1', key: 'pay_1', reference })
      await expect(abandon()).rejects.toThrow('could still be made')
      await chain.pass(400)
      await abandon()
      expect(await fate(reference)).toMatchObject({ state: 'failed' })
    })
  },
)
