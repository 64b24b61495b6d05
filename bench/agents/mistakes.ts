import { strict as assert } from 'node:assert'
import { apply, execute, mistake, saysNumber, search, type Task } from './task.ts'

/** Tasks that begin with a typical mistake of agents. The error must contain enough information to correct it. */
export const MISTAKES: readonly Task[] = [
  {
    name: 'a path that is not there',
    ask: 'Add a product "Bone folder" for $12.00.',
    steps: [
      mistake('post("/product", name: "Bone folder")["id"]', /\/products/),
      execute(
        'product = post("/products", name: "Bone folder")\npost("/price_variants", product_id: product["id"], amount: 1200, currency: "usd")["id"]',
      ),
    ],
    async check(shop) {
      assert.equal((await shop.get('/products/bone-folder')).price_variants[0].amount, 1200)
    },
  },
  {
    name: 'put instead of patch',
    ask: 'Describe the Bone folder as "Smooth and hard."',
    steps: [
      mistake('put("/products/bone-folder", description: "Smooth and hard.")', /patch/),
      execute('patch("/products/bone-folder", description: "Smooth and hard.")["description"]'),
    ],
    async check(shop) {
      assert.equal((await shop.get('/products/bone-folder')).description, 'Smooth and hard.')
    },
  },
  {
    name: 'an amount with decimals',
    ask: 'Add a price "Pair" of $20.00 to the Bone folder.',
    steps: [
      mistake(
        'post("/price_variants", product_id: "bone-folder", name: "Pair", amount: 20.5, currency: "usd")["id"]',
        /minor|integer|whole/i,
      ),
      execute('post("/price_variants", product_id: "bone-folder", name: "Pair", amount: 2000, currency: "usd")["id"]'),
    ],
    async check(shop) {
      const amounts = (await shop.get('/products/bone-folder')).price_variants.map(
        (one: { amount: number }) => one.amount,
      )
      assert.deepEqual(amounts, [1200, 2000])
    },
  },
  {
    name: 'a filter of another name',
    ask: 'How many orders succeeded?',
    steps: [
      mistake('list("/orders", state: "succeeded").count', /status/),
      execute('list("/orders", status: "succeeded").count'),
    ],
    async check(shop, said) {
      saysNumber(said, (await shop.all('/orders?status=succeeded')).length)
    },
  },
  {
    name: 'a value that is not in the list',
    ask: 'How many orders succeeded?',
    steps: [
      mistake('list("/orders", status: "paid").count', /succeeded/),
      execute('list("/orders", status: "succeeded").count'),
    ],
    async check(shop, said) {
      saysNumber(said, (await shop.all('/orders?status=succeeded')).length)
    },
  },
  {
    name: 'a field of another name',
    ask: 'What did all orders that succeeded come to, in cents and before refunds?',
    steps: [
      mistake('list("/orders", status: "succeeded").sum { |one| one["total"] }', /"?amount"?|total/),
      execute('list("/orders", status: "succeeded").sum { |one| one["amount"] }'),
    ],
    async check(shop, said) {
      const orders = await shop.all('/orders?status=succeeded')
      saysNumber(
        said,
        orders.reduce((sum, one) => sum + one.amount, 0),
      )
    },
  },
  {
    name: 'a refusal that nobody looked at',
    ask: 'Make the products "Awl" and "Press board", both drafts.',
    steps: [
      mistake(
        'post("/products", name: "Awl")\npost("/products", name: "Press board", status: "hidden")\nnil',
        /status/,
      ),
      execute('%w[Awl Press\\ board].map { |name| post("/products", name: name)["slug"] }'),
    ],
    async check(shop) {
      const found = (await shop.all('/products?status=draft')).filter((one) =>
        ['Awl', 'Press board'].includes(one.name),
      )
      assert.equal(found.length, 2)
    },
  },
  {
    name: 'a syntax error',
    ask: 'How many tags are there?',
    steps: [
      mistake('list("/tags").map { |tag| tag["name"] ', /line|end-of-input|expected/i),
      execute('list("/tags").count'),
    ],
    async check(shop, said) {
      saysNumber(said, (await shop.all('/tags')).length)
    },
  },
  {
    name: 'a page taken for the list',
    ask: 'How many orders are there, whatever came of them?',
    steps: [mistake('get("/orders")["data"].size', /has_more|next page|list\(/), execute('list("/orders").count')],
    async check(shop, said) {
      saysNumber(said, (await shop.all('/orders')).length)
    },
  },
  {
    name: 'a plan that was overtaken',
    ask: 'Give every draft product without a description the description "Soon." Plan it, then apply it.',
    steps: [
      search('describe("product")'),
      execute(`# dry_run: true
        list("/products", status: "draft").reject { |one| one["description"] }.map { |one| patch("/products/#{one["id"]}", description: "Soon.")["name"] }`),
      execute('post("/products", name: "Paste brush")["id"]'),
      { ...apply, code: (answers) => `# apply: ${answers[1]!.body.plan}`, repair: /plan_outdated/ },
      execute(`# dry_run: true
        list("/products", status: "draft").reject { |one| one["description"] }.map { |one| patch("/products/#{one["id"]}", description: "Soon.")["name"] }`),
      apply,
    ],
    async check(shop) {
      for (const { description } of await shop.all('/products?status=draft')) assert.ok(description)
    },
  },
]
