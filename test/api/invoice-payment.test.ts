import { describe, expect, it } from 'vitest'
import { addMonths } from '../../src/contract/values/months.ts'
import { settleById } from '../../src/resources/sales/payment/settle.ts'
import { asBuyer, openInvoice } from '../support/opening.ts'
import { DECLINED, pay, priceForSale } from '../support/sell.ts'
import { type Body, onEachEngine, type Shop } from '../support/shop.ts'

const DUE = '2099-01-31T00:00:00Z'
const SECOND_STEP = '4000002500003155'
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
  /** Mails are written by jobs, at whatever moment. */
  const typesOf = async (change: () => Promise<unknown>) =>
    (await shop.eventsOf(change)).map(({ type }) => type).filter((type) => !type.startsWith('email.'))

  describe('Paying an invoice', () => {
    it('marks it paid by its order, and tells of it in order', async () => {
      const bill = await invoice({ quantity: 2 })
      const open = await checkoutOf(bill, { success_url: 'https://shop.example/thanks' })
      expect(open).toMatchObject({
        ...{ invoice: bill.id, customer: bill.customer, email: bill.email_address, total: 2000 },
        checkout_items: [{ price_variant: bill.price_variant, quantity: 2 }],
      })
      const events = await typesOf(async () => {
        expect(await pay(shop, open.id)).toMatchObject({ status: 'complete' })
      })
      expect(events).toEqual(['order.created', 'order.paid', 'invoice.paid', 'checkout.completed'])
      const paid = await shop.get(`/invoices/${bill.id}?expand=order,customer`)
      expect(paid).toMatchObject({ status: 'paid', paid_at: expect.any(String) })
      expect(paid.order).toMatchObject({ invoice: bill.id, customer: paid.customer.id, amount: 2000 })
      expect(paid.customer).toMatchObject({ customer_type: 'paid', orders_count: 1, total_spend: 2000 })
      expect(await shop.listed(`/orders?invoice=${bill.id}`)).toEqual([paid.order.id])
    })

    it('starts a subscription without its trial', async () => {
      const club = await priceForSale(shop, {
        ...{ amount: 2000, billing_type: 'subscription', recurring_interval: 'month' },
        ...{ setup_fee_amount: 500, trial_period_days: 14 },
      })
      const done = await pay(shop, (await checkoutOf(await invoice({ price_variant: club.id }))).id)
      const order = await shop.get(`/orders/${done.order}?expand=line_items`)
      expect(order).toMatchObject({ amount: 2500, subscription: done.subscription })
      expect(order.line_items).toMatchObject([{ unit_amount: 2000, setup_fee_amount: 500, amount: 2500 }])
      const [row] = await shop.db.selectFrom('subscriptions').selectAll().where('id', '=', done.subscription).execute()
      expect(row).toMatchObject({ status: 'active', trial_ends_at: null, payments_count: 1 })
      expect(row!.current_period_end).toBe(addMonths(row!.current_period_start!, 1))
    })

    it('goes on whatever becomes of product and price, and takes stock when it is paid', async () => {
      const price = await priceForSale(shop, { quantity_available: 3 })
      const bill = await invoice({ price_variant: price.id, quantity: 2 })
      expect(await shop.get(`/price_variants/${price.id}`)).toMatchObject({ quantity_available: 3 })
      await shop.patch(`/products/${price.product}`, { status: 'archived' })
      await shop.patch(`/price_variants/${price.id}`, { archived: true })
      expect(await pay(shop, (await checkoutOf(bill)).id)).toMatchObject({ status: 'complete' })
      expect(await shop.get(`/price_variants/${price.id}`)).toMatchObject({ quantity_available: 1 })
      const late = await shop.post('/invoices', {
        ...{ price_variant: (await priceForSale(shop, { quantity_available: 1 }, { status: 'draft' })).id },
        ...{ quantity: 2, due_at: DUE, email_address: address() },
      })
      await expect(checkoutOf(late).then(({ id }) => pay(shop, id))).rejects.toMatchObject({
        details: { errors: { 'line_items.0.price_variant': ['has only 1 left'] } },
      })
      expect(await shop.get(`/invoices/${late.id}`)).toMatchObject({ status: 'open' })
    })

    it('by a new checkout abandons the others', async () => {
      const bill = await invoice()
      const first = await checkoutOf(bill)
      const events = await typesOf(() => checkoutOf(bill))
      expect(events).toEqual(['checkout.abandoned', 'checkout.created'])
      expect(await shop.get(`/checkouts/${first.id}`)).toMatchObject({ status: 'abandoned', allowed_actions: [] })
      await expect(pay(shop, first.id)).rejects.toThrow('abandoned')
    })

    it('leaves alone a checkout that is being paid, and refuses to be paid by another meanwhile', async () => {
      const bill = await invoice()
      const first = await checkoutOf(bill)
      await pay(shop, first.id, { card: SECOND_STEP })
      const second = await checkoutOf(bill)
      expect(await shop.get(`/checkouts/${first.id}`)).toMatchObject({ status: 'open' })
      await expect(pay(shop, second.id)).rejects.toThrow('is already being paid')
    })

    it('can be tried again when the card is declined', async () => {
      const bill = await invoice()
      const open = await checkoutOf(bill)
      expect(await pay(shop, open.id, { card: DECLINED })).toMatchObject({ status: 'open' })
      expect(await shop.get(`/invoices/${bill.id}`)).toMatchObject({ status: 'open', order: null })
      expect(await pay(shop, open.id)).toMatchObject({ status: 'complete' })
      expect(await shop.listed(`/orders?invoice=${bill.id}`, 'status')).toEqual(['succeeded', 'failed'])
    })

    it('is that of its buyer and its line alone', async () => {
      const bill = await invoice()
      const code = await shop.discount()
      const refused = (more: object) => shop.refusal('POST', '/checkouts', { invoice: bill.id, ...more })
      expect(await refused({ email: 'other@example.com' })).toHaveProperty('email')
      expect(await refused({ customer: (await shop.customer()).id })).toHaveProperty('customer')
      expect(await refused({ discount_code: code.code })).toHaveProperty('discount_code')
      expect(await refused({ line_items: [{ price_variant: bill.price_variant }] })).toHaveProperty('invoice')
      const open = await checkoutOf(bill, { email: bill.email_address, customer: bill.customer })
      const changed = (body: object) => shop.refusal('PATCH', `/checkouts/${open.id}`, body)
      expect(await changed({ line_items: [{ price_variant: bill.price_variant }] })).toHaveProperty('line_items')
      expect(await changed({ discount_code: code.code })).toHaveProperty('discount_code')
      expect(await changed({ email: 'other@example.com' })).toHaveProperty('email')
      expect(await shop.refusal('POST', '/checkouts', { invoice: 'inv_none' })).toEqual([
        404,
        'resource_missing',
        'invoice',
      ])
    })

    it('counts for the customer who was billed, whatever address the bill went to', async () => {
      const customer = await shop.customer()
      const bill = await invoice({ customer: customer.id, email_address: address() })
      const open = await checkoutOf(bill)
      await shop.patch(`/checkouts/${open.id}`, { email: bill.email_address })
      await pay(shop, open.id)
      expect(await shop.get(`/customers/${customer.id}`)).toMatchObject({ orders_count: 1 })
      expect(await shop.listed(`/customers?email=${bill.email_address}`)).toEqual([])
    })

    it('by its payment_url opens one checkout, however often it is opened', async () => {
      const bill = await invoice()
      const first = await openInvoice(shop, bill.id)
      expect(first).toMatchObject({ invoice: bill.id, status: 'open', email: bill.email_address })
      expect((await openInvoice(shop, bill.id)).id).toBe(first.id)
      await pay(shop, first.id, { card: SECOND_STEP })
      await checkoutOf(bill)
      expect((await openInvoice(shop, bill.id)).id).toBe(first.id)
      await shop.post(`/invoices/${bill.id}/void`)
      await expect(openInvoice(shop, bill.id)).rejects.toMatchObject({ code: 'validation_failed' })
    })
  })

  describe('Voiding an invoice', () => {
    it('abandons its open checkouts, and cannot be undone', async () => {
      const bill = await invoice()
      const open = await checkoutOf(bill)
      const events = await typesOf(async () => {
        expect(await shop.post(`/invoices/${bill.id}/void`)).toMatchObject({
          status: 'void',
          voided_at: expect.any(String),
          paid_at: null,
          allowed_actions: ['void'],
        })
      })
      expect(events).toEqual(['checkout.abandoned', 'invoice.voided'])
      expect(await shop.get(`/checkouts/${open.id}`)).toMatchObject({ status: 'abandoned' })
      expect(await shop.refusal('POST', '/checkouts', { invoice: bill.id })).toEqual({
        invoice: ['is void; only open and past due invoices can be paid'],
      })
      const before = await shop.get(`/invoices/${bill.id}`)
      const again = await typesOf(async () => expect(await shop.post(`/invoices/${bill.id}/void`)).toEqual(before))
      expect(again).toEqual([])
    })

    it('leaves what was paid as it is', async () => {
      const bill = await invoice()
      const { order } = await pay(shop, (await checkoutOf(bill)).id)
      const paid = await shop.get(`/invoices/${bill.id}`)
      const [before, grants] = [await shop.get(`/orders/${order}?expand=charge`), await grantsOf(shop, order)]
      expect(await shop.post(`/invoices/${bill.id}/void`)).toMatchObject({
        ...{ status: 'void', order, paid_at: paid.paid_at, voided_at: expect.any(String) },
      })
      expect(await shop.get(`/orders/${order}?expand=charge`)).toEqual(before)
      expect(await grantsOf(shop, order)).toEqual(grants)
      expect(grants).toMatchObject([{ ends_at: null }])
    })

    it('gives up a payment that is under way', async () => {
      const price = await priceForSale(shop, { quantity_available: 1 })
      const bill = await invoice({ price_variant: price.id })
      const open = await checkoutOf(bill)
      await pay(shop, open.id, { card: SECOND_STEP })
      expect(await shop.get(`/price_variants/${price.id}`)).toMatchObject({ quantity_available: 0 })
      const events = await typesOf(() => shop.post(`/invoices/${bill.id}/void`))
      expect(events).toEqual(['order.failed', 'checkout.abandoned', 'invoice.voided'])
      expect(await shop.get(`/price_variants/${price.id}`)).toMatchObject({ quantity_available: 1 })
      expect(await shop.listed(`/orders?invoice=${bill.id}`, 'status')).toEqual(['failed'])
      expect(await shop.get(`/checkouts/${open.id}`)).toMatchObject({ status: 'abandoned' })
    })

    it('sends back money that arrives after all', async () => {
      const bill = await invoice()
      await pay(shop, (await checkoutOf(bill)).id, { card: SECOND_STEP })
      await shop.post(`/invoices/${bill.id}/void`)
      const payments = shop.db.selectFrom('payments').selectAll().where('invoice', '=', bill.id)
      const [payment] = await payments.execute()
      const arrived = { state: 'succeeded', reference: payment!.reference!, method: null } as const
      const events = await typesOf(() => asBuyer(shop, (context) => settleById(context, payment!.id, arrived)))
      expect(events).toEqual([])
      expect(await payments.execute()).toMatchObject([{ status: 'returned' }])
      expect(await shop.get(`/invoices/${bill.id}`)).toMatchObject({ status: 'void', paid_at: null, order: null })
      const { data } = await shop.get(`/orders?invoice=${bill.id}&expand=customer`)
      expect(data).toMatchObject([{ status: 'failed', customer: { orders_count: 0, total_spend: 0 } }])
      const charges = shop.db.selectFrom('charges').select('status').where('payment', '=', payment!.id).orderBy('id')
      expect(await charges.execute()).toEqual([{ status: 'failed' }, { status: 'refunded' }])
    })
  })
})

function grantsOf(shop: Shop, order: string) {
  return shop.db.selectFrom('access_grants').selectAll().where('order_id', '=', order).execute()
}
