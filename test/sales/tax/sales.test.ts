import { beforeAll, describe, expect, it } from 'vitest'
import { type Rehearsal, rehearse } from '../../support/rehearsal.ts'
import { pay, priceForSale, sell } from '../../support/sell.ts'
import { type Body, onEachEngine, onGateEngine, type Shop } from '../../support/shop.ts'

const GERMANY = { country: 'DE', percent: 19, name: 'VAT', inclusive: true }
const FRANCE = { country: 'FR', percent: 20, name: 'TVA', inclusive: false }
const QUEBEC = [
  { country: 'CA', region: 'QC', percent: 5, name: 'GST' },
  { country: 'CA', region: 'QC', percent: 9.975, name: 'QST' },
]
const SHOP = { country: 'AT', vat_id: 'ATU13585627', tax_rates: [GERMANY, FRANCE, ...QUEBEC] }

/** Another account of the service, which charges tax. */
async function taxed(shop: Shop, settings: Record<string, unknown> = SHOP): Promise<Shop> {
  const other = (await rehearse(shop)).shop
  await other.patch('/account', settings)
  return other
}

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
