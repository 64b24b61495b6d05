import { strict as assert } from 'node:assert'
import { apply, execute, saysAmount, saysNumber, search, type Task } from './task.ts'

export const BILLING: readonly Task[] = [
  {
    name: 'good customers tagged',
    ask: 'Tag all customers who spent more than $100 with "Big". Plan it first, then apply.',
    steps: [
      search('describe("tag customers")'),
      execute(`# dry_run: true
        list("/customers", total_spend: { gt: 10_000 }).map { |one| post("/customers/#{one["id"]}/tags", tags: ["Big"])["name"] }`),
      apply,
    ],
    async check(shop) {
      for (const { total_spend, tags } of await shop.all('/customers?expand=tags'))
        assert.equal(
          tags.some(({ name }: { name: string }) => name === 'Big'),
          total_spend > 10_000,
        )
    },
  },
  {
    name: 'a subscription ended',
    ask: 'Mara Lind wants to leave. Cancel her active membership at the end of the period and note "moved" as the reason.',
    steps: [
      search('describe("cancel a subscription")'),
      execute(`
        mara = list("/customers", email: "mara.lind@example.com").first
        subscription = list("/subscriptions", customer: mara["id"], status: "active").first
        post("/subscriptions/#{subscription["id"]}/cancel", reason: "moved").slice("status", "canceled", "ends_at")`),
    ],
    async check(shop) {
      const [mara] = await shop.all('/customers?email=mara.lind@example.com')
      const subscription = (await shop.all(`/subscriptions?customer=${mara.id}`))[0]
      assert.equal(subscription.canceled, true)
      assert.equal(subscription.cancellation_reason, 'moved')
    },
  },
  {
    name: 'an invoice',
    ask: 'Bill Yuki Sato for three class licenses of the Field Guide, due in 14 days.',
    steps: [
      search('describe("POST /invoices")'),
      execute(`
        license = list("/products", query: "Field Guide").first["price_variants"].find { |one| one["name"] == "Class license" }
        yuki = list("/customers", email: "yuki.sato@example.com").first
        post("/invoices", customer: yuki["id"], price_variant: license["id"], quantity: 3, due_at: (Time.now + 14 * 86_400).utc.iso8601).slice("number", "amount", "status", "payment_url")`),
    ],
    async check(shop) {
      const [invoice] = (await shop.get('/invoices?limit=1&expand=customer')).data
      assert.deepEqual([invoice.customer.name, invoice.quantity, invoice.amount], ['Yuki Sato', 3, 14_400])
    },
  },
  {
    name: 'what is overdue',
    ask: 'Which invoices are past due, and how much is owed on them together?',
    steps: [
      search('describe("GET /invoices")'),
      execute(`
        late = list("/invoices", status: "past_due").to_a
        { owed: late.sum { |one| one["amount"] }, invoices: late.map { |one| one.slice("number", "customer_name", "amount", "due_at") } }`),
    ],
    async check(shop, said) {
      const late = await shop.all('/invoices?status=past_due')
      for (const { number } of late) assert.ok(said.includes(number))
      saysAmount(
        said,
        late.reduce((sum, one) => sum + one.amount, 0),
      )
    },
  },
  {
    name: 'an invoice voided',
    ask: 'Void the invoice that has been past due for longest.',
    steps: [
      search('describe("POST /invoices/{id}/void")'),
      execute(
        'invoice = list("/invoices", status: "past_due").min_by { |one| one["due_at"] }\npost("/invoices/#{invoice["id"]}/void").slice("number", "status")',
      ),
    ],
    async check(shop) {
      assert.deepEqual(await shop.all('/invoices?status=past_due'), [])
    },
  },
  {
    name: 'payments that fail',
    ask: 'How many subscriptions could not be charged, and how much is a period of them worth together?',
    steps: [
      search('describe("subscription")'),
      execute(`
        failed = list("/subscriptions", status: ["past_due", "unpaid"]).to_a
        { count: failed.size, amount: failed.sum { |one| one["amount"] } }`),
    ],
    async check(shop, said) {
      const failed = (await shop.all('/subscriptions')).filter((one) => ['past_due', 'unpaid'].includes(one.status))
      saysNumber(said, failed.length)
      saysAmount(
        said,
        failed.reduce((sum, one) => sum + one.amount, 0),
      )
    },
  },
]
