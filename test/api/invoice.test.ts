import { beforeAll, describe, expect, it } from 'vitest'
import { addMonths } from '../../src/contract/values/months.ts'
import { pay, priceForSale } from '../support/sell.ts'
import { type Body, onEachEngine, type Shop } from '../support/shop.ts'

const DUE = '2099-01-31T00:00:00Z'
let people = 0
const address = () => `billed-${++people}@example.com`

onEachEngine((shop) => {
  const invoice = async (values: Record<string, unknown> = {}): Promise<Body> => {
    const { price_variant = (await priceForSale(shop)).id, ...more } = values
    const buyer = 'customer' in more ? {} : { email_address: address() }
    return shop.post('/invoices', { price_variant, due_at: DUE, ...buyer, ...more })
  }
  const checkoutOf = (bill: Body, more: object = {}): Promise<Body> =>
    shop.post('/checkouts', { invoice: bill.id, ...more })
  const typesOf = async (change: () => Promise<unknown>) => (await shop.eventsOf(change)).map(({ type }) => type)

  describe('Creating an invoice', () => {
    it('bills units of a price to an address, and makes its customer a lead', async () => {
      const price = await priceForSale(shop, { amount: 1250 })
      const events = await shop.eventsOf(async () => {
        const bill = await shop.post('/invoices', {
          ...{ price_variant: price.id, quantity: 3, due_at: DUE, description: 'Workshop' },
          ...{ email_address: 'Grace@Example.com', customer_name: 'Grace Hopper' },
        })
        expect(bill).toMatchObject({
          status: 'open',
          number: expect.stringMatching(/^#\d{8}$/),
          amount: 3750,
          currency: 'usd',
          quantity: 3,
          customer_name: 'Grace Hopper',
          email_address: 'grace@example.com',
          description: 'Workshop',
          collection_method: 'send_invoice',
          charge_buyer_fee: false,
          paid_at: null,
          order: null,
          allowed_actions: ['void'],
        })
        expect(bill.payment_url).toMatch(new RegExp(`^${shop.running.url}/pay/${bill.id}_secret_[\\w-]{43}$`))
        const { customer } = await shop.get(`/invoices/${bill.id}?expand=customer,price_variant`)
        expect(customer).toMatchObject({ email: 'grace@example.com', name: 'Grace Hopper', customer_type: 'lead' })
      })
      expect(events.map(({ type }) => type)).toEqual(
        expect.arrayContaining(['customer.created', 'lead.created', 'invoice.created']),
      )
    })

    it('bills a customer at the address and with the name that the customer has', async () => {
      const customer = await shop.customer({ name: 'Ada Lovelace' })
      const events = await typesOf(async () => {
        const bill = await invoice({ customer: customer.id })
        expect(bill).toMatchObject({
          customer: customer.id,
          customer_name: 'Ada Lovelace',
          email_address: customer.email,
        })
      })
      expect(events).not.toContain('customer.created')
      const elsewhere = await invoice({ customer: customer.id, email_address: 'accounting@example.com' })
      expect(elsewhere).toMatchObject({ customer: customer.id, email_address: 'accounting@example.com' })
    })

    it('finds the customer of an address, whose fields stay as they are', async () => {
      const customer = await shop.customer({ name: 'Ada Lovelace' })
      const bill = await invoice({ email_address: customer.email.toUpperCase(), customer_name: 'A. L., Ltd.' })
      expect(bill).toMatchObject({ customer: customer.id, customer_name: 'A. L., Ltd.' })
      expect(await shop.get(`/customers/${customer.id}`)).toMatchObject({ name: 'Ada Lovelace' })
    })

    it('bills custom prices at their preset, and subscriptions with their setup fee and without a trial', async () => {
      const custom = await priceForSale(shop, { amount_type: 'custom', amount: null, preset_amount: 700 })
      expect(await invoice({ price_variant: custom.id, quantity: 2 })).toMatchObject({ amount: 1400 })
      const club = await priceForSale(shop, {
        ...{ amount: 2000, billing_type: 'subscription', recurring_interval: 'month' },
        ...{ setup_fee_amount: 500, trial_period_days: 14 },
      })
      expect(await invoice({ price_variant: club.id, quantity: 2 })).toMatchObject({ amount: 4500 })
    })

    it('keeps the amount that it was made with', async () => {
      const price = await priceForSale(shop, { amount: 1000 })
      const bill = await invoice({ price_variant: price.id })
      await shop.patch(`/price_variants/${price.id}`, { amount: 2000 })
      expect(await shop.get(`/invoices/${bill.id}`)).toMatchObject({ amount: 1000 })
      expect(await checkoutOf(bill)).toMatchObject({ total: 1000 })
    })

    it('is refused over prices that cannot be billed', async () => {
      const archived = await priceForSale(shop)
      await shop.patch(`/price_variants/${archived.id}`, { archived: true })
      const open = { amount_type: 'custom', amount: null }
      const wrong = [
        [archived, 'is archived'],
        [await priceForSale(shop, { amount: 0 }), 'is free'],
        [await priceForSale(shop, open), 'is a custom price without preset_amount'],
        [await priceForSale(shop, { ...open, minimum_amount: 5 }), 'is a custom price without preset_amount'],
        [await priceForSale(shop, { ...open, preset_amount: 0 }), 'has a preset_amount of 0'],
      ]
      for (const [price, words] of wrong) {
        const body = { price_variant: price.id, due_at: DUE, email_address: address() }
        const { price_variant } = await shop.refusal('POST', '/invoices', body)
        expect(price_variant[0]).toContain(words)
      }
    })

    it('is refused over its other values, each at its field', async () => {
      const { id } = await priceForSale(shop, { amount: 99_999_999 })
      const good = { price_variant: id, due_at: DUE, email_address: address() }
      const refused = (change: object) => shop.refusal('POST', '/invoices', { ...good, ...change })
      expect(await refused({ due_at: '2020-01-01T00:00:00Z' })).toEqual({ due_at: ['must be in the future'] })
      expect(await refused({ quantity: 0 })).toEqual({ quantity: ['must be at least 1'] })
      expect(await refused({ quantity: 10_001 })).toEqual({ quantity: ['must be at most 10000'] })
      expect((await refused({ quantity: 2 })).quantity[0]).toContain('99999999')
      expect(await refused({ email_address: 'nobody' })).toHaveProperty('email_address')
      expect((await refused({ collection_method: 'charge_automatically' })).collection_method[0]).toContain(
        'no saved card',
      )
      expect(await refused({ description: 'x'.repeat(501) })).toHaveProperty('description')
      expect(await refused({ price_variant: 'price_none' })).toEqual([404, 'resource_missing', 'price_variant'])
      expect(await refused({ customer: 'cus_none' })).toEqual([404, 'resource_missing', 'customer'])
      expect(await refused({ price_variant: null })).toEqual([400, 'parameter_missing', 'price_variant'])
      expect(await refused({ due_at: null })).toEqual([400, 'parameter_missing', 'due_at'])
      expect(await refused({ email_address: null })).toEqual([400, 'parameter_missing', 'email_address'])
      expect(await refused({ email_address: null, due_at: '2020-01-01T00:00:00Z' })).toEqual({
        due_at: ['must be in the future'],
        email_address: ["can't be blank"],
      })
      expect(await invoice({ price_variant: id, charge_buyer_fee: true })).toMatchObject({ charge_buyer_fee: true })
    })

    it('is listed by status and customer', async () => {
      const bill = await invoice()
      expect(await shop.listed(`/invoices?customer=${bill.customer}`)).toEqual([bill.id])
      expect(await shop.listed(`/invoices?customer=${bill.customer}&status=paid`)).toEqual([])
      expect(await shop.listed('/invoices?customer=cus_none')).toEqual([])
      expect(await shop.refusal('GET', '/invoices?status=late')).toEqual([400, 'parameter_invalid', 'status'])
    })
  })

  it('keeps its customer and its price from being deleted', async () => {
    const bill = await invoice()
    const { product } = await shop.get(`/price_variants/${bill.price_variant}`)
    expect(await shop.refusal('DELETE', `/customers/${bill.customer}`)).toEqual([400, 'resource_in_use'])
    await shop.post(`/invoices/${bill.id}/void`)
    await shop.delete(`/customers/${bill.customer}`)
    expect(await shop.get(`/invoices/${bill.id}?expand=customer`)).toMatchObject({ customer: null })
    expect(await shop.refusal('DELETE', `/price_variants/${bill.price_variant}`)).toEqual([400, 'resource_in_use'])
    expect(await shop.refusal('DELETE', `/products/${product}`)).toEqual([400, 'resource_in_use'])
  })

  describe('In a test account', () => {
    let rehearsal: Shop
    beforeAll(async () => {
      rehearsal = shop.as(await shop.running.another('invoice-rehearsal', { test: true }))
    })
    const advance = (to: string) => shop.running.app.advanceClock(rehearsal.accountId, to)

    it('becomes past due at its due date by the clock, and can be paid all the same', async () => {
      const price = await priceForSale(rehearsal)
      const { created_at } = price
      const [due, before] = [addMonths(created_at, 1), addMonths(created_at, 2)]
      const body = { price_variant: price.id, due_at: due, email_address: address() }
      const [bill, paid, voided] = [
        await rehearsal.post('/invoices', body),
        await rehearsal.post('/invoices', body),
        await rehearsal.post('/invoices', body),
      ]
      await pay(rehearsal, (await rehearsal.post('/checkouts', { invoice: paid.id })).id)
      await rehearsal.post(`/invoices/${voided.id}/void`)
      const events = await rehearsal.eventsOf(() => advance(before))
      expect(events.filter(({ type }) => type.startsWith('invoice.'))).toMatchObject([
        { type: 'invoice.past_due', data: { id: bill.id, status: 'past_due', updated_at: due } },
      ])
      expect(await rehearsal.get(`/invoices/${paid.id}`)).toMatchObject({ status: 'paid' })
      expect(await rehearsal.get(`/invoices/${voided.id}`)).toMatchObject({ status: 'void' })
      expect(await rehearsal.refusal('POST', '/invoices', body)).toEqual({ due_at: ['must be in the future'] })
      await pay(rehearsal, (await rehearsal.post('/checkouts', { invoice: bill.id })).id)
      const { status, paid_at } = await rehearsal.get(`/invoices/${bill.id}`)
      expect([status, paid_at >= before]).toEqual(['paid', true])
    })

    it('has running numbers of its own', async () => {
      const price = await priceForSale(rehearsal)
      const numbers = (await rehearsal.listed('/invoices', 'number')).toReversed()
      const next = await rehearsal.post('/invoices', {
        ...{ price_variant: price.id, due_at: '2199-01-01T00:00:00Z', email_address: address() },
      })
      expect([...numbers, next.number]).toEqual(['#00000001', '#00000002', '#00000003', '#00000004'])
    })
  })
})
