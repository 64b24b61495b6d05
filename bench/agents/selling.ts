import { strict as assert } from 'node:assert'
import { apply, execute, saysAmount, saysNumber, search, type Task } from './task.ts'

export const SELLING: readonly Task[] = [
  {
    name: 'a product with two prices',
    ask:
      'Add a product "Winter Cards", described as "Eight folded cards with envelopes.", with the prices "Set of 8" for $24.00 and ' +
      '"Set of 16" for $42.00, and publish it.',
    steps: [
      search('describe("POST /products", "POST /price_variants")'),
      execute(`
        product = post("/products", name: "Winter Cards", description: "Eight folded cards with envelopes.", status: "active")
        [["Set of 8", 2400], ["Set of 16", 4200]].each { |name, amount| post("/price_variants", product_id: product["id"], name: name, amount: amount, currency: "usd")["id"] }
        get("/products/#{product["id"]}").slice("id", "status", "url")`),
    ],
    async check(shop) {
      const product = await shop.get('/products/winter-cards')
      assert.equal(product.status, 'active')
      const prices = product.price_variants.map((one: { name: string; amount: number }) => [one.name, one.amount])
      assert.deepEqual(prices, [
        ['Set of 8', 2400],
        ['Set of 16', 4200],
      ])
    },
  },
  {
    name: 'revenue by product',
    ask: 'How much did each product earn in the last 90 days, before refunds, and which earned most?',
    steps: [
      search('describe("order", "order_item")'),
      execute(`
        items = list("/orders", status: "succeeded", paid_at: { gte: (Time.now - 90 * 86_400).utc.iso8601 }, expand: "line_items.product").flat_map { |order| order["line_items"] }
        items.group_by { |item| item["product"]["name"] }.map { |name, of| [name, of.sum { |item| item["amount"] }] }.sort_by { |_, sum| -sum }`),
    ],
    async check(shop, said) {
      const since = new Date(Date.now() - 90 * 86_400_000).toISOString()
      const sums = new Map<string, number>()
      const orders = await shop.all(`/orders?status=succeeded&paid_at[gte]=${since}&expand=line_items.product`)
      for (const { product, amount } of orders.flatMap((order) => order.line_items))
        sums.set(product.name, (sums.get(product.name) ?? 0) + amount)
      for (const sum of sums.values()) saysAmount(said, sum)
    },
  },
  {
    name: 'half of an order refunded',
    ask: 'Refund half of the newest paid order of ines.costa@example.com that cost money. Show me what would happen first, then do it.',
    steps: [
      search('describe("refund part of an order")'),
      execute(`# dry_run: true
        customer = list("/customers", email: "ines.costa@example.com").first
        order = list("/orders", customer: customer["id"], status: "succeeded").find { |one| one["amount"] > 0 && !one["subscription"] }
        post("/refunds", order: order["id"], amount: order["amount"] / 2).slice("order", "amount", "status")`),
      apply,
    ],
    async check(shop) {
      const [refund] = (await shop.get('/refunds?limit=1')).data
      const order = await shop.get(`/orders/${refund.order}?expand=customer`)
      assert.equal(order.customer.email, 'ines.costa@example.com')
      assert.equal(refund.amount, Math.floor(order.amount / 2))
    },
  },
  {
    name: 'who bought more than once',
    ask: 'How many customers have more than one order, and who of them spent most?',
    steps: [
      search('describe("customer")'),
      execute(`
        again = list("/customers", orders_count: { gt: 1 }).to_a
        { count: again.size, most: again.max_by { |one| one["total_spend"] }.slice("name", "email", "total_spend") }`),
    ],
    async check(shop, said) {
      const again = (await shop.all('/customers')).filter((one) => one.orders_count > 1)
      saysNumber(said, again.length)
      const most = again.toSorted((one, other) => other.total_spend - one.total_spend)[0]
      assert.ok(said.includes(most.name) || said.includes(most.email))
    },
  },
  {
    name: 'a discount for the winter',
    ask: 'Make the code WINTER20: 20 % off the Field Guide to Paper only, at most 50 times, until the end of 2030 (UTC).',
    steps: [
      search('describe("POST /discounts")'),
      execute(`
        post("/discounts", code: "WINTER20", discount_type: "percent_off", percent_off: 20, applies_to_product_ids: ["field-guide-to-paper"],
          max_redemptions: 50, redeem_by: "2031-01-01T00:00:00Z").slice("id", "code", "status")`),
    ],
    async check(shop) {
      const discount = (await shop.all('/discounts')).find((one) => one.code === 'WINTER20')
      const guide = await shop.get('/products/field-guide-to-paper')
      assert.equal(discount.percent_off, 20)
      assert.equal(discount.max_redemptions, 50)
      assert.deepEqual(discount.applies_to_product_ids, [guide.id])
      assert.match(discount.redeem_by, /^(2031-01-01T00:00:00Z|2030-12-31T23:59:59Z)$/)
    },
  },
  {
    name: 'a price raised by a tenth',
    ask: 'Raise the price of a seat on the printing day by 10 %, show me the plan, then apply it.',
    steps: [
      search('describe("raise the price of a product")'),
      execute(`# dry_run: true
        product = list("/products", query: "Printing Day").first
        old = product["price_variants"].first
        patch("/price_variants/#{old["id"]}", archived: true)["id"]
        post("/price_variants", product_id: product["id"], amount: old["amount"] * 110 / 100,
          **old.slice("name", "currency", "quantity_available").transform_keys(&:to_sym)).slice("name", "amount")`),
      apply,
    ],
    async check(shop) {
      const [product] = await shop.all('/products?query=Printing%20Day')
      assert.equal(product.price_variants[0].amount, 7150)
    },
  },
  {
    name: 'a checkout link',
    ask: 'I need a link to mail that sells the bookbinding course, with the code WELCOME10 already applied.',
    steps: [
      search('describe("POST /checkout_links")'),
      execute(`
        course = list("/products", query: "Bookbinding").first["price_variants"].first
        code = list("/discounts").find { |one| one["code"] == "WELCOME10" }
        post("/checkout_links", price_variants: [course["id"]], discount: code["id"])["url"]`),
    ],
    async check(shop, said) {
      const link = (await shop.all('/checkout_links?expand=discount')).find((one) => said.includes(one.url))
      assert.equal(link?.discount?.code, 'WELCOME10')
    },
  },
  {
    name: 'a draft published',
    ask: 'Publish the Calendar 2027 with 200 pieces in stock.',
    steps: [
      search('describe("publish a draft product", "price_variant")'),
      execute(`
        product = list("/products", query: "Calendar 2027").first
        patch("/price_variants/#{product["price_variants"].first["id"]}", quantity_available: 200)["id"]
        patch("/products/#{product["id"]}", status: "active").slice("status", "url")`),
    ],
    async check(shop) {
      const [product] = await shop.all('/products?query=Calendar%202027')
      assert.equal(product.status, 'active')
      assert.equal(product.price_variants[0].quantity_available, 200)
    },
  },
]
