import { strict as assert } from 'node:assert'
import { execute, saysNumber, search, type Task } from './task.ts'

export const PUBLISHING: readonly Task[] = [
  {
    name: 'a post for tomorrow',
    ask: 'Schedule "Winter cards are here." on Bluesky and Threads for 9 in the morning (shop time) of 5 March next year. Use any picture that we have.',
    steps: [
      search('describe("schedule a social post")'),
      execute(`
        accounts = list("/social_accounts", status: "connected").select { |one| %w[bluesky threads].include?(one["platform"]) }
        picture = list("/files").find { |one| %w[image/png image/jpeg].include?(one["content_type"]) && one["upload_status"] == "ready" }
        post("/social_posts", content: "Winter cards are here.", media: [picture["id"]], social_accounts: accounts.map { |one| one["id"] },
          scheduled_at: local("#{Time.now.year + 1}-03-05 09:00")).slice("id", "status", "scheduled_at")`),
    ],
    async check(shop) {
      const post = (await shop.all('/social_posts')).find((one) => one.content === 'Winter cards are here.')
      assert.equal(post.status, 'scheduled')
      assert.equal(post.scheduled_at, `${new Date().getFullYear() + 1}-03-05T14:00:00Z`)
      assert.equal(post.social_accounts.length, 2)
    },
  },
  {
    name: 'a form',
    ask: 'Make a form "Open studio" that asks for an e-mail address (required), a name, and which day: Saturday or Sunday.',
    steps: [
      search('describe("POST /forms")'),
      execute(`
        post("/forms", name: "Open studio", fields: [{ type: "email", label: "Email", required: true }, { type: "text", label: "Name" },
          { type: "select", label: "Which day?", options: ["Saturday", "Sunday"] }]).slice("id", "url", "status")`),
    ],
    async check(shop) {
      const form = (await shop.all('/forms')).find((one) => one.name === 'Open studio')
      const [email, , day] = form.fields
      assert.deepEqual([email.type, email.required, day.options], ['email', true, ['Saturday', 'Sunday']])
    },
  },
  {
    name: 'answers counted',
    ask: 'How many people answered the form about the calendar, and which bird was chosen most often?',
    steps: [
      search('describe("form_submission")'),
      execute(`
        form = list("/forms").find { |one| one["name"].include?("calendar") }
        answers = list("/form_submissions", form: form["id"]).to_a
        { answers: answers.size, birds: answers.flat_map { |one| one["answers"].find { |answer| answer["label"] == "Your birds" }["value"] }.tally }`),
    ],
    async check(shop, said) {
      const form = (await shop.all('/forms')).find((one) => one.name.includes('calendar'))
      saysNumber(said, form.submissions_count)
    },
  },
  {
    name: 'a report each Monday',
    ask: 'Every Monday at 8 in the morning, shop time, count the orders of the last seven days with a Ruby program. Call the task "Weekly count".',
    steps: [
      search('describe("POST /tasks")'),
      execute(`
        program = "# ruby\\nlist('/orders', status: 'succeeded', paid_at: { gte: (Time.now - 7 * 86_400).utc.iso8601 }).count"
        post("/tasks", name: "Weekly count", prompt: program, trigger_type: "schedule", cron_expression: "0 8 * * 1",
          timezone: get("/account")["timezone"]).slice("id", "next_run_at", "active")`),
    ],
    async check(shop) {
      const task = (await shop.all('/tasks')).find((one) => one.name === 'Weekly count')
      assert.deepEqual(
        [task.cron_expression.replace(/MON/i, '1'), task.timezone, task.active],
        ['0 8 * * 1', 'America/New_York', true],
      )
      assert.match(task.prompt, /^# ruby/)
    },
  },
  {
    name: 'a webhook',
    ask: 'Tell https://hooks.example.com/orders of every paid order and every refund.',
    steps: [
      search('describe("webhook_endpoint", "event_type")'),
      execute(
        'post("/webhook_endpoints", url: "https://hooks.example.com/orders", enabled_events: ["order.paid", "refund.created"]).slice("id", "status", "enabled_events")',
      ),
    ],
    async check(shop) {
      const endpoint = (await shop.all('/webhook_endpoints')).find(
        (one) => one.url === 'https://hooks.example.com/orders',
      )
      assert.deepEqual(endpoint.enabled_events.toSorted(), ['order.paid', 'refund.created'])
    },
  },
  {
    name: 'a review written down',
    ask: 'Write down a review: Tom gave the Studio Membership 4 stars and wrote "Warm room, patient people." Show it on the page.',
    steps: [
      search('describe("POST /reviews")'),
      execute(
        'post("/reviews", product: "studio-membership", rating: 4, customer_name: "Tom", content: "Warm room, patient people.", published: true).slice("id", "published")',
      ),
    ],
    async check(shop) {
      const review = (await shop.all('/reviews')).find((one) => one.content === 'Warm room, patient people.')
      assert.deepEqual([review.rating, review.published], [4, true])
    },
  },
]
