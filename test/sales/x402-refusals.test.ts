import { randomBytes } from 'node:crypto'
import type { Hex, PrivateKeyAccount } from 'viem'
import { describe, expect, it } from 'vitest'
import { gateEngines } from '../support/app.ts'
import type { Body } from '../support/shop.ts'
import { type Answered, decoded, encoded, onX402, send } from '../support/x402-shop.ts'

const OTHER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const now = () => Math.floor(Date.now() / 1000)

/** A header that pays terms, signed by hand, so that it can say what the real client never would. */
async function signed(account: PrivateKeyAccount, accepted: Body, change: Body = {}): Promise<string> {
  const authorization = {
    ...{ from: account.address, to: accepted.payTo, value: accepted.amount, validAfter: '0' },
    ...{ validBefore: String(now() + 300), nonce: `0x${randomBytes(32).toString('hex')}`, ...change },
  }
  const fields = { from: 'address', to: 'address', value: 'uint256', validAfter: 'uint256', validBefore: 'uint256' }
  const all = { ...fields, nonce: 'bytes32' }
  const { name, version } = accepted.extra
  const signature: Hex = await account.signTypedData({
    domain: { name, version, chainId: Number(accepted.network.split(':')[1]), verifyingContract: accepted.asset },
    types: { TransferWithAuthorization: Object.entries(all).map(([name, type]) => ({ name, type })) },
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  })
  return encoded({ x402Version: 2, accepted, payload: { authorization, signature } })
}

describe('A payment by x402', () => {
  onX402(gateEngines, 'own key', (place) => {
    /** Sends a header that must not be settled, to a checkout of its own or the given one. */
    const refused = async (url: string, header: string): Promise<Answered> => {
      const before = [await place.chain.sentBy(place.settler.address), (await place.shop.listed('/orders')).length]
      const answer = await send(url, header)
      const after = [await place.chain.sentBy(place.settler.address), (await place.shop.listed('/orders')).length]
      expect(after).toEqual(before)
      return answer
    }
    const codeOf = ({ status, body, settlement }: Answered) => {
      expect([status, body.code]).toEqual([402, settlement.errorReason])
      expect(settlement.success).toBe(false)
      return body.code
    }

    it('is refused for another amount, network, token or wallet', async () => {
      const { url, x402 } = await place.checkout()
      const { account } = (await place.agent()).wallet
      const [terms] = x402.accepts
      const ways: [Body, Body, string][] = [
        [{ amount: '29049999' }, {}, 'invalid_exact_evm_payload_authorization_value_mismatch'],
        [{ amount: '29050001' }, {}, 'invalid_exact_evm_payload_authorization_value_mismatch'],
        [{}, { value: '1' }, 'invalid_exact_evm_payload_authorization_value_mismatch'],
        [{ network: 'eip155:8453' }, {}, 'invalid_exact_evm_network_mismatch'],
        [{ asset: OTHER }, {}, 'invalid_payment_requirements'],
        [{ payTo: OTHER }, {}, 'invalid_exact_evm_recipient_mismatch'],
        [{}, { to: OTHER }, 'invalid_exact_evm_recipient_mismatch'],
      ]
      for (const [accepted, change, code] of ways)
        expect(codeOf(await refused(url, await signed(account, { ...terms, ...accepted }, change)))).toBe(code)
    })

    it('is refused when it has expired, holds for too long, or does not hold yet', async () => {
      const { url, x402 } = await place.checkout()
      const { account } = (await place.agent()).wallet
      for (const validBefore of [now() - 1, now() + 10, now() + 3600, 2 ** 40])
        expect(
          codeOf(await refused(url, await signed(account, x402.accepts[0], { validBefore: String(validBefore) }))),
        ).toBe('invalid_exact_evm_payload_authorization_valid_before')
      const later = { validAfter: String(now() + 100) }
      expect(codeOf(await refused(url, await signed(account, x402.accepts[0], later)))).toBe(
        'invalid_exact_evm_payload_authorization_valid_after',
      )
    })

    it('is refused when its payer did not sign it, has too little, has used it, or may not pay', async () => {
      const { url, x402 } = await place.checkout()
      const agent = await place.agent()
      const { account } = agent.wallet
      const [terms] = x402.accepts
      const byAnother = await signed((await place.agent()).wallet.account, terms, { from: account.address })
      expect(codeOf(await refused(url, byAnother))).toBe('invalid_exact_evm_signature')
      const wrongDomain = { ...terms, extra: { name: 'USD Coin', version: '2' } }
      expect(codeOf(await refused(url, await signed(account, wrongDomain)))).toBe('invalid_exact_evm_signature')
      const poor = await place.agent(2904)
      expect(codeOf(await refused(url, await poor.sign(x402)))).toBe('invalid_exact_evm_insufficient_balance')

      const once = await agent.sign((await place.checkout()).x402)
      const { authorization, signature } = decoded(once).payload
      const { from, to, value, validAfter, validBefore, nonce } = authorization
      const [r, s, v] = [signature.slice(0, 66), `0x${signature.slice(66, 130)}`, Number(`0x${signature.slice(130)}`)]
      const args = [from, to, value, validAfter, validBefore, nonce, v, r, s]
      await place.chain.send(place.wallet.account, { functionName: 'transferWithAuthorization', args })
      expect(codeOf(await refused(url, once))).toBe('invalid_exact_evm_nonce_already_used')

      await place.chain.send(account, { functionName: 'setBlacklisted', args: [account.address, true] })
      expect(codeOf(await refused(url, await agent.sign(x402)))).toBe('invalid_exact_evm_transaction_simulation_failed')
    })

    it('pays one checkout only, also where another account has the same wallet', async () => {
      const { shop } = place
      const agent = await place.agent()
      const [one, other] = [await place.checkout(), await place.checkout()]
      const header = await agent.sign(one.x402)
      expect((await send(one.url, header)).status).toBe(200)
      expect(codeOf(await refused(other.url, header))).toBe('invalid_exact_evm_nonce_already_used')
      const twin = shop.as(await shop.running.another('twin'))
      await place.enable(twin)
      const { id } = await twin.price((await twin.product({ status: 'active' })).id, { amount: 2905 })
      const there = await twin.post('/checkouts', { line_items: [{ price_variant: id }], email: 'a@example.com' })
      expect(codeOf(await refused(there.url, header))).toBe('invalid_exact_evm_nonce_already_used')
    })

    it('is refused when its header cannot be read', async () => {
      const { url, x402 } = await place.checkout()
      const good = decoded(await (await place.agent()).sign(x402))
      const change = (part: Body) => encoded({ ...good, payload: { ...good.payload, ...part } })
      const authorization = (part: Body) => change({ authorization: { ...good.payload.authorization, ...part } })
      const headers = [
        ...['nonsense', encoded(null), encoded([]), encoded({ ...good, x402Version: 1 }), 'A'.repeat(8_193)],
        ...[encoded({ ...good, accepted: { ...good.accepted, scheme: 'upto' } }), change({ signature: '0x12345' })],
        ...[
          change({ signature: `0x${'ab'.repeat(2_100)}` }),
          authorization({ value: '-1' }),
          authorization({ value: '1e9' }),
        ],
        ...[authorization({ nonce: '0x12' }), authorization({ from: 'nobody' }), authorization({ validBefore: 9 })],
        encoded({ ...good, payload: { permit2Authorization: {}, signature: good.payload.signature } }),
      ]
      for (const header of headers) {
        const { status, body } = await refused(url, header)
        expect([status, body.error.code, body.error.param]).toEqual([400, 'parameter_invalid', 'PAYMENT-SIGNATURE'])
        expect(body.error.message).toContain('PAYMENT-SIGNATURE')
      }
    })

    it('is refused when the terms have changed since they were shown', async () => {
      const { shop } = place
      const { id, url, x402 } = await place.checkout()
      const header = await (await place.agent()).sign(x402)
      await place.enable(shop, OTHER as Hex)
      expect(codeOf(await refused(url, header))).toBe('invalid_exact_evm_recipient_mismatch')
      await place.enable(shop)
      const { id: price_variant } = await shop.price((await shop.product({ status: 'active' })).id, { amount: 4000 })
      await shop.patch(`/checkouts/${id}`, { line_items: [{ price_variant }] })
      const { body, ...answer } = await refused(url, header)
      expect(codeOf({ body, ...answer })).toBe('invalid_exact_evm_payload_authorization_value_mismatch')
      expect(body.accepts[0].amount).toBe('40000000')
    })

    it('is refused while the chain cannot be asked, and taken afterwards', async () => {
      const { url, x402 } = await place.checkout()
      const header = await (await place.agent()).sign(x402)
      place.node.fail('*', 'down')
      const answer = await refused(url, header)
      place.node.recover()
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
      const [{ err }] = place.shop.running.errors.splice(0) as [{ err: Error }]
      expect(err.message).toMatch(/^The node of eip155:84532 did not answer as it should/)
      expect((await send(url, header)).status).toBe(200)
    })
  })
})
