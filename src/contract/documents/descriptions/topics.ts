/** What programs can do, for who asks about programs rather than about a resource. */
const PROGRAMS = `Programs of code_execute: Ruby, 5 s, one transaction; an error or raise undoes all calls. The last value is the result, over 100 KB it is cut; table(rows, "id", "amount") is shorter.
First lines: \`# dry_run: true\` runs everything, keeps nothing, and answers the changes and a plan. \`# once: key\` happens once in 24 hours.
Alone in a program: \`# apply: plan_…\` commits a plan if it still does the same (ids of new rows differ). \`# withdraw: plan_…\` takes it back.
Time: Time.now follows the account’s clock, which test accounts can move. local("2026-11-30 09:00") is that time in the shop’s zone, or zone: "Europe/Paris", as UTC text for bodies. day("2026-10-05"), week, month("2026-10") and year are ranges for filters, the present one without an argument: list("/orders", paid_at: month("2026-10")). in_zone(row["paid_at"]) is a Ruby Time in the zone, for hours, days and printing.
Many rows: \`# background: true\`, then only each_batch(list("/customers"), of: 500) { |rows| … }. The rows are chosen at the start; each batch is a transaction of its own with 5 s and happens once. The answer has an id: \`# status: bg_…\`, \`# stop: bg_…\`, \`# resume: bg_…\` are programs. With \`# dry_run: true\` it plans the first batch.
Tasks: in a dry run, rehearse(task, event: "order.paid", data: order) does what the event would start.`

const NAMES = [
  ...['program', 'programs', 'ruby', 'code_execute', 'transaction', 'dry run', 'dry_run', 'plan', 'plans', 'apply'],
  ...['withdraw', 'once', 'time', 'times', 'local time', 'time zone', 'timezone', 'local', 'day', 'week', 'month'],
  ...['year', 'in_zone', 'background', 'batch', 'batches', 'each_batch', 'many rows', 'rehearse', 'table'],
]
const TOPICS = new Map(NAMES.map((name) => [name, PROGRAMS]))

/** The text about what programs can do, where a text names a part of it. */
export function topicText(what: string): string | undefined {
  return TOPICS.get(what.trim().toLowerCase())
}
