import { beforeAll, describe, expect, it } from 'vitest'
import { type DashboardUser, memberOf, ownerOf } from '../../support/dashboard.ts'
import { priceForSale, sell } from '../../support/sell.ts'
import { type Body, onEachEngine } from '../../support/shop.ts'
import { execute } from '../../tasks/support.ts'

describe('The search over everything', () => {
  onEachEngine((shop) => {
    let owner: DashboardUser
    let order: Body

    const found = async (query: string, more: object = {}): Promise<string[]> =>
      (await owner.get('/search', { query, ...more })).data.map(({ kind, title }: Body) => `${kind}: ${title}`)

    beforeAll(async () => {
      owner = await ownerOf(shop)
      const price = await priceForSale(shop, { amount: 2900 }, { name: 'Ruby Handbook' })
      await shop.post('/customers', { email: 'ada.king@lovelace.example', name: 'Ada Lovelace' })
      order = await sell(shop, [{ price_variant: price.id, quantity: 2 }], {
        checkout: { email: 'ada.king@lovelace.example' },
      })
    })

    it('finds a customer by each word of the name and each part of the e-mail address, with the orders', async () => {
      const both = ['order: Ruby Handbook × 2', 'customer: Ada Lovelace']
      for (const query of ['ada', 'Lovel', 'lovelace ada', 'ADA LOVE', 'king@love', 'ada.king@lovelace.example'])
        expect([query, (await found(query)).sort()]).toEqual([query, both.toSorted()])
      expect(await found('ada rovelace')).toEqual([])
      expect(await found('vela')).toEqual([])
      expect(await found('example')).toEqual([])
    })

    it('shows what tells rows apart, and where their pages are', async () => {
      const { object, data } = await owner.get('/search', { query: order.id })
      expect(object).toBe('list')
      const { subdomain } = await shop.get('/account')
      expect(data).toEqual([
        {
          object: 'search_result',
          kind: 'order',
          id: order.id,
          title: 'Ruby Handbook × 2',
          detail: 'Ada Lovelace · $58.00 · succeeded',
          path: `/dashboard/${subdomain}/orders/${order.id}`,
        },
      ])
    })

    it('puts first what is exactly what was asked for: an address, a number, an id', async () => {
      expect((await found('ada.king@lovelace.example'))[0]).toBe('customer: Ada Lovelace')
      expect((await found('ruby handbook'))[0]).toBe('product: Ruby Handbook')
      expect(await found(order.id.slice(0, 20).toUpperCase())).toEqual(['order: Ruby Handbook × 2'])
      const due_at = '2099-01-01T00:00:00Z'
      const price_variant = order.line_items[0].price_variant
      const invoice = await shop.post('/invoices', { customer: order.customer.id, price_variant, due_at })
      const number = `invoice: Invoice ${invoice.number}`
      expect((await found(invoice.number))[0]).toBe(number)
      expect(await found(String(Number(invoice.number.slice(1))), { kind: 'invoice' })).toEqual([number])
      expect(await found('lovelace', { kind: 'invoice' })).toEqual([number])
    })

    it('finds orders by their products, and only the kind that is asked for', async () => {
      expect(await found('handb')).toEqual(['product: Ruby Handbook', 'order: Ruby Handbook × 2'])
      expect(await found('handb', { kind: 'order' })).toEqual(['order: Ruby Handbook × 2'])
      expect(await found('handb', { limit: 1 })).toHaveLength(1)
      expect((await owner.try('GET', '/search', undefined, { query: 'a', kind: 'secret' }))[0]).toBe(400)
    })

    it('knows no accents, cases, apostrophes or scripts', async () => {
      const [brulee, cyrillic] = [await shop.product({ name: 'Crème Brûlée' }), await shop.product({ name: 'Привет' })]
      const names = { email: 'obrien@people.example', name: 'Seán O’Brien' }
      await shop.post('/customers', names)
      for (const query of ['creme bru', 'CRÈME', 'brûlée', 'Crème\u0301'])
        expect([query, await found(query)]).toEqual([query, [`product: ${brulee.name}`]])
      expect(await found('privet')).toEqual([`product: ${cyrillic.name}`])
      expect(await found('при')).toEqual([`product: ${cyrillic.name}`])
      for (const query of ["o'brien", 'sean obrien', 'SEÁN'])
        expect([query, await found(query)]).toEqual([query, [`customer: ${names.name}`]])
    })

    it('follows what is created, renamed and deleted, in the transaction that does it', async () => {
      const { id } = await shop.product({ name: 'Walnut Board' })
      expect(await found('walnut')).toEqual(['product: Walnut Board'])
      await shop.patch(`/products/${id}`, { name: 'Cherry Board', slug: 'cherry-board' })
      expect(await found('walnut')).toEqual([])
      expect(await found('cherry bo')).toEqual(['product: Cherry Board'])
      await shop.patch(`/products/${id}`, { description: 'Of oak.' })
      expect(await found('board')).toEqual(['product: Cherry Board'])
      await shop.delete(`/products/${id}`)
      expect(await found('board')).toEqual([])
      const left = shop.db.selectFrom('search_entries').selectAll().where('id', '=', id)
      expect(await left.execute()).toEqual([])
    })

    it('finds discounts, links, forms, tags and tasks by what people call them', async () => {
      await shop.discount({ code: 'QUINCE25' })
      await shop.post('/checkout_links', { name: 'Quince link', price_variants: [order.line_items[0].price_variant] })
      await shop.post('/forms', { name: 'Quince form', fields: [{ type: 'email', label: 'E-mail', required: true }] })
      await shop.tag({ name: 'Quince tag' })
      await shop.post('/tasks', {
        name: 'Quince task',
        prompt: 'Greet.',
        trigger_type: 'event',
        event_types: ['order.paid'],
      })
      const kinds = [
        'discount: QUINCE25',
        'checkout_link: Quince link',
        'form: Quince form',
        'tag: Quince tag',
        'task: Quince task',
      ]
      expect(await found('quince')).toEqual(kinds)
      expect(await found('quince', { limit: 3 })).toEqual(kinds.slice(0, 3))
    })

    it('never shows what another account has', async () => {
      const other = shop.as(await shop.running.another('searched-shop'))
      const stranger = await ownerOf(other)
      for (const query of ['ada', 'ruby handbook', order.id, order.customer.id, order.line_items[0].product])
        expect([query, (await stranger.get('/search', { query })).data]).toEqual([query, []])
      await other.product({ name: 'Ruby Handbook' })
      const { data } = await stranger.get('/search', { query: 'ruby' })
      expect(data).toMatchObject([{ kind: 'product', title: 'Ruby Handbook' }])
      expect(data[0].path).toMatch(/^\/dashboard\/searched-shop\/products\//)
    })

    it('takes any text for words, but for what no text of the API may hold', async () => {
      const hostile = [
        ...[
          '"',
          "'; drop table orders; --",
          'NEAR(ada king)',
          'ada AND',
          'ada*',
          '*',
          '%',
          '_',
          '\\',
          '-',
          '(',
          ')',
          '{',
        ],
        ...['^ada', 'name:ada', 'ada OR 1=1', '\u{1f600}', '☃ ☃', 'a'.repeat(10_000), 'ada '.repeat(2_500)],
        ...[`ord_${'z'.repeat(26)}`, 'ord_0000', 'cus_%', '１２', 'ﬁle', 'ada\nking', 'ada\tking'],
      ]
      for (const query of hostile) {
        const [status, body] = await owner.try('GET', '/search', undefined, { query })
        expect([query.slice(0, 50), status]).toEqual([query.slice(0, 50), 200])
        expect(body.data.every(({ kind }: Body) => typeof kind === 'string')).toBe(true)
      }
      for (const query of [' ', '\u0000', 'ada\u0000king', '\ud800', 'a'.repeat(12_001)])
        expect((await owner.try('GET', '/search', undefined, { query }))[0]).toBe(400)
      expect(await found('%')).toEqual([])
      expect((await found('ada*')).toSorted()).toEqual((await found('ada')).toSorted())
      expect((await found('ada\nking')).toSorted()).toEqual((await found('ada king')).toSorted())
    })

    it('is for whoever may read, and finds only what they may read', async () => {
      const member = await memberOf(shop, 'member')
      expect((await member.get('/search', { query: 'ada' })).data).toEqual(
        (await owner.get('/search', { query: 'ada' })).data,
      )
      const { pipeline, database } = shop.running.app
      const buyer = { kind: 'buyer', accountId: shop.accountId, checkoutId: 'co_0' } as const
      const asBuyer = { method: 'GET', path: '/search', query: { query: 'ada' }, body: undefined, dashboard: true }
      expect((await pipeline.run({ ...asBuyer, caller: buyer })).status).toBe(403)
      const nouns = pipeline.nouns.filter(({ name }) => name === 'customer' || name === 'order')
      const readable = (caller: typeof buyer | DashboardUser['caller']) =>
        pipeline.contexts.look(database, caller, async (context) => nouns.map((noun) => context.mayRead(noun)))
      expect(await readable(buyer)).toEqual([false, false])
      expect(await readable(member.caller)).toEqual([true, true])
    })

    it('is a word of programs, which find what they have written, and a dry run as well', async () => {
      const program = `
        post("/products", name: "Maple Spoon")
        [find_anything("maple sp").map { |row| row["title"] }, find_anything("ruby", kind: "product", limit: 1).size]`
      for (const first of ['# dry_run: true\n', '']) {
        const body = await execute(shop, first + program)
        expect(body).toMatchObject({ result: [['Maple Spoon'], 1] })
      }
      expect(await found('maple')).toEqual(['product: Maple Spoon'])
      const refused = await execute(shop, 'find_anything("a", kind: "secret")')
      expect(refused.error).toMatchObject({ type: 'refused', line: 1, message: expect.stringContaining('kind') })
      const others = await execute(shop, 'path = "/search"\n[get(path, query: "a")["error"]["code"]]')
      expect(others.result).toEqual(['resource_missing'])
      expect((await shop.api('GET', '/search?query=a')).status).toBe(404)
    })

    it('is a call of its program like any other, which the log of runs has', async () => {
      await execute(shop, '# Looks about\n3.times { find_anything("-") }')
      const logged = async () => {
        const { data } = await owner.get('/runs', { limit: 5 })
        const run = data.find(({ code }: Body) => code.startsWith('# Looks about'))
        return run && owner.get(`/runs/${run.id}`)
      }
      await expect.poll(logged).toMatchObject({ calls_count: 3, outcome: 'succeeded' })
      expect((await logged()).calls[0]).toMatchObject({ method: 'GET', path: '/search', status: 200 })
    })
  })
})
