import { describe, expect, it } from 'vitest'
import { X402_CHAINS } from '../../src/contract/values/x402-chains.ts'
import { isMistyped, withChecksum } from '../../src/resources/company/x402-configuration/requirements.ts'
import { Visitor } from '../pages/visitor.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { onGateEngine, type Shop } from '../support/shop.ts'

/** The addresses that EIP-55 itself gives as examples. */
const OF_THE_SPECIFICATION = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]
const WALLET = OF_THE_SPECIFICATION[4]!
const PATH = '/x402_configuration'

/** Enough to show terms: nothing of it is asked before somebody pays. */
const SET_UP = {
  X402_RPC_URLS: 'base=http://127.0.0.1:9,base-sepolia=http://127.0.0.1:9,avalanche=http://127.0.0.1:9',
  X402_SETTLER_KEY: `0x${'1'.repeat(64)}`,
}
const AS_A_BROWSER = { headers: { Accept: 'text/html' } }

describe('The checksum of an address', () => {
  it('is that of EIP-55', () => {
    expect(OF_THE_SPECIFICATION.map((address) => withChecksum(address.toLowerCase()))).toEqual(OF_THE_SPECIFICATION)
    expect(OF_THE_SPECIFICATION.filter(isMistyped)).toEqual([])
  })

  it('is missed by one letter of the wrong case, and absent from letters of one case', () => {
    for (const address of OF_THE_SPECIFICATION.slice(4)) {
      for (const [index, letter] of [...address].entries()) {
        if (index < 2 || !/[a-f]/i.test(letter)) continue
        const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
        expect(isMistyped(address.slice(0, index) + other + address.slice(index + 1))).toBe(true)
      }
      expect(isMistyped(`0x${address.slice(2).toUpperCase()}`)).toBe(false)
      expect(isMistyped(address.toLowerCase())).toBe(false)
    }
  })

  it('is right in the addresses of USDC', () => {
    const assets = Object.values(X402_CHAINS).map(({ asset }) => asset)
    expect(assets.filter((asset) => asset !== withChecksum(asset))).toEqual([])
  })
})

describe('The x402 configuration', () => {
  onGateEngine((shop) => {
    let made = 0
    const account = async (more: { test?: boolean } = {}): Promise<Shop> =>
      shop.as(await shop.running.another(`x402-${++made}`, more))
    const enable = (own: Shop, more: object = {}) =>
      own.patch(PATH, { x402_enabled: true, x402_wallet_address: WALLET, ...more })
    const checkout = async (own: Shop, price: Record<string, unknown> = {}) =>
      own.post('/checkouts', { line_items: [{ price_variant: (await priceForSale(own, price)).id }] })

    it('is off at first, has no id, and is not stored by looking at it', async () => {
      const own = await account()
      const shown = await own.get(PATH)
      expect(shown).toEqual({
        object: 'x402_configuration',
        x402_enabled: false,
        x402_wallet_address: null,
        x402_chain: null,
        currency: 'USDC',
        unavailable_reason: null,
        updated_at: (await own.get('/account')).created_at,
      })
      expect(await shop.db.selectFrom('x402_configurations').select('id').execute()).toEqual([])
    })

    it('is enabled with a wallet, on base unless another chain is chosen', async () => {
      const own = await account()
      const enabled = await enable(own)
      expect(enabled).toMatchObject({ x402_enabled: true, x402_wallet_address: WALLET, x402_chain: 'base' })
      expect(await own.get(PATH)).toEqual(enabled)
      expect((await own.patch(PATH, { x402_chain: 'polygon' })).x402_chain).toBe('polygon')
      expect((await own.patch(PATH, { x402_chain: null })).x402_chain).toBe('base')
      expect(await own.patch(PATH, { x402_enabled: false, x402_wallet_address: null })).toMatchObject({
        x402_enabled: false,
        x402_wallet_address: null,
      })
      const rows = shop.db.selectFrom('x402_configurations').select('id').where('account_id', '=', own.accountId)
      expect(await rows.execute()).toHaveLength(1)
    })

    it('takes addresses without a checksum and shows them with it', async () => {
      const own = await account()
      const { x402_wallet_address } = await enable(own, { x402_wallet_address: WALLET.toLowerCase() })
      expect(x402_wallet_address).toBe(WALLET)
    })

    it('refuses what nobody could be paid by', async () => {
      const own = await account()
      const refusal = (body: object) => own.refusal('PATCH', PATH, body)
      expect(await refusal({ x402_enabled: true })).toEqual({
        x402_wallet_address: ["can't be blank"],
      })
      const mistyped = WALLET.replace('5aA', '5aa')
      expect(await refusal({ x402_wallet_address: mistyped })).toEqual({
        x402_wallet_address: ['has a wrong checksum, so it was mistyped. Copy it again from the wallet'],
      })
      for (const x402_wallet_address of ['0x12', WALLET.slice(2), `${WALLET}0`, WALLET.replace('5', 'g')])
        expect(Object.keys(await refusal({ x402_wallet_address }))).toEqual(['x402_wallet_address'])
      expect(Object.keys(await refusal({ x402_chain: 'solana' }))).toEqual(['x402_chain'])
      await enable(own)
      expect(Object.keys(await refusal({ x402_wallet_address: null }))).toEqual(['x402_wallet_address'])
    })

    it('tells the account alone what changed', async () => {
      const own = await account()
      const [event, ...more] = await shop.eventsOf(() => enable(own))
      expect(more).toEqual([])
      expect(event).toMatchObject({ type: 'x402_configuration.updated', data: { x402_chain: 'base' } })
      expect(event!.previous).toEqual({ x402_enabled: false, x402_wallet_address: null, x402_chain: null })
      expect(await shop.eventsOf(() => enable(own))).toEqual([])
      const { body } = await shop.api('GET', '/events?limit=100')
      expect(body.data.filter(({ name }: { name: string }) => name.startsWith('x402'))).toEqual([])
    })

    it('shows in a checkout what an x402 client signs', async () => {
      const own = await account()
      expect((await checkout(own)).x402).toBeNull()
      await enable(own)
      const { id, url, x402 } = await checkout(own, { amount: 2905 })
      expect(x402).toEqual({
        x402Version: 2,
        resource: { url, description: expect.any(String), mimeType: 'application/json' },
        accepts: [
          {
            scheme: 'exact',
            network: 'eip155:8453',
            amount: '29050000',
            asset: X402_CHAINS.base.asset,
            payTo: WALLET,
            maxTimeoutSeconds: 300,
            extra: { name: 'USD Coin', version: '2' },
          },
        ],
      })
      await own.patch(PATH, { x402_chain: 'avalanche' })
      expect((await own.get(`/checkouts/${id}`)).x402.accepts[0].network).toBe('eip155:43114')
      await own.patch(PATH, { x402_enabled: false })
      expect((await own.get(`/checkouts/${id}`)).x402).toBeNull()
    })

    it('shows it for nothing that USDC cannot pay, and in no event', async () => {
      const own = await account()
      await enable(own)
      expect((await checkout(own, { currency: 'eur' })).x402).toBeNull()
      expect((await checkout(own, { billing_type: 'subscription', recurring_interval: 'month' })).x402).toBeNull()
      expect((await checkout(own, { amount_type: 'free', amount: 0 })).x402).toBeNull()
      const { checkout: paid } = await sell(own, [{ price_variant: (await priceForSale(own)).id }])
      expect((await own.get(`/checkouts/${paid}`)).x402).toBeNull()
      const [event] = await shop
        .eventsOf(() => checkout(own))
        .then((all) => all.filter(({ type }) => type === 'checkout.created'))
      expect(event!.data).not.toHaveProperty('x402')
    })

    it('shows on the page what the API shows, and nothing without it', async () => {
      const own = await account({ test: true })
      const { url, id } = await checkout(own, { amount: 2905 })
      const visitor = new Visitor(shop.running.url)
      expect((await visitor.open(url, AS_A_BROWSER)).html).not.toContain('USDC')
      await enable(own, { x402_chain: 'base-sepolia' })
      const page = await visitor.open(url, AS_A_BROWSER)
      expect(page.text).toContain(`Amount 29.05 USDC Network eip155:84532`)
      expect(page.text).toContain(`Shop wallet ${WALLET}`)
      expect(page.text).toContain('USDC on this network is for tests and worth nothing.')
      const [, json] = /<pre[^>]*><code>([^<]*)</.exec(page.html)!
      expect(JSON.parse(json!.replaceAll('&quot;', '"'))).toEqual((await own.get(`/checkouts/${id}`)).x402)
    })

    it('lets a test account show it on a test chain alone', async () => {
      const own = await account({ test: true })
      await enable(own)
      const { id, x402 } = await checkout(own)
      expect(x402).toBeNull()
      expect((await own.get(PATH)).unavailable_reason).toBe(
        'base moves real money, and this is a test account. Choose base-sepolia.',
      )
      expect((await own.patch(PATH, { x402_chain: 'base-sepolia' })).unavailable_reason).toBeNull()
      expect((await own.get(`/checkouts/${id}`)).x402.accepts[0]).toMatchObject({ network: 'eip155:84532' })
    })

    it('says why a chain is not offered that nobody settles on', async () => {
      const own = await account()
      expect(await enable(own, { x402_chain: 'polygon' })).toMatchObject({
        x402_enabled: true,
        unavailable_reason: expect.stringMatching(/^This service does not take USDC on polygon\./),
      })
      expect((await checkout(own)).x402).toBeNull()
    })
  }, SET_UP)
})

describe('The x402 configuration where nothing settles payments', () => {
  const missing = 'This service does not take USDC yet. Ask whoever runs it to set that up.'
  const enabled = { x402_enabled: true, x402_wallet_address: WALLET, x402_chain: 'base-sepolia' }

  onGateEngine((shop) => {
    it('can be tried out, offers nothing, and says what is missing', async () => {
      const { unavailable_reason } = await shop.patch(PATH, enabled)
      expect(unavailable_reason).toContain(missing)
      const { url, x402 } = await shop.post('/checkouts', {
        line_items: [{ price_variant: (await priceForSale(shop)).id }],
      })
      expect(x402).toBeNull()
      const answer = await fetch(url)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    })
  })

  onGateEngine(
    (shop) => {
      it('cannot be enabled by a live account where nothing may pretend', async () => {
        expect(await shop.refusal('PATCH', PATH, enabled)).toEqual({
          x402_chain: [expect.stringContaining(`is not available. ${missing}`)],
        })
        expect(await shop.patch(PATH, { ...enabled, x402_enabled: false })).toMatchObject({ x402_enabled: false })
        const test = shop.as(await shop.running.another('rehearsal', { test: true }))
        expect(await test.patch(PATH, enabled)).toMatchObject({ x402_enabled: true })
      })
    },
    { SIMULATED_PROVIDERS: 'false' },
  )
})
