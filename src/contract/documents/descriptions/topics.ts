import { eventType, type Noun } from '../../declarations/noun.ts'
import type { TextPart } from './answer.ts'

/** A text about a topic that is not a resource, such as Ruby programs. */
interface Paragraph {
  key: string
  text: string
  /** Exact names of the topic; `words` finds it in longer questions. */
  names: readonly string[]
  words?: RegExp
}

const MONTHS = 'january|february|march|april|may|june|july|august|september|october|november|december'
const DAYS = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday'

const PARAGRAPHS: readonly Paragraph[] = [
  {
    key: 'programs',
    names: ['program', 'programs', 'ruby', 'code_execute', 'transaction', 'table', 'find_anything'],
    text: `Programs of code_execute: Ruby, 5 s, 1000 calls, one transaction; an error or raise undoes all calls. The last value is the result, over 100 KB it is cut; table(rows, "id", "amount") is shorter.
list("/orders", status: ["succeeded"], expand: "customer,line_items") reads anew each time it is walked; .to_a keeps the rows.
find_anything("ada@example.com") looks everywhere and gives kind, id, title and detail.`,
  },
  {
    key: 'reports',
    names: ['report', 'reports', 'revenue', 'earnings', 'turnover', 'mrr', 'recurring revenue', 'churn'],
    words: /\b(?:revenue|earned|mrr|churn)\b/i,
    text: `report(from: "2026-10-01", to: "2026-10-31", by: "product")["currencies"] has each currency's total (gross, refunds, tax, net, orders, average_order, new_buyers, returning_buyers), points, rows and recurring revenue, as the Reports page shows them.
Days are the account's. by: product, price, country or channel; interval: day, week or month; compare: previous, year or none.`,
  },
  {
    key: 'plans',
    names: ['dry run', 'dry_run', 'plan', 'plans', 'apply', 'withdraw', 'once'],
    words: /\b(?:dry.?run|roll(?:ed)? ?back|apply .*plan|plan .*apply)\b/i,
    text: `First lines: \`# dry_run: true\` runs everything, keeps nothing, and answers the changes and a plan; after_commit says what would follow, such as charges and e-mails. \`# once: key\` happens once in 24 hours.
Alone in a program: \`# apply: plan_…\` commits a plan if it still does the same, and answers its result (ids and secrets of new rows differ). \`# withdraw: plan_…\` takes it back.`,
  },
  {
    key: 'time',
    names: ['time', 'times', 'local time', 'time zone', 'timezone', 'local', 'day', 'week', 'month', 'year', 'in_zone'],
    words: new RegExp(
      `\\b(?:time ?zone|local time|month(?:ly)?|week(?:ly)?|quarter|today|yesterday|tomorrow|in (?:${MONTHS})|${DAYS}|\\d ?[ap]m)\\b`,
      'i',
    ),
    text: `Time: Time.now follows the account’s clock, which test accounts can move. local("2026-11-30 09:00") is that time in the shop’s zone, or zone: "Europe/Paris", as UTC text for bodies. day("2026-10-05"), week, month("2026-10") and year are ranges for filters, the present one without an argument: list("/orders", paid_at: month("2026-10")); month.end is exclusive. in_zone(row["paid_at"]) is a Ruby Time in the zone, whose name is its %Z.`,
  },
  {
    key: 'background',
    names: ['background', 'batch', 'batches', 'each_batch', 'many rows'],
    words: /\b(?:background|batch(?:es)?|thousands?|bulk|\d{1,3}[,.]?000|all (?:customers|orders|products))\b/i,
    text: `Many rows: \`# background: true\`, then only each_batch(list("/customers"), of: 200) { |rows| … }. The rows are chosen at the start; each batch is a transaction of its own, with its own 5 s and 1000 calls, and happens once, also when the server restarts. End the block with a count. The answer has an id: \`# status: bg_…\`, \`# stop: bg_…\`, \`# resume: bg_…\` are programs. With \`# dry_run: true\` it plans the first batch; applying that does all.`,
  },
  {
    key: 'rehearsal',
    names: ['rehearse', 'rehearsal'],
    words: /\b(?:rehears\w*|(?:try|test|dry).*(?:task|automation|prompt)|(?:task|automation|prompt).*(?:try|test))\b/i,
    text: `Tasks: in a dry run, rehearse(task, event: "order.paid", data: order) does what the event would start, also for a task made in it, and answers status and summary; the plan leaves its effects out.`,
  },
  {
    key: 'tax',
    names: ['tax', 'taxes', 'vat', 'gst', 'sales tax', 'tax rates', 'reverse charge', 'vat id'],
    words: /\b(?:tax(?:es|ed)?|vat|gst|qst|hst|reverse charge)\b/i,
    text: `Tax: patch("/account", country: "AT", tax_rates: [{ country: "DE", percent: 19, name: "VAT", inclusive: true }]) replaces all rates, so add to get("/account")["tax_rates"]. From then on buyers give their country (checkout, invoice: country, region, vat_id) before they pay. Orders have amount_tax and tax_lines; revenue without tax is amount - amount_tax, less amount_refunded - amount_tax_refunded.`,
  },
]
const EMAILS: Paragraph = {
  key: 'letters',
  names: [
    'emails',
    'e-mails',
    'mails',
    'letters',
    'automatic e-mails',
    'automatic emails',
    'notifications',
    'receipts',
  ],
  words:
    /\b(?:who (?:gets|receives|hears)|notif\w+|receipts?|automatic(?:ally)? (?:e-?)?mails?|(?:which|what) (?:e-?)?mails?|(?:e-?)?mails? (?:is|are|does|do|will|when)|mailed)\b/i,
  text: `E-mails that are sent by themselves. To buyers: a receipt for each paid or free order, renewals too; the bill of a new invoice; a link to pay where a renewal failed; refunds; canceled and ended subscriptions; 30 days before a renewal of six months or longer; before a trial ends; a request to confirm a form submission. An admin can turn off those about refunds, renewals, trials and cancellations. To members, as each chooses: failed payments, disputes and plans that wait (on at first), sales and refunds (off at first); also form submissions (notification_emails), results and failures of their tasks. None about voids. POST /emails writes others; sent ones cannot be listed.`,
}
const EVENTS = ['event', 'events', 'event types', 'event names', 'webhook events', 'enabled_events', 'event_types']
const SEARCHED_LENGTH = 200

/** Returns the texts of the topic with this exact name. The general name `programs` returns all texts about programs. */
export function topicParts(what: string, nouns: readonly Noun[]): TextPart[] {
  const topic = what.trim().toLowerCase()
  if (EVENTS.includes(topic)) return [{ key: 'events', text: eventNames(nouns) }]
  const named = [...PARAGRAPHS, EMAILS].find(({ names }) => names.includes(topic))
  if (named === PARAGRAPHS[0]) return [...PARAGRAPHS]
  return named ? [named] : []
}

export function paragraphsFor(what: string): TextPart[] {
  return [...PARAGRAPHS, EMAILS].filter(({ words }) => words?.test(what.slice(0, SEARCHED_LENGTH)))
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
