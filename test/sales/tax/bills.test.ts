import { beforeAll, describe, expect, it } from 'vitest'
import { type Rehearsal, rehearse } from '../../support/rehearsal.ts'
import { pay, priceForSale, sell } from '../../support/sell.ts'
import { type Body, onGateEngine, type Shop } from '../../support/shop.ts'
import { FRANCE, GERMANY, SHOP, taxed } from './taxed-shop.ts'

onGateEngine((shop) => {
  describe('An invoice with tax', () => {
    let seller: Shop
    let price: Body
    beforeAll(async () => {
      seller = await taxed(shop)
      price = await priceForSale(seller, { amount: 1000 })
    })
    const bill = (more: object) => ({
      price_variant: price.id,
      due_at: '2099-01-01T00:00:00Z',
      email_address: 'b@example.com',
      ...more,
    })

    it('is fixed when it is made, and paid as it was made', async () => {
      const invoice = await seller.post('/invoices', bill({ country: 'FR', quantity: 2 }))
      expect(invoice).toMatchObject({ amount: 2400, amount_tax: 400, tax_lines: [{ name: 'TVA', amount: 400 }] })
      await seller.patch('/account', { tax_rates: [] })
      const checkout = await seller.post('/checkouts', { invoice: invoice.id })
      expect(checkout).toMatchObject({ total: 2400, amount_tax: 400, country: 'FR' })
      expect(await seller.refusal('PATCH', `/checkouts/${checkout.id}`, { country: 'DE' })).toEqual({
        country: ['is fixed by an invoice and cannot be changed'],
      })
      const { order } = await pay(seller, checkout.id)
      await seller.patch('/account', SHOP)
      expect(await seller.get(`/orders/${order}`)).toMatchObject({ amount: 2400, amount_tax: 400, invoice: invoice.id })
      expect(await seller.get(`/invoices/${invoice.id}`)).toMatchObject({
        status: 'paid',
        amount: 2400,
        amount_tax: 400,
      })
    })

    it('needs the country, which may be the customer’s', async () => {
      expect(await seller.refusal('POST', '/invoices', bill({ email_address: 'new@example.com' }))).toEqual({
        country: ["can't be blank"],
      })
      const { id } = await seller.customer({ country: 'DE', vat_id: 'DE136695976' })
      const exempt = await seller.post('/invoices', bill({ customer: id, email_address: undefined }))
      expect(exempt).toMatchObject({ amount: 840, amount_tax: 0, reverse_charge: true, vat_id: 'DE136695976' })
    })
  })

  describe('A subscription with tax', () => {
    let life: Rehearsal
    beforeAll(async () => {
      life = await rehearse(shop)
      await life.shop.patch('/account', SHOP)
    })
    const taxes = async (id: string) => (await life.orders(id)).map(({ amount, amount_tax }) => [amount, amount_tax])

    it('renews with the rate of the day where tax is on top', async () => {
      const { id } = await life.subscribe({ amount: 1000 }, { country: 'FR' })
      await life.pastPeriod(id)
      await life.shop.patch('/account', { tax_rates: [{ ...FRANCE, percent: 10 }] })
      await life.pastPeriod(id)
      await life.shop.patch('/account', { tax_rates: [{ ...FRANCE, inclusive: true }] })
      await life.pastPeriod(id)
      await life.shop.patch('/account', SHOP)
      expect(await taxes(id)).toEqual([
        [1200, 200],
        [1200, 200],
        [1100, 100],
        [1200, 200],
      ])
    })

    it('never costs more than was agreed where tax was included, or was not charged', async () => {
      const included = await life.subscribe({ amount: 1190 }, { country: 'DE' })
      const untaxed = await life.subscribe({ amount: 1200 }, { country: 'CH' })
      const rates = [
        { ...GERMANY, percent: 25, inclusive: false },
        { ...FRANCE, country: 'CH', percent: 20 },
      ]
      await life.shop.patch('/account', { tax_rates: rates })
      await life.pastPeriod(included.id)
      await life.shop.patch('/account', SHOP)
      expect(await taxes(included.id)).toEqual([
        [1190, 190],
        [1190, 238],
      ])
      expect(await taxes(untaxed.id)).toEqual([
        [1200, 0],
        [1200, 200],
      ])
    })

    it('is taxed where its customer has moved', async () => {
      const { id, customer } = await life.subscribe({ amount: 1000 }, { country: 'FR' })
      await life.shop.patch(`/customers/${customer}`, { vat_id: 'FR40303265045' })
      await life.pastPeriod(id)
      const [, renewal] = await life.orders(id)
      expect(renewal).toMatchObject({ amount: 1000, amount_tax: 0, reverse_charge: true, vat_id: 'FR40303265045' })
    })

    it('without a country renews as before, whatever rates there are by then', async () => {
      await life.shop.patch('/account', { tax_rates: [] })
      const { id } = await life.subscribe({ amount: 1000 })
      await life.shop.patch('/account', SHOP)
      await life.pastPeriod(id)
      expect(await taxes(id)).toEqual([
        [1000, 0],
        [1000, 0],
      ])
    })
  })

  describe('The rates of an account', () => {
    const refusalOf = (tax_rates: object[]) => shop.refusal('PATCH', '/account', { tax_rates })

    it('are taken as they are, with what is left out', async () => {
      const seller = await taxed(shop, { tax_rates: [{ country: 'us', region: 'ny', percent: 8.875 }] })
      expect((await seller.get('/account')).tax_rates).toEqual([
        { country: 'US', region: 'NY', percent: 8.875, name: 'Tax', inclusive: false, tax_code: null },
      ])
    })

    it('are refused with the place and the reason of each fault', async () => {
      expect(await refusalOf([GERMANY, { country: 'FR', percent: 7.00001 }])).toEqual({
        'tax_rates.1.percent': ['can have at most 4 decimals'],
      })
      expect(await refusalOf([{ country: 'Germany', percent: 101 }])).toEqual({
        'tax_rates.0.country': ['must be the two letters of a country, like DE (ISO 3166-1)'],
        'tax_rates.0.percent': ['must be at most 100'],
      })
      expect(await refusalOf([GERMANY, { ...GERMANY, tax_code: 'books', inclusive: false }])).toEqual({
        'tax_rates.1.inclusive': ['must be true, as in the other rates of DE'],
      })
      expect(await refusalOf([GERMANY, GERMANY])).toEqual({
        'tax_rates.1.name': ['names a rate of the same place twice; rates of one place are added up'],
      })
      expect(await refusalOf([{ ...GERMANY, region: 'BY' }])).toEqual({
        'tax_rates.0.region': ['is not known of Germany; US states and Canadian provinces are'],
      })
    })

    it('change nothing where there are none', async () => {
      const price = await priceForSale(shop, { amount: 1000 })
      const order = await sell(shop, [{ price_variant: price.id }])
      expect(order).toMatchObject({ amount: 1000, amount_tax: 0, tax_lines: [], tax_inclusive: false, country: null })
    })
  })
})
