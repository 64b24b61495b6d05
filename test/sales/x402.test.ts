import {
  extractDiscoveryInfo,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from '@x402/extensions/bazaar'
import { describe, expect, it } from 'vitest'
import { dashboardOf, ownerOf } from '../dashboard/operations/visitor.ts'
import { gateEngines } from '../support/app.ts'
import { PLAYED } from '../support/chain.ts'
import { priceForSale } from '../support/sell.ts'
import type { Body } from '../support/shop.ts'
import { decoded, onX402, send, type X402Shop } from '../support/x402-shop.ts'

/** A product whose buyers get a file. */
async function book({ shop }: X402Shop): Promise<Body> {
  const { id, upload_url } = await shop.post('/files', { filename: 'book.epub' })
  expect((await fetch(upload_url, { method: 'PUT', body: 'abcdefghij' })).status).toBe(200)
  const file = await shop.post(`/files/${id}/uploaded`)
  const body = { name: 'The book', item_type: 'download', files: [file.id] }
  const experience = await dashboardOf(shop, ownerOf(shop))('POST', '/experiences', { body })
  expect(experience.status).toBe(201)
  return priceForSale(shop, { amount: 2905, experience_ids: [experience.body.id] }, { name: 'Café guide' })
}

function itBuys(place: X402Shop): void {
  it('buys a product over a checkout that the API made, and downloads its file', async () => {
    const { shop, chain } = place
    const agent = await place.agent()
    const price = await book(place)
    const line_items = [{ price_variant: price.id, quantity: 2 }]
    const checkout = await shop.post('/checkouts', { line_items, email: 'agent@example.com' })
    const { status, body, settlement } = await agent.pay(checkout.url)
    expect([status, body]).toEqual([
      200,
      {
        object: 'x402_receipt',
        checkout: checkout.id,
        order: {
          ...{ id: expect.stringMatching(/^ord_/), status: 'succeeded', amount: 5810, currency: 'usd' },
          paid_at: expect.any(String),
          line_items: [{ product_name: 'Café guide', price_variant_name: 'Default', quantity: 2, amount: 5810 }],
        },
        payment: {
          ...{ payer: agent.wallet.address, network: 'eip155:84532' },
          transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        },
        receipt_sent_to: 'agent@example.com',
        access: expect.anything(),
      },
    ])
    expect(settlement).toEqual({ success: true, ...body.payment })

    const [{ files, url }] = body.access.experiences
    expect(files).toEqual([{ name: 'book.epub', content_type: expect.any(String), size: 10, url: expect.any(String) }])
    expect(await (await fetch(files[0].url)).text()).toBe('abcdefghij')
    expect((await fetch(url)).status).toBe(200)

    expect(await chain.centsOf(place.wallet.address)).toBe(5810)
    expect(await chain.centsOf(agent.wallet.address)).toBe(10_000 - 5810)
    expect(await shop.get(`/checkouts/${checkout.id}`)).toMatchObject({
      ...{ status: 'complete', processor: 'x402', order: body.order.id, x402: null },
    })
    const order = await shop.get(`/orders/${body.order.id}?expand=charge`)
    expect(order).toMatchObject({ status: 'succeeded', processor: 'x402', amount: 5810 })
    expect(order.charge).toMatchObject({
      ...{ processor: 'x402', status: 'succeeded', processor_reference: body.payment.transaction },
      ...{ payer: agent.wallet.address, network: 'eip155:84532' },
    })
  })

  it('is given what it bought, and nothing else of the customer whose e-mail it gave', async () => {
    const { shop } = place
    const price = await book(place)
    const bought = async () => {
      const line_items = [{ price_variant: price.id }]
      const { url } = await shop.post('/checkouts', { line_items, email: 'somebody@example.com' })
      return (await (await place.agent()).pay(url)).body
    }
    const [one, other] = [await bought(), await bought()]
    expect(one.access.url).not.toBe(other.access.url)
    expect(one.access.url).toContain(`/access/${one.order.id}/`)
    const swapped = one.access.url.replace(one.order.id, other.order.id)
    expect([(await fetch(one.access.url)).status, (await fetch(swapped)).status]).toEqual([200, 404])
  })

  it('has the same answer to the same payment, which is settled once', async () => {
    const { shop, chain } = place
    const agent = await place.agent()
    const { id, url } = await place.checkout()
    const header = await agent.sign(decoded((await send(url)).headers.get('payment-required')!))
    const [before, sent] = [await chain.centsOf(place.wallet.address), await chain.sentBy(place.settler.address)]
    const first = await send(url, header)
    expect(first.status).toBe(200)
    const again = await send(url, header)
    expect([again.status, again.body, again.settlement]).toEqual([200, first.body, first.settlement])
    expect(await shop.listed(`/orders?customer=${(await shop.get(`/checkouts/${id}`)).customer}`)).toContain(
      first.body.order.id,
    )
    expect(await chain.centsOf(place.wallet.address)).toBe(before + 2905)
    expect(await chain.sentBy(place.settler.address)).toBe(sent + 1)
  })
}

describe('An agent with the client of x402', () => {
  onX402(gateEngines, 'facilitator', itBuys)
  onX402(gateEngines, 'signed tokens', (place) => {
    itBuys(place)
    it('reads how to buy a price in its terms, as does the catalogue of the facilitator', async () => {
      const { id, purchase_url: url } = await priceForSale(place.shop, { amount: 2905 }, { name: 'Tea' })
      const { headers, body: terms } = await send(url)
      const { bazaar } = terms.extensions
      expect([validateDiscoveryExtension(bazaar), validateDiscoveryExtensionSpec(bazaar)]).toEqual([
        ...[{ valid: true }, { valid: true }],
      ])
      // nginx takes headers of 4 KB from a service, all together.
      expect([...headers].join('\r\n').length).toBeLessThan(4000)

      const facilitator = place.facilitator!
      facilitator.payloads.length = 0
      expect((await (await place.agent()).pay(`${url}?email=agent@example.com`)).status).toBe(200)
      const listed = facilitator.payloads.map((payload) => extractDiscoveryInfo(payload, payload.accepted))
      expect(listed).toEqual(
        Array(2).fill(
          expect.objectContaining({
            ...{ resourceUrl: `${place.shop.running.url}/buy/${id}`, description: 'Tea', method: 'GET' },
            ...{ mimeType: 'application/json', extensions: { bazaar } },
          }),
        ),
      )
      const hidden = await priceForSale(place.shop, { amount: 2905, hidden: true })
      expect(Object.keys((await send(hidden.purchase_url)).body.extensions)).toEqual(['purchase'])
      facilitator.payloads.length = 0
      await (await place.agent()).pay(`${hidden.purchase_url}?email=agent@example.com`)
      for (const { resource, extensions } of facilitator.payloads)
        expect([resource, extensions]).toEqual([undefined, undefined])
      const { url: checkout } = await place.checkout()
      expect((await send(checkout)).body.extensions).toBeUndefined()
    })
  })
})

describe('An agent with the client of x402', () => {
  onX402(gateEngines, 'own key', (place) => {
    itBuys(place)
    it('is answered 402 with the terms that the API shows, and people see the page', async () => {
      const { shop } = place
      const { id, url } = await place.checkout()
      const { x402 } = await shop.get(`/checkouts/${id}`)
      for (const Accept of ['*/*', 'application/json', '']) {
        const { status, headers, body } = await send(url, undefined, { Accept })
        expect(status).toBe(402)
        const required = decoded(headers.get('payment-required')!)
        expect(required).toEqual({ ...x402, error: 'Payment is required.' })
        expect(body).toEqual({ ...required, how_to_pay: expect.stringContaining('PAYMENT-SIGNATURE') })
        expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer'])
      }
      expect(x402.accepts).toEqual([
        {
          ...{ scheme: 'exact', network: 'eip155:84532', amount: '29050000', asset: PLAYED.asset },
          ...{ payTo: place.wallet.address, maxTimeoutSeconds: 300, extra: { name: 'USDC', version: '2' } },
        },
      ])
      const page = await send(url, undefined, { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(page.body).toContain('PAYMENT-SIGNATURE')
    })

    it('is answered with the page where USDC cannot pay', async () => {
      const { shop } = place
      const free = await place.checkout({ currency: 'eur' })
      expect((await send(free.url)).headers.get('content-type')).toBe('text/html; charset=utf-8')
      await shop.patch('/x402_configuration', { x402_enabled: false })
      const off = await place.checkout()
      expect((await send(off.url)).headers.get('content-type')).toBe('text/html; charset=utf-8')
      await place.enable(shop)
      expect((await send(off.url)).status).toBe(402)
    })

    it('is asked for the e-mail address that the checkout lacks, and pays with it', async () => {
      const { shop } = place
      const { id, url } = await place.checkout({}, { email: null })
      const { status, body } = await send(url)
      expect([status, body.error.code, body.error.errors]).toEqual([
        ...[422, 'validation_failed'],
        { email: ["can't be blank: add ?email=… to the address, for the receipt"] },
      ])
      const unread = (await send(`${url}?email=nobody`)).body.error.errors
      expect(unread).toEqual({ email: ['is not a valid e-mail address'] })
      const paid = await (await place.agent()).pay(`${url}?email=Late@Example.com`)
      expect([paid.status, paid.body.receipt_sent_to]).toEqual([200, 'late@example.com'])
      expect((await shop.get(`/checkouts/${id}`)).email).toBe('late@example.com')
    })

    it('is asked for the country where tax depends on it, and pays the total with tax', async () => {
      const { shop, chain } = place
      const rates = [
        { country: 'DE', percent: 19, inclusive: true },
        { country: 'FR', percent: 20 },
        { country: 'US', region: 'CA', percent: 7.25 },
      ]
      await shop.patch('/account', { country: 'AT', tax_rates: rates })
      const { id, url, x402 } = await place.checkout()
      expect(x402).toBe(null)
      const refused = async (search: string) => {
        const { status, headers, body } = await send(`${url}${search}`)
        return [status, headers.get('payment-required'), body.error.errors]
      }
      const country = ["can't be blank: add ?country=DE to the address, since tax depends on it"]
      const region = ["can't be blank: add ?region=CA to the address, since tax depends on it"]
      expect(await refused('')).toEqual([422, null, { country }])
      expect(await refused('?country=US')).toEqual([422, null, { region }])
      expect(await refused('?country=Germany')).toEqual([
        422,
        null,
        { country: [expect.stringContaining('two letters')] },
      ])
      const asked = async (search: string) => (await send(`${url}${search}`)).body.accepts[0].amount
      expect(await asked('?country=DE')).toBe('29050000')
      expect(await asked('?country=de&vat_id=DE136695976')).toBe('24410000')
      expect(await asked('?country=FR')).toBe('34860000')
      expect(await asked('?country=US&region=CA')).toBe('31160000')
      const [before, agent] = [await chain.centsOf(place.wallet.address), await place.agent()]
      const cheaper = await agent.sign((await send(`${url}?country=DE`)).body)
      expect((await send(`${url}?country=FR`, cheaper)).status).toBe(402)
      const paid = await agent.pay(`${url}?country=FR`)
      expect([paid.status, paid.body.order.amount]).toEqual([200, 3486])
      expect(await chain.centsOf(place.wallet.address)).toBe(before + 3486)
      expect(await shop.get(`/orders/${paid.body.order.id}`)).toMatchObject({ amount_tax: 581, country: 'FR' })
      expect(await shop.get(`/checkouts/${id}`)).toMatchObject({ status: 'complete', total: 3486, country: 'FR' })
      const known = await place.checkout({}, { country: 'FR' })
      expect([known.x402.accepts[0].amount, (await send(known.url)).body.accepts[0].amount]).toEqual(
        Array(2).fill('34860000'),
      )
      await shop.patch('/account', { country: null, tax_rates: [] })
    })

    it('is told what became of a checkout that is no longer open', async () => {
      const { shop } = place
      const { url } = await place.checkout()
      const agent = await place.agent()
      await agent.pay(url)
      expect(await send(url)).toMatchObject({ status: 200, body: { status: 'complete' } })
      const late = await agent.sign((await place.checkout()).x402)
      expect(await send(url, late)).toMatchObject({ status: 409, body: { status: 'complete' }, settlement: null })
      const expired = await place.checkout()
      await shop.set('checkouts', expired.id, { expires_at: '2026-01-01T00:00:00Z' })
      expect(await send(expired.url)).toMatchObject({ status: 410, body: { status: 'expired' } })
      expect(await send(expired.url, await agent.sign(expired.x402))).toMatchObject({ status: 410 })
      expect(await place.chain.centsOf(agent.wallet.address)).toBe(10_000 - 2905)
    })

    it('is given no refund by the service, which says what to do instead', async () => {
      const { shop } = place
      const agent = await place.agent()
      const { body } = await agent.pay((await place.checkout()).url)
      const { status, body: refused } = await shop.api('POST', '/refunds', { order: body.order.id, amount: 905 })
      expect([status, refused.error.code]).toEqual([400, 'invalid_state'])
      expect(refused.error.message).toBe(
        `This order was paid in USDC straight to your wallet, so it cannot be refunded from here. Send $9.05 in USDC on eip155:84532 from your wallet to ${agent.wallet.address}, the wallet that paid, and note it in the metadata of the customer. The order stays as it is.`,
      )
      expect(await shop.listed(`/refunds?order=${body.order.id}`)).toEqual([])
      expect((await shop.get(`/orders/${body.order.id}`)).status).toBe('succeeded')
    })
  })
})
