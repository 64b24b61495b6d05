import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { onEngines } from '../support/app.ts'
import { SEED, times } from '../support/depth.ts'
import { priceForSale } from '../support/sell.ts'
import { type Body, onGateEngine } from '../support/shop.ts'
import { type Answered, decoded, encoded, onX402, send, type X402Shop } from '../support/x402-shop.ts'

const EMAIL = '?email=agent@example.com'
const SENDING = 'eth_sendRawTransaction'
const OTHER_WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

/** These tables count requests of every kind, how far the search has read, and how much is stored. */
const OF_REQUESTS = [
  'api_requests',
  'commit_records',
  'rate_buckets',
  'client_buckets',
  'search_progress',
  'storage_usage',
]
const OF_SALES = ['checkouts', 'payments', 'orders', 'order_items', 'customers', 'price_variants', 'events', 'jobs']

/** How many rows each table has, and all that those of sales hold. */
async function everything({ shop }: X402Shop): Promise<unknown> {
  const tables = (await shop.db.introspection.getTables()).map(({ name }) => name)
  const counted = tables.filter((name) => !OF_REQUESTS.includes(name))
  const counts = counted.map(async (name) => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(shop.db)
    return [name, Number(rows[0]!.count)]
  })
  const sales = OF_SALES.map(async (name) => {
    const { rows } = await sql<{ id: string }>`select * from ${sql.table(name)} order by id`.execute(shop.db)
    return [name, rows]
  })
  return [await Promise.all(counts), await Promise.all(sales)]
}

const sale = async ({ shop }: X402Shop, price: Body = {}, product: Body = {}): Promise<Body> =>
  priceForSale(shop, { amount: 2905, ...price }, product)
const termsOf = async (url: string): Promise<Body> => decoded((await send(url)).headers.get('payment-required')!)
const soldBy = ({ shop }: X402Shop, price: Body) =>
  shop.db.selectFrom('checkouts').select(['id', 'status', 'order']).where('link', '=', price.id).execute()
/** The header as somebody makes it who has read the transfer on the chain. */
const withoutExtensions = (header: string) => encoded({ ...decoded(header), extensions: undefined })

/** Sends what must not be settled, and finds that nothing was written. */
async function unwritten(place: X402Shop, ask: () => Promise<Answered>): Promise<Answered> {
  await place.shop.settled()
  const before = [await everything(place), await place.chain.sentBy(place.settler.address)]
  const answer = await ask()
  expect([await everything(place), await place.chain.sentBy(place.settler.address)]).toEqual(before)
  return answer
}

describe('The purchase_url of a price', () => {
  onX402(onEngines, 'own key', (place) => {
    it('is bought by a program that knows nothing else, which is given the order of a checkout of its own', async () => {
      const { shop, chain } = place
      const price = await sale(place, {}, { name: 'Café guide' })
      const agent = await place.agent()
      const { status, body, settlement } = await agent.pay(price.purchase_url + EMAIL)
      expect([status, body.order.amount, body.receipt_sent_to]).toEqual([200, 2905, 'agent@example.com'])
      expect(settlement).toEqual({ success: true, ...body.payment })
      expect(await soldBy(place, price)).toEqual([{ id: body.checkout, status: 'complete', order: body.order.id }])
      expect(await shop.get(`/orders/${body.order.id}`)).toMatchObject({ processor: 'x402', channel: 'x402' })
      expect(await chain.centsOf(agent.wallet.address)).toBe(10_000 - 2905)
    })

    it('shows a program its terms, and a person the page, and neither writes anything', async () => {
      const { purchase_url: url } = await sale(place)
      for (const [address, headers] of [
        [url + EMAIL, {}],
        [url, { Accept: 'application/json' }],
        [`${url}${EMAIL}&quantity=2`, { Accept: '*/*' }],
      ] as const) {
        const { status, body, headers: told } = await unwritten(place, () => send(address, undefined, headers))
        expect([status, body.accepts[0].payTo, body.resource.url]).toEqual([402, place.wallet.address, url])
        expect(told.get('cache-control')).toBe('no-store')
      }
      const head = await unwritten(place, () => send(url + EMAIL, undefined, {}, 'HEAD'))
      expect([head.status, decoded(head.headers.get('payment-required')!).accepts[0].amount]).toEqual([402, '29050000'])
      const page = await unwritten(place, () => send(url, undefined, { Accept: 'text/html,*/*;q=0.8' }))
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    })

    it('asks for what it needs before it takes a payment, and writes nothing', async () => {
      const { purchase_url: url } = await sale(place)
      const agent = await place.agent()
      const bare = await unwritten(place, () => send(url))
      expect([bare.status, bare.body.error]).toEqual([402, expect.stringContaining('Add ?email=…')])
      const header = await agent.sign(await termsOf(url))
      const refused: [string, Body][] = [
        ['', { email: ["can't be blank: add ?email=… to the address, for the receipt"] }],
        ['?email=nobody', { email: ['is not a valid e-mail address'] }],
        [`${EMAIL}&quantity=0`, { quantity: ['must be from 1 to 10000'] }],
        [`${EMAIL}&quantity=many`, { quantity: ['must be a whole number'] }],
        [`${EMAIL}&amount=100`, { amount: ['can only be set for custom prices'] }],
        [`${EMAIL}&country=Germany`, { country: [expect.stringContaining('two letters')] }],
      ]
      for (const [query, errors] of refused) {
        const { status, body } = await unwritten(place, () => send(url + query, header))
        expect([status, body.error.code, body.error.errors]).toEqual([422, 'validation_failed', errors])
        if (query !== '') expect((await send(url + query)).body).toEqual(body)
      }
    })

    it('sells as many as are asked for, at the price that the buyer names, with the tax of the country', async () => {
      const { shop } = place
      const agent = await place.agent()
      const two = await agent.pay(`${(await sale(place, { amount: 900 })).purchase_url}${EMAIL}&quantity=2`)
      expect([two.status, two.body.order.amount, two.body.order.line_items[0].quantity]).toEqual([200, 1800, 2])
      const { purchase_url: gift } = await sale(place, { amount_type: 'custom', amount: 0, maximum_amount: 5000 })
      expect((await send(gift + EMAIL)).body.error.errors).toEqual({
        amount: [expect.stringContaining('?amount=1500')],
      })
      const tooMuch = (await send(`${gift}${EMAIL}&amount=5001`)).body.error.errors
      expect(tooMuch).toEqual({ amount: ['must be from 0 to 5000'] })
      const given = await agent.pay(`${gift}${EMAIL}&amount=700`)
      expect([given.status, given.body.order.amount]).toEqual([200, 700])
      await shop.patch('/account', { country: 'AT', tax_rates: [{ country: 'FR', percent: 20 }] })
      const { purchase_url: taxed } = await sale(place)
      expect((await send(taxed + EMAIL)).body.error.errors).toEqual({
        country: [expect.stringContaining('?country=DE')],
      })
      const paid = await agent.pay(`${taxed}${EMAIL}&country=FR`)
      await shop.patch('/account', { country: null, tax_rates: [] })
      expect([paid.status, paid.body.order.amount, paid.body.order.amount_tax]).toEqual([200, 3486, 581])
    })

    it('answers with the page where nothing can be paid in USDC, and settles no payment there', async () => {
      const prices = [
        await sale(place, { currency: 'eur' }),
        await sale(place, { billing_type: 'subscription', recurring_interval: 'month' }),
        await sale(place, { amount: 0 }),
      ]
      const header = await (await place.agent()).sign(await termsOf((await sale(place)).purchase_url))
      for (const { purchase_url: url } of prices) {
        expect((await send(url + EMAIL)).headers.get('content-type')).toBe('text/html; charset=utf-8')
        const { status, body } = await unwritten(place, () => send(url + EMAIL, header))
        expect([status, body.error]).toEqual([409, 'This cannot be paid in USDC. Nothing was settled.'])
      }
      expect((await send(`${place.shop.running.url}/buy/price_unknown`)).status).toBe(404)
    })

    it('settles nothing for what is no longer for sale', async () => {
      const { shop } = place
      const agent = await place.agent()
      const ways: [string, (price: Body) => Promise<unknown>][] = [
        ['is sold out', ({ id }) => shop.patch(`/price_variants/${id}`, { quantity_available: 0 })],
        ['is not for sale', ({ id }) => shop.patch(`/price_variants/${id}`, { archived: true })],
        ['is not for sale', ({ product }) => shop.patch(`/products/${product}`, { status: 'draft' })],
        [
          'has not been for sale since',
          ({ product }) => shop.patch(`/products/${product}`, { available_until: '2026-01-01T00:00:00Z' }),
        ],
      ]
      for (const [problem, change] of ways) {
        const price = await sale(place)
        const header = await agent.sign(await termsOf(price.purchase_url))
        await change(price)
        const { status, body } = await unwritten(place, () => send(price.purchase_url + EMAIL, header))
        expect([status, body.error.errors]).toEqual([422, { price_variant: [expect.stringContaining(problem)] }])
      }
      expect(await place.chain.centsOf(agent.wallet.address)).toBe(10_000)
    })

    it('takes no payment for other terms, from nobody who has too little, and none that is posted', async () => {
      const { shop } = place
      const price = await sale(place)
      const url = price.purchase_url + EMAIL
      const agent = await place.agent()
      const header = await agent.sign(await termsOf(url))
      const poor = await (await place.agent(100)).sign(await termsOf(url))
      expect((await unwritten(place, () => send(url, poor))).body.code).toBe('invalid_exact_evm_insufficient_balance')
      expect((await unwritten(place, () => send(`${url}&quantity=2`, header))).status).toBe(402)
      const unread = await unwritten(place, () => send(url, 'nonsense'))
      expect([unread.status, unread.body.error.param]).toEqual([400, 'PAYMENT-SIGNATURE'])
      const posted = await unwritten(place, () => send(url, header, {}, 'POST'))
      expect([posted.status, posted.body.error.code, posted.headers.get('allow')]).toEqual([
        ...[405, 'method_not_allowed', 'GET, HEAD'],
      ])
      expect((await unwritten(place, () => send(url, header, {}, 'HEAD'))).status).toBe(402)
      await place.enable(shop, OTHER_WALLET)
      expect((await unwritten(place, () => send(url, header))).body.code).toBe('invalid_exact_evm_recipient_mismatch')
      await place.enable(shop)
      place.node.fail('*', 'down')
      expect((await unwritten(place, () => send(url, header))).status).toBe(503)
      place.node.recover()
      shop.running.errors.splice(0)
      expect(await place.chain.centsOf(agent.wallet.address)).toBe(10_000)
    })

    it('has the same order for the same payment, which tells others nothing that the chain does not show', async () => {
      const price = await sale(place)
      const url = price.purchase_url + EMAIL
      const agent = await place.agent()
      const header = await agent.sign(await termsOf(url))
      const first = await send(url, header)
      expect(first.status).toBe(200)
      const again = await unwritten(place, () => send(url, header))
      expect([again.status, again.body, again.settlement]).toEqual([200, first.body, first.settlement])
      expect((await send(price.purchase_url, header)).body).toEqual(first.body)
      const public_ = await unwritten(place, () => send(url, withoutExtensions(header)))
      const { id, status, amount, currency, paid_at } = first.body.order
      expect(public_.body).toEqual({
        ...{ object: 'x402_receipt', order: { id, status, amount, currency, paid_at }, payment: first.body.payment },
        ...{ access: null, message: expect.any(String) },
      })
      const { extensions } = await termsOf(url)
      const withNew = await send(url, encoded({ ...decoded(header), extensions }))
      expect(withNew.body).toEqual(public_.body)
      const elsewhere = await send((await sale(place)).purchase_url + EMAIL, header)
      expect([elsewhere.status, elsewhere.body.code]).toEqual([402, 'invalid_exact_evm_nonce_already_used'])
      expect(await soldBy(place, price)).toHaveLength(1)
    })

    it('opens one checkout for each payment, also where two were signed for the same terms', async () => {
      const price = await sale(place)
      const url = price.purchase_url + EMAIL
      const terms = await termsOf(url)
      const agent = await place.agent()
      const [one, two] = [await agent.sign(terms), await agent.sign(terms)]
      const paid = await send(url, one)
      const refused = await unwritten(place, () => send(url, two))
      expect([paid.status, refused.status, refused.body.code]).toEqual([200, 402, 'terms_changed'])
      expect((await agent.pay(url)).body.order.id).not.toBe(paid.body.order.id)
      const unechoed = withoutExtensions(await agent.sign(await termsOf(url)))
      const { status, body } = await send(url, unechoed)
      expect([status, body.receipt_sent_to]).toEqual([200, 'agent@example.com'])
      expect(await soldBy(place, price)).toHaveLength(3)
    })

    it('has one order for each payment that is sent at once with others, and never sells more than there is', {
      timeout: 120_000,
    }, async () => {
      const sent = fc.record({ payer: fc.nat(2), echoes: fc.boolean() })
      const sending = fc.array(sent, { minLength: 4, maxLength: 9 })
      const races = fc.asyncProperty(sending, fc.integer({ min: 1, max: 3 }), async (all, left) => {
        const price = await sale(place, { quantity_available: left, amount: 100 })
        const url = price.purchase_url + EMAIL
        const agents = await Promise.all([0, 1, 2].map(() => place.agent(1000)))
        const signed = await Promise.all(agents.map(async (agent) => agent.sign(await termsOf(url))))
        const headers = all.map(({ payer, echoes }) => (echoes ? signed[payer]! : withoutExtensions(signed[payer]!)))
        const answers = await Promise.all(headers.map((header) => send(url, header)))
        const ends = agents.map((_, payer) => {
          const own = answers.filter((_, index) => all[index]!.payer === payer)
          return new Set(own.map(({ status, body }) => (status === 200 ? body.order.id : status)))
        })
        // The same payment gets the same answer, however often it is sent.
        expect(ends.map((end) => end.size <= 1)).toEqual([true, true, true])
        const found = ends.flatMap((end) => [...end])
        const bought = found.filter((end) => end !== 422)
        expect(bought).toHaveLength(Math.min(left, found.length))
        const sold = await soldBy(place, price)
        expect(sold.map(({ order }) => order).sort()).toEqual([...bought].sort())
        const spent = await Promise.all(agents.map(({ wallet }) => place.chain.centsOf(wallet.address)))
        expect(spent.filter((cents) => cents === 900)).toHaveLength(bought.length)
        expect(spent.filter((cents) => cents === 1000)).toHaveLength(3 - bought.length)
      })
      await fc.assert(races, { numRuns: times({ gate: 3, deep: 20 }), seed: SEED, endOnFailure: true })
    })

    it('is given its order when the answer was lost, and pays none of another account', async () => {
      const { shop } = place
      const price = await sale(place)
      const agent = await place.agent()
      const header = await agent.sign(await termsOf(price.purchase_url))
      const sending = place.node.hold(SENDING)
      const lost = new AbortController()
      const unanswered = fetch(price.purchase_url + EMAIL, {
        ...{ headers: { 'PAYMENT-SIGNATURE': header }, signal: lost.signal },
      }).catch(() => null)
      await sending.reached
      lost.abort()
      expect(await unanswered).toBe(null)
      const twin = shop.as(await shop.running.another('x402twin'))
      await place.enable(twin)
      const theirs = await priceForSale(twin, { amount: 2905 })
      const elsewhere = await send(theirs.purchase_url + EMAIL, header)
      expect([elsewhere.status, elsewhere.body.error]).toEqual([
        409,
        'This payment was sent for another checkout already. Sign a new one. Nothing was settled.',
      ])
      sending.release()
      const { status, body } = await send(price.purchase_url + EMAIL, header)
      expect([status, await soldBy(place, price)]).toEqual([
        200,
        [{ id: body.checkout, status: 'complete', order: body.order.id }],
      ])
      expect(await soldBy({ shop: twin } as X402Shop, theirs)).toEqual([])
    })
  })
})

onGateEngine(
  (shop) => {
    it('takes so many payments of a client a minute, whatever they are for, and shows terms to all', async () => {
      const wallet = { x402_enabled: true, x402_wallet_address: OTHER_WALLET, x402_chain: 'base-sepolia' }
      await shop.patch('/x402_configuration', wallet)
      const prices = [await priceForSale(shop), await priceForSale(shop), await priceForSale(shop)]
      const [one, two, three] = prices.map(({ purchase_url }) => purchase_url + EMAIL)
      expect([(await send(one!, 'nonsense')).status, (await send(two!, 'nonsense')).status]).toEqual([400, 400])
      const { status, body, headers } = await send(three!, 'nonsense')
      expect([status, body.error.code, Number(headers.get('retry-after'))]).toEqual([
        ...[429, 'rate_limit_exceeded', expect.any(Number)],
      ])
      for (const url of [one!, two!, three!]) expect((await send(url)).status).toBe(402)
    })
  },
  {
    ...{ X402_RPC_URLS: 'base-sepolia=http://127.0.0.1:9', X402_SETTLER_KEY: `0x${'1'.repeat(64)}` },
    CHECKOUT_POSTS_PER_MINUTE: '2',
  },
)
