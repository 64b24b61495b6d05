import { expect, it } from 'vitest'
import { pay, priceForSale } from '../support/sell.ts'
import { type Body, onEachEngine } from '../support/shop.ts'

const PAYERS = 16
const CREATORS = 64
const ROUNDS = 8
const DUE = '2099-01-31T00:00:00Z'
let people = 0

onEachEngine(
  (shop) => {
    const billFor = async (price: Body): Promise<Body> =>
      shop.post('/invoices', {
        ...{ price_variant: price.id, due_at: DUE, email_address: `raced-bill-${++people}@example.com` },
      })
    const ordersOf = (bill: Body) => shop.listed(`/orders?invoice=${bill.id}&limit=100`, 'status')
    const succeeded = (statuses: unknown[]) => statuses.filter((status) => status === 'succeeded').length
    /** How often what was tried went through. */
    const count = async (tries: Promise<unknown>[]) =>
      (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled').length

    it('number invoices without a gap, whatever is refused between them', { timeout: 120_000 }, async () => {
      const price = await priceForSale(shop)
      const before = await shop.listed('/invoices?limit=100')
      const answers = await Promise.all(
        Array.from({ length: CREATORS }, (_, index) =>
          shop.api('POST', '/invoices', {
            price_variant: price.id,
            due_at: DUE,
            email_address: index % 4 === 0 ? 'shared@example.com' : `numbered-${index}@example.com`,
            ...(index % 3 === 0 && { customer: 'cus_none' }),
          }),
        ),
      )
      const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.number)
      expect(made).toHaveLength(CREATORS - Math.ceil(CREATORS / 3))
      const expected = made.map((_, index) => `#${String(before.length + index + 1).padStart(8, '0')}`)
      expect(made.toSorted()).toEqual(expected)
    })

    it('leave no gap where a program is undone', async () => {
      const price = await priceForSale(shop)
      const first = await billFor(price)
      const program = shop.running.app.database.program({ account: shop.accountId })
      const caller = { accountId: shop.accountId, kind: 'token', userId: 'user_1', tokenId: 'tok_1' } as const
      const { status } = await shop.running.app.pipeline.run({
        caller: { ...caller, role: 'owner', right: 'write' },
        requestId: 'req_undone',
        method: 'POST',
        path: '/invoices',
        query: {},
        body: { price_variant: price.id, due_at: DUE, email_address: 'undone@example.com' },
        scope: program,
      })
      expect(status).toBe(201)
      await program.rollback()
      const second = await billFor(price)
      expect(Number(second.number.slice(1))).toBe(Number(first.number.slice(1)) + 1)
    })

    it('pay an invoice once between 16 who pay one checkout', { timeout: 120_000 }, async () => {
      const price = await priceForSale(shop, { quantity_available: 100 })
      const bill = await billFor(price)
      const open = await shop.post('/checkouts', { invoice: bill.id })
      expect(await count(Array.from({ length: PAYERS }, () => pay(shop, open.id)))).toBe(1)
      expect(succeeded(await ordersOf(bill))).toBe(1)
      expect(await shop.get(`/price_variants/${price.id}`)).toMatchObject({ quantity_available: 99 })
    })

    it('pay an invoice once between 16 with checkouts of their own', { timeout: 120_000 }, async () => {
      const price = await priceForSale(shop, { quantity_available: 100 })
      const bill = await billFor(price)
      const openAndPay = async () => pay(shop, (await shop.post('/checkouts', { invoice: bill.id })).id)
      await Promise.allSettled(Array.from({ length: PAYERS }, openAndPay))
      const rest = await shop.api('POST', '/checkouts', { invoice: bill.id })
      if (rest.status === 201) await pay(shop, rest.body.id)
      expect(succeeded(await ordersOf(bill))).toBe(1)
      expect(await shop.get(`/invoices/${bill.id}`)).toMatchObject({ status: 'paid', order: expect.any(String) })
      expect(await shop.get(`/price_variants/${price.id}`)).toMatchObject({ quantity_available: 99 })
    })

    it('void or pay an invoice: what is void before is never paid', { timeout: 120_000 }, async () => {
      const price = await priceForSale(shop)
      for (let round = 0; round < ROUNDS; round += 1) {
        const bill = await billFor(price)
        const open = await shop.post('/checkouts', { invoice: bill.id })
        const paying = () => pay(shop, open.id)
        const voiding = () => shop.post(`/invoices/${bill.id}/void`)
        const [first, second] = round % 2 === 0 ? [paying, voiding] : [voiding, paying]
        await Promise.allSettled([first(), second(), first()])
        const { status, paid_at, order } = await shop.get(`/invoices/${bill.id}`)
        expect(status).toBe('void')
        const paidOrders = succeeded(await ordersOf(bill))
        expect([paidOrders, paid_at !== null, order !== null]).toEqual(
          paidOrders === 1 ? [1, true, true] : [0, false, false],
        )
        expect(await shop.get(`/checkouts/${open.id}`)).toMatchObject({
          status: paidOrders === 1 ? 'complete' : 'abandoned',
        })
      }
    })
  },
  { RATE_LIMIT_BURST: '100000' },
)
