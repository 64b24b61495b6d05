import { eventType, type Noun } from '../../declarations/noun.ts'

/** What programs can do, for who asks about programs rather than about a resource. */
const PROGRAMS = `Programs of code_execute: Ruby, 5 s, 1000 calls, one transaction; an error or raise undoes all calls. The last value is the result, over 100 KB it is cut; table(rows, "id", "amount") is shorter.
list("/orders", status: ["succeeded"], expand: "customer,line_items") reads anew each time it is walked; .to_a keeps the rows.
First lines: \`# dry_run: true\` runs everything, keeps nothing, and answers the changes and a plan; e-mails written after the commit, such as receipts and invoices, are not among them. \`# once: key\` happens once in 24 hours.
Alone in a program: \`# apply: plan_…\` commits a plan if it still does the same, and answers its result (ids and secrets of new rows differ). \`# withdraw: plan_…\` takes it back.
Time: Time.now follows the account’s clock, which test accounts can move. local("2026-11-30 09:00") is that time in the shop’s zone, or zone: "Europe/Paris", as UTC text for bodies. day("2026-10-05"), week, month("2026-10") and year are ranges for filters, the present one without an argument: list("/orders", paid_at: month("2026-10")); month.end is exclusive. in_zone(row["paid_at"]) is a Ruby Time in the zone, whose name is its %Z.
Many rows: \`# background: true\`, then only each_batch(list("/customers"), of: 200) { |rows| … }. The rows are chosen at the start; each batch is a transaction of its own, with its own 5 s and 1000 calls, and happens once, also when the server restarts. End the block with a count. The answer has an id: \`# status: bg_…\`, \`# stop: bg_…\`, \`# resume: bg_…\` are programs. With \`# dry_run: true\` it plans the first batch; applying that does all.
Tasks: in a dry run, rehearse(task, event: "order.paid", data: order) does what the event would start, also for a task made in it, and answers status and summary; there is no plan then.`

const NAMES = [
  ...['program', 'programs', 'ruby', 'code_execute', 'transaction', 'dry run', 'dry_run', 'plan', 'plans', 'apply'],
  ...['withdraw', 'once', 'time', 'times', 'local time', 'time zone', 'timezone', 'local', 'day', 'week', 'month'],
  ...['year', 'in_zone', 'background', 'batch', 'batches', 'each_batch', 'many rows', 'rehearse', 'table'],
]
const EVENTS = ['event', 'events', 'event types', 'event names', 'webhook events', 'enabled_events', 'event_types']

/** The text about what programs can do, or the names of all events, where a text names a part of it. */
export function topicText(what: string, nouns: readonly Noun[]): string | undefined {
  const topic = what.trim().toLowerCase()
  if (NAMES.includes(topic)) return PROGRAMS
  return EVENTS.includes(topic) ? eventNames(nouns) : undefined
}

function eventNames(nouns: readonly Noun[]): string {
  const lines = nouns
    .filter(({ events, eventsStayInside }) => events.length > 0 && !eventsStayInside)
    .map((noun) => noun.events.map((event) => eventType(noun, event)).join(', '))
  return [
    'Events, for webhook endpoints and tasks; describe("order.paid") says when one is sent and what its data is:',
    ...lines,
  ].join('\n')
}
