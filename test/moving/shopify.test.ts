import { beforeAll, describe, expect, it } from 'vitest'
import { type Body, onEachEngine, type Shop } from '../support/shop.ts'
import { type Imported, importInto, sample } from './importing.ts'

const FILES = [sample('shopify-orders'), sample('shopify-customers'), sample('shopify-products')]

describe('Importing from Shopify', () => {
  onEachEngine((shop) => {
    let dry: Imported
    let done: Imported
    let before: Record<string, number>

    beforeAll(async () => {
      await shop.customer({ email: 'known@example.com', name: 'Known Before' })
      before = await counts(shop)
      dry = await importInto(shop, 'shopify', FILES, { dry: true })
      expect(await counts(shop)).toEqual(before)
      done = await importInto(shop, 'shopify', FILES)
    })

    it('does what the dry run has said, which changed nothing', () => {
      expect(dry).toEqual(done)
      expect(done.reports).toMatchObject({
        'shopify-products': { made: 4, prices: 5, refused: 1, again: 0 },
        'shopify-customers': { made: 2, existing: 1, refused: 2 },
        'shopify-orders': { made: 4, customers: 1, products: 2, refused: 2, leftOut: 1 },
      })
    })

    it('names rows that it cannot take, and columns that it does not', () => {
      expect(done.remarks.filter((remark) => !remark.includes(' changed: '))).toEqual([
        'shopify-products:9 Variant Price refused: is no amount in usd; one is like 12.50 or 1,250.00',
        'shopify-customers:5 Email refused: is empty, and customers are known here by their e-mail address',
        'shopify-customers:6 Email refused: is not a valid e-mail address; an address is like ada@example.com',
        'shopify-orders:5  left_out: is pending at Shopify: only paid orders are taken',
        'shopify-orders:6 Email refused: is empty, and orders belong to customers, who are known here by their e-mail address',
        'shopify-orders:8 Created at refused: is no date; one is like 2024-03-05 or 2024-03-05 14:22:10 +0100',
      ])
      expect(done.reports['shopify-orders']!.columns.unknown).toEqual(['Custom Field'])
      expect(done.reports['shopify-products']!.columns.known).toContain('Cost per item')
    })

    it('makes products with a price for each variant, without what could run on pages', async () => {
      const mug = await shop.get('/products/harbour-mug')
      expect(mug).toMatchObject({ name: 'Harbour Mug', status: 'active', seo_title: 'Harbour Mug' })
      expect(mug.body_html).toContain('Stoneware')
      expect(mug.body_html).not.toContain('script')
      expect(mug.metadata).toMatchObject({
        vendor: 'Quayside Pottery',
        image_3: 'https://cdn.example.com/mug-shelf.jpg',
      })
      const { data: prices } = await shop.get(`/price_variants?product=${mug.id}`)
      expect(prices.map(({ name, amount, quantity_available }: Body) => [name, amount, quantity_available])).toEqual([
        ['Blue / Small', 1800, 14],
        ['Blue / Large', 2400, 0],
      ])
      expect(prices[0].discounted_from_amount).toBe(2200)
      expect(await shop.get('/products/sticker')).toMatchObject({ status: 'draft' })
      expect(await shop.get('/products/old-bowl')).toMatchObject({ status: 'archived' })
    })

    it('makes customers with tags, consent and addresses, and leaves those alone who are here', async () => {
      const { data } = await shop.get('/customers?email=maren@example.com&expand=tags')
      expect(data[0]).toMatchObject({ name: 'Maren Østergård', country: 'DK', phone_number: '+45 20 11 22 33' })
      expect(data[0].tags.map(({ name }: Body) => name).sort()).toEqual(['Accepts marketing', 'VIP', 'wholesale'])
      expect(data[0].metadata).toMatchObject({ accepts_email_marketing: 'yes', shopify_id: '7210448301122' })
      const josue = (await shop.get('/customers?query=pe%C3%B1a')).data[0]
      expect(josue).toMatchObject({ country: 'US', region: 'NV', metadata: { note: 'Calls first,\nthen visits' } })
      const known = (await shop.get('/customers?email=known@example.com')).data[0]
      expect(known).toMatchObject({ name: 'Known Before', tags: [] })
    })

    it('makes orders with their dates, whose lines add up to the unit', async () => {
      const { data } = await shop.get('/orders?channel=import&expand=line_items,customer&limit=100')
      expect(data.map(({ metadata }: Body) => metadata.order_number)).toEqual(['#1002', '#1001', '#1005', '#1007'])
      for (const order of data) {
        const sum = (name: string) => order.line_items.reduce((all: number, item: Body) => all + item[name], 0)
        for (const name of ['amount', 'amount_discount', 'amount_tax', 'amount_refunded', 'amount_tax_refunded'])
          expect([name, sum(name)]).toEqual([name, order[name]])
        expect(order).toMatchObject({ processor: 'none', charge: null, checkout: null })
      }
      const [, first] = data
      expect(first).toMatchObject({
        ...{ status: 'partially_refunded', amount: 5360, subtotal: 5050, amount_discount: 500, amount_tax: 810 },
        ...{ amount_refunded: 950, paid_at: '2025-03-05T13:22:10Z', created_at: '2025-03-05T13:20:00Z', country: 'DK' },
        customer: { email: 'maren@example.com', orders_count: 2, total_spend: 5360 - 950 + 950, customer_type: 'paid' },
      })
      expect(first.line_items.map(({ product_name, quantity }: Body) => [product_name, quantity])).toEqual([
        ['Harbour Mug', 2],
        ['Letter Set', 1],
        ['Shipping', 1],
      ])
      expect(data[2]).toMatchObject({ status: 'refunded', amount: 1200, currency: 'jpy', amount_refunded: 1200 })
      const vase = await shop.get(`/products/${data[0].line_items[0].product}`)
      expect(vase).toMatchObject({ name: 'Retired Vase', status: 'archived' })
    })

    it('counts them in the reports of their year, in any sequence', async () => {
      const rows = await shop.db
        .selectFrom('orders')
        .select(['paid_at', 'previous_paid_at'])
        .where('account_id', '=', shop.accountId)
        .where('currency', '=', 'usd')
        .orderBy('paid_at')
        .execute()
      expect(rows.map(({ previous_paid_at }) => previous_paid_at)).toEqual([null, '2024-11-24T10:00:00Z', null])
    })

    it('takes each row once', async () => {
      const after = await counts(shop)
      const again = await importInto(shop, 'shopify', FILES)
      expect(await counts(shop)).toEqual(after)
      expect(again.reports).toMatchObject({
        'shopify-products': { made: 0, again: 4 },
        'shopify-customers': { made: 0, existing: 0, again: 3 },
        'shopify-orders': { made: 0, customers: 0, products: 0, again: 4 },
      })
    })

    it('mails nothing, charges nothing and writes no event', async () => {
      const { events, emails, payments, charges, jobs, webhook_events } = await counts(shop)
      expect({ emails, payments, charges }).toEqual({ emails: 0, payments: 0, charges: 0 })
      expect({ events, jobs, webhook_events }).toEqual({
        events: before.events,
        jobs: before.jobs,
        webhook_events: before.webhook_events,
      })
    })

    it('cannot refund what was paid elsewhere, and says so', async () => {
      const [order] = await shop.listed('/orders?channel=import&status=succeeded')
      const { status, body } = await shop.api('POST', '/refunds', { order })
      expect([status, body.error.code]).toEqual([400, 'invalid_state'])
      expect(body.error.message).toContain('was imported')
    })

    it('takes the same rows into another account as its own', async () => {
      const other = shop.as(await shop.running.another('elsewhere'))
      const { reports } = await importInto(other, 'shopify', FILES)
      expect(reports['shopify-orders']).toMatchObject({ made: 4, again: 0 })
    })
  })
})

const TABLES = [
  ...(['products', 'price_variants', 'customers', 'tags', 'orders', 'order_items', 'events', 'emails'] as const),
  ...(['payments', 'charges', 'webhook_events', 'imported_rows', 'access_grants', 'jobs'] as const),
]

async function counts(shop: Shop): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const table of TABLES) {
    const rows = await shop.db.selectFrom(table).select('account_id').where('account_id', '=', shop.accountId).execute()
    found[table] = rows.length
  }
  return found
}
