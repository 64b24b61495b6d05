import { call, type Happening } from './happening.ts'

const MONDAY_REPORT = `# ruby
week_ago = (Time.new(run["started_at"]) - 7 * 24 * 60 * 60).utc.iso8601
orders = list("/orders", status: "succeeded", paid_at: { gte: week_ago }).to_a
answers = list("/form_submissions", created_at: { gte: week_ago }).count
puts "In the last week: #{orders.size} orders over #{orders.sum { |order| order["amount"] } / 100.0} USD, #{answers} answers to forms."
`

const SORT_SCHOOLS = `# ruby
submission = get("/form_submissions/#{run["event"]["data"]["id"]}", expand: "form")
readers = submission["answers"].find { |answer| answer["label"] == "Readers a year" }
if readers
  size = readers["value"] >= 100 ? "School, large" : "School, small"
  post("/customers/#{submission["respondent"]}/tags", tags: [size])
  puts "#{submission["name"]} has #{readers["value"]} readers a year."
else
  puts "Nothing to do for the form #{submission["form"]["name"]}."
end
`

const OPEN_SEATS = `# ruby
date = run["event"]["data"]
price = get("/products/printing-day-at-the-press")["price_variants"].find { |one| one["name"] == date["of"] }
free = price["quantity_available"] + date["seats"]
patch("/price_variants/#{price["id"]}", quantity_available: free)
puts "#{date["seats"]} more seats on #{date["day"]}, #{free} are free."
`

/** The program of a task that fails, because the calendar was deleted. */
const COUNT_CALENDARS = `# ruby
price = get("/products/calendar-2025")["price_variants"].first
puts "Left: #{price["quantity_available"]}"
`

const CALENDAR = { provider: 'webhook', event_type: 'received', name: 'Calendar of the studio' }
const FREE_SEATS = { id: 'date-118', data: { of: 'Seat', day: 'Saturday', seats: 12 } }

const HOLIDAYS = {
  name: 'Plan the holiday posts',
  prompt: 'Draft four social posts for December with pictures of our files, one a week, and leave them as drafts.',
}
const QUESTION = {
  status: 'needs_input',
  summary: 'Three of four posts are drafted.',
  question: 'Are there printing days in December, or should the last post be about the calendar?',
}

/** Tasks with runs in most states: one plan waits for approval, one question for an answer, and one run for an external agent. */
export const TASKS: readonly Happening[] = [
  call(4, '/tasks', {
    name: 'Draft the studio letter',
    description: 'For our agent; we read it before it goes out.',
    prompt:
      'Read the blog posts, social posts and new products of the last month. Draft the letter from the studio: three short paragraphs, one of them about something that went wrong. Put the draft into the summary.',
  }),
  call(14, '/tasks', {
    name: 'Sort enquiries of schools',
    description: 'Tags the person by the number of readers; somebody approves it.',
    prompt: SORT_SCHOOLS,
    ...{ trigger_type: 'event', event_types: ['form_submission.created'], approval_mode: 'supervised' },
  }),
  call(12, '/tasks', {
    name: 'Monday report',
    prompt: MONDAY_REPORT,
    ...{ trigger_type: 'schedule', cron_expression: '0 9 * * 1', timezone: 'America/New_York' },
    delivery_methods: ['email'],
  }),
  call(8, '/event_sources', CALENDAR, { as: 'calendar' }),
  call(8, '/tasks', { name: 'Open seats', prompt: OPEN_SEATS, trigger_type: 'event', event_source: '@calendar' }),
  { daysAgo: 7, act: (shop) => shop.receive(shop.named('calendar').id, FREE_SEATS) },
  call(6, '/tasks', { name: 'Count the old calendars', prompt: COUNT_CALENDARS }),
  call(5, '/tasks', HOLIDAYS, { as: 'holidays' }),
  call(5, '/task_runs/@holidays.last_run', { status: 'running' }, { method: 'PATCH' }),
  call(5, '/task_runs/@holidays.last_run', QUESTION, { method: 'PATCH' }),
]
