import { strict as assert } from 'node:assert'
import { apply, execute, saysAmount, search, type Task } from './task.ts'

/** Whole jobs, as people describe them in one sentence. Each needs several resources or a helper of the sandbox. */
export const JOBS: readonly Task[] = [
  {
    name: 'revenue by month',
    ask: 'How much did we earn in each of the last six months, before refunds and with tax?',
    steps: [
      search('describe("revenue of each month")'),
      execute(`
        from = (in_zone.to_date << 5).then { |day| Date.new(day.year, day.month, 1) }
        report(from: from, to: in_zone.to_date, interval: "month", compare: "none")["currencies"].to_h do |one|
          [one["currency"], one["points"].to_h { |point| [point["from"], point["gross"]] }]
        end`),
    ],
    async check(shop, said) {
      const { timezone } = await shop.get('/account')
      const month = (at: string | Date) =>
        new Date(at).toLocaleDateString('en-CA', { timeZone: timezone, year: 'numeric', month: '2-digit' })
      const orders = await shop.all('/orders?status[]=succeeded&status[]=refunded&status[]=partially_refunded')
      const own = orders.filter(({ paid_at, currency }) => currency === 'usd' && month(paid_at) === month(new Date()))
      saysAmount(
        said,
        own.reduce((sum, { amount }) => sum + amount, 0),
      )
    },
  },
  {
    name: 'lapsed buyers tagged, and a code for them',
    ask: 'Tag everybody who has bought, but nothing in the last 90 days, with "Win-back", and make the code BACK10 for 10 % off.',
    steps: [
      search('describe("tag customers who have not bought anything for 90 days and make a discount code for them")'),
      execute(`
        recent = list("/orders", paid_at: { gte: Time.now - 90 * 86_400 }).map { |order| order["customer"] }.to_set
        lapsed = list("/customers", orders_count: { gt: 0 }).reject { |one| recent.include?(one["id"]) }
        lapsed.each { |one| post("/customers/#{one["id"]}/tags", tags: ["Win-back"]) }
        code = post("/discounts", code: "BACK10", discount_type: "percent_off", percent_off: 10)
        { tagged: lapsed.size, code: code["code"] }`),
    ],
    async check(shop) {
      const since = Date.now() - 90 * 86_400_000
      const orders = await shop.all('/orders')
      const recent = new Set(orders.filter(({ paid_at }) => Date.parse(paid_at) >= since).map((one) => one.customer))
      const bought = await shop.all('/customers?orders_count[gt]=0')
      const tagged = await shop.all('/customers?tag=win-back')
      assert.deepEqual(
        tagged.map(({ id }) => id),
        bought.filter(({ id }) => !recent.has(id)).map(({ id }) => id),
      )
      assert.equal((await shop.get('/discounts?code=BACK10')).data[0].percent_off, 10)
    },
  },
  {
    name: 'a campaign on three networks',
    ask: 'Announce the Field Guide on X, Bluesky and Threads, at nine in the morning (Berlin time) three days from now.',
    steps: [
      search('describe("schedule a post about a product on three networks at nine in the morning in Berlin")'),
      execute(`
        accounts = list("/social_accounts", status: "connected", platform: ["x", "bluesky", "threads"]).map { |one| one["id"] }
        link = list("/products", query: "Field Guide").first["url"]
        post("/social_posts", content: "Our field guide to paper.", link_url: link, social_accounts: accounts,
          scheduled_at: local("#{in_zone.to_date + 3} 09:00", zone: "Europe/Berlin")).slice("id", "status", "scheduled_at")`),
    ],
    async check(shop) {
      const [planned] = (await shop.get('/social_posts?limit=1')).data
      assert.deepEqual([planned.status, planned.social_accounts.length], ['scheduled', 3])
      const hour = new Date(planned.scheduled_at).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' })
      assert.equal(hour, '09:00:00')
    },
  },
  {
    name: 'two buyers billed until the end of a day',
    ask: 'Bill Mara Lind and Tom Okafor for a class license of the Field Guide each, due at the end of the day in two weeks.',
    steps: [
      search('describe("send invoices to two customers, due at the end of a day")'),
      execute(`
        license = list("/products", query: "Field Guide").first["price_variants"].find { |one| one["name"] == "Class license" }
        due = local("#{in_zone.to_date + 14} 23:59")
        %w[mara.lind@example.com tom.okafor@example.com].map do |email|
          post("/invoices", email_address: email, price_variant: license["id"], due_at: due).slice("number", "amount", "due_at")
        end`),
    ],
    async check(shop) {
      const bills = (await shop.get('/invoices?limit=2')).data
      assert.deepEqual(bills.map((one: { email_address: string }) => one.email_address).sort(), [
        'mara.lind@example.com',
        'tom.okafor@example.com',
      ])
      const { timezone } = await shop.get('/account')
      for (const { due_at } of bills)
        assert.match(new Date(due_at).toLocaleTimeString('en-GB', { timeZone: timezone }), /^23:59/)
    },
  },
  {
    name: 'a form that tags and asks for a confirmation',
    ask: 'Make a form "Ink circle" for an e-mail address and an evening (Tuesday or Thursday), with double opt-in, that tags people "Ink".',
    steps: [
      search('describe("a sign-up form with double opt-in that tags people")'),
      execute(`
        fields = [{ type: "email", label: "Email", required: true }, { type: "select", label: "Evening", options: %w[Tuesday Thursday] }]
        post("/forms", name: "Ink circle", fields: fields, tags: ["Ink"], confirmation_required: true)["url"]`),
    ],
    async check(shop) {
      const [form] = (await shop.get('/forms?limit=1')).data
      assert.deepEqual(
        [form.name, form.confirmation_required, form.fields[1].options],
        ['Ink circle', true, ['Tuesday', 'Thursday']],
      )
      assert.equal(form.tags.length, 1)
    },
  },
  {
    name: 'a task for each paid order, rehearsed',
    ask: 'Tag each buyer "Buyer" when an order is paid. Try it with the newest order first, then set it up.',
    steps: [
      search('describe("tag a customer whenever an order is paid")'),
      execute(`# dry_run: true
        prompt = "# ruby\\npost(\\"/customers/\\#{run[\\"event\\"][\\"data\\"][\\"customer\\"]}/tags\\", tags: [\\"Buyer\\"])"
        task = post("/tasks", name: "Tag buyers", prompt: prompt, trigger_type: "event", event_types: ["order.paid"])
        rehearse(task, data: get("/orders", status: "succeeded", limit: 1)["data"].first).slice("status")`),
      apply,
    ],
    async check(shop) {
      const [task] = (await shop.get('/tasks?limit=1')).data
      assert.deepEqual([task.name, task.event_types, task.active], ['Tag buyers', ['order.paid'], true])
    },
  },
  {
    name: 'all customers changed in the background',
    ask: 'Mark every customer with the metadata season: winter, in the background, and count those with and without orders.',
    steps: [
      search('describe("set metadata on thousands of customers in the background")'),
      execute(`# background: true
        each_batch(list("/customers"), of: 1000) do |rows|
          rows.each { |one| patch("/customers/#{one["id"]}", metadata: { season: "winter" }) }
          bought = rows.count { |one| one["orders_count"] > 0 }
          { bought: bought, others: rows.size - bought }
        end`),
    ],
    async check(shop, said) {
      const customers = await shop.all('/customers')
      assert.ok(customers.every(({ metadata }) => metadata.season === 'winter'))
      const bought = customers.filter((one) => one.orders_count > 0).length
      assert.ok(said.includes(`"bought":${bought},"others":${customers.length - bought}`))
    },
  },
  {
    name: 'codes for the best buyers',
    ask: 'Make a code for each of the three customers who spent most: 15 % off, usable once.',
    steps: [
      search('describe("discount codes for the customers who spent most, one each")'),
      execute(`
        list("/customers", total_spend: { gt: 0 }).max_by(3) { |one| one["total_spend"] }.map.with_index(1) do |one, place|
          code = post("/discounts", code: "BEST-#{place}", discount_type: "percent_off", percent_off: 15, max_redemptions: 1)
          [one["email"], code["code"]]
        end`),
    ],
    async check(shop, said) {
      const best = (await shop.all('/customers')).toSorted((one, other) => other.total_spend - one.total_spend)
      for (const { email } of best.slice(0, 3)) assert.ok(said.includes(email))
      const codes = (await shop.all('/discounts?query=BEST')).filter(({ max_redemptions }) => max_redemptions === 1)
      assert.equal(codes.length, 3)
    },
  },
]
