import { beforeAll, describe, expect, it } from 'vitest'
import { pay, priceForSale, sell } from '../../support/sell.ts'
import { type Body, onEachEngine, onGateEngine, type Shop } from '../../support/shop.ts'
import { FRANCE, SHOP, taxed } from './taxed-shop.ts'

onEachEngine((shop) => {
  describe('A sale with tax', () => {
    let seller: Shop
    let price: Body
    beforeAll(async () => {
      seller = await taxed(shop)
      price = await priceForSale(seller, { amount: 1190 }, { tax_code: 'txcd_10000000' })
    })
    const items = () => [{ price_variant: price.id, quantity: 2 }]

    it('includes it, where prices do: the total is the same', async () => {
      const order = await sell(seller, items(), { checkout: { country: 'de' } })
      expect(order).toMatchObject({
        ...{ amount: 2380, subtotal: 2380, amount_tax: 380, tax_inclusive: true, reverse_charge: false },
        ...{ country: 'DE', region: null, vat_id: null, amount_tax_refunded: 0 },
        tax_lines: [{ name: 'VAT', percent: 19, country: 'DE', inclusive: true, taxable_amount: 2000, amount: 380 }],
        line_items: [{ amount: 2380, amount_tax: 380, unit_amount: 1190, tax_code: 'txcd_10000000' }],
        charge: { amount: 2380 },
        customer: { country: 'DE', region: null },
      })
    })

    it('adds it, where prices do not, each of several by itself', async () => {
      const order = await sell(seller, items(), { checkout: { country: 'CA', region: 'qc' } })
      expect(order).toMatchObject({
        ...{ subtotal: 2380, amount_tax: 356, amount: 2736, tax_inclusive: false, region: 'QC' },
        tax_lines: [
          { name: 'GST', percent: 5, taxable_amount: 2380, amount: 119 },
          { name: 'QST', percent: 9.975, taxable_amount: 2380, amount: 237 },
        ],
        line_items: [{ amount: 2736, amount_tax: 356 }],
        charge: { amount: 2736 },
      })
    })

    it('returns exactly the whole tax with refunds in parts, and its share with each', async () => {
      const { id } = await sell(seller, items(), { checkout: { country: 'FR' } })
      const refunds = []
      for (const amount of [1, 999, 700, undefined]) refunds.push(await seller.post('/refunds', { order: id, amount }))
      const [order, taxes] = [await seller.get(`/orders/${id}?expand=line_items`), refunds.map((one) => one.amount_tax)]
      expect(order).toMatchObject({ amount: 2856, amount_tax: 476, amount_refunded: 2856, amount_tax_refunded: 476 })
      expect(taxes).toEqual([0, 167, 116, 193])
      expect(order.line_items).toMatchObject([{ amount_tax: 476, amount_tax_refunded: 476, amount_refunded: 2856 }])
    })

    it('charges a business elsewhere nothing, and takes the tax out of prices that include it', async () => {
      const order = await sell(seller, items(), { checkout: { country: 'DE', vat_id: 'de 136 695 976' } })
      expect(order).toMatchObject({
        ...{ amount: 2000, subtotal: 2000, amount_tax: 0, tax_lines: [], reverse_charge: true, vat_id: 'DE136695976' },
        line_items: [{ unit_amount: 1000, amount: 2000, amount_tax: 0 }],
      })
      const added = await sell(seller, items(), { checkout: { country: 'FR', vat_id: 'FR40303265045' } })
      expect(added).toMatchObject({ amount: 2380, amount_tax: 0, reverse_charge: true, tax_inclusive: false })
    })

    it('keeps the rates of the moment when the country was given', async () => {
      const open = await seller.post('/checkouts', { line_items: items(), email: 'early@example.com', country: 'FR' })
      expect(open).toMatchObject({ subtotal: 2380, amount_tax: 476, total: 2856 })
      await seller.patch('/account', { tax_rates: [{ ...FRANCE, percent: 50 }] })
      const paid = await pay(seller, open.id)
      await seller.patch('/account', SHOP)
      expect(paid).toMatchObject({ status: 'complete', amount_tax: 476, total: 2856 })
      expect(await seller.get(`/orders/${paid.order}`)).toMatchObject({ amount: 2856, tax_lines: [{ percent: 20 }] })
    })
  })
})

onGateEngine((shop) => {
  describe('A checkout with tax', () => {
    let seller: Shop
    let price: Body
    beforeAll(async () => {
      seller = await taxed(shop)
      price = await priceForSale(seller, { amount: 1000 })
    })
    const open = (more: object = {}) =>
      seller.post('/checkouts', { line_items: [{ price_variant: price.id }], email: 'buyer@example.com', ...more })

    it('is not paid before the country is known, nor before a region that rates have', async () => {
      const unplaced = await open()
      await expect(pay(seller, unplaced.id)).rejects.toMatchObject({
        details: { errors: { country: ["can't be blank"] } },
      })
      await seller.patch(`/checkouts/${unplaced.id}`, { country: 'CA' })
      await expect(pay(seller, unplaced.id)).rejects.toMatchObject({
        details: { errors: { region: ["can't be blank"] } },
      })
      await seller.patch(`/checkouts/${unplaced.id}`, { region: 'ON' })
      expect(await pay(seller, unplaced.id)).toMatchObject({ status: 'complete', amount_tax: 0, region: 'ON' })
    })

    it('is priced anew where its buyer moves, and keeps neither region nor VAT id of the former country', async () => {
      const { id } = await open({ country: 'CA', region: 'QC' })
      const moved = await seller.patch(`/checkouts/${id}`, { country: 'FR', vat_id: 'FR40303265045' })
      expect(moved).toMatchObject({ total: 1000, region: null, reverse_charge: true, tax_lines: [] })
      const again = await seller.patch(`/checkouts/${id}`, { country: 'DE' })
      expect(again).toMatchObject({ total: 1000, vat_id: null, reverse_charge: false, amount_tax: 160 })
      expect(await seller.patch(`/checkouts/${id}`, { country: null })).toMatchObject({ amount_tax: 0, tax_lines: [] })
    })

    it('says which places cannot be', async () => {
      const refused = (body: object) =>
        seller.refusal('POST', '/checkouts', { line_items: [{ price_variant: price.id }], ...body })
      expect(await refused({ country: 'XX' })).toEqual({
        country: ['must be the two letters of a country, like DE (ISO 3166-1)'],
      })
      expect(await refused({ country: 'DE', region: 'BY' })).toEqual({
        region: ['is not known of Germany; only US states and Canadian provinces are'],
      })
      expect(await refused({ country: 'DE', vat_id: 'DE136695978' })).toEqual({
        vat_id: ['is not a VAT id of Germany: its check digits do not fit'],
      })
      expect(await refused({ country: 'FR', vat_id: 'DE136695976' })).toEqual({
        vat_id: ['is not a VAT id of France; they look like FR40303265045'],
      })
      expect(await refused({ country: 'US', vat_id: '123' })).toEqual({
        vat_id: ['cannot be checked for United States; leave it out'],
      })
      expect(await refused({ vat_id: 'DE136695976' })).toEqual({ vat_id: ['needs a country'] })
    })

    it('takes the discount off before the tax', async () => {
      await seller.discount({ code: 'TENTH', percent_off: 10 })
      const lowered = await open({ country: 'FR', discount_code: 'TENTH' })
      expect(lowered).toMatchObject({ subtotal: 1000, amount_discount: 100, amount_tax: 180, total: 1080 })
    })

    it('exempts nobody in the own country, nor while the account names none', async () => {
      await seller.patch('/account', { country: 'FR', vat_id: null })
      expect(await open({ country: 'FR', vat_id: 'FR40303265045' })).toMatchObject({ amount_tax: 200 })
      await seller.patch('/account', { country: null })
      expect(await open({ country: 'DE', vat_id: 'DE136695976' })).toMatchObject({ amount_tax: 160 })
      await seller.patch('/account', SHOP)
    })

    it('is taxed where the customer is that it is made for, and changes no customer that was known', async () => {
      const customer = await seller.customer({ country: 'FR', vat_id: null })
      const { id } = await seller.post('/checkouts', {
        ...{ line_items: [{ price_variant: price.id }], customer: customer.id },
      })
      expect(await seller.patch(`/checkouts/${id}`, { country: 'DE' })).toMatchObject({ amount_tax: 160 })
      await pay(seller, id)
      expect(await seller.get(`/customers/${customer.id}`)).toMatchObject({ country: 'FR' })
    })

    it('completes a free one without a country', async () => {
      const free = await priceForSale(seller, { amount_type: 'free', amount: null })
      const got = await open({ line_items: [{ price_variant: free.id }] })
      expect(got).toMatchObject({ status: 'complete', total: 0, country: null })
    })
  })
})
