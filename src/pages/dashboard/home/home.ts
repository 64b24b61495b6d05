import { html } from 'hono/html'
import { nounFor } from '../../../format/counts.ts'
import { type Attention, MOST_COUNTED } from '../../../resources/dashboard/overview/overview.ts'
import type { Page } from '../../parts/markup.ts'
import { runsInShort } from '../agents/runs.ts'
import { headed, latest } from '../derived/list.ts'
import { framed } from '../kit/answers.ts'
import { answeredRows, rowsIn } from '../kit/call.ts'
import { mayOpen } from '../kit/page-rights.ts'
import type { AttentionItem, DashboardContext, DashboardPage } from '../kit/visit.ts'
import { figures, type Overview, overviewOf, RANGES, rangeOf } from './figures.ts'

const ROWS = 5

export const homePage: DashboardPage = {
  path: '/',
  label: 'Home',
  get: async (visit) => {
    const overview = await overviewOf(visit)
    const isNew = overview.sales.length === 0 && overview.subscribers.points.every((count) => count === 0)
    const [orders, runs] = await Promise.all([
      latest(visit, { path: 'orders', heading: 'Latest orders', all: 'All orders' }),
      latestRuns(visit),
    ])
    const content = html`${attention(visit, overview)}${isNew ? await firstSteps(visit) : figures(overview)}${orders}${runs}`
    return framed(visit, { title: 'Home', actions: isNew ? undefined : ranges(visit) }, content)
  },
}

/** Renders links that choose the time range of the figures. Days begin at midnight in the account's time zone. */
function ranges(visit: DashboardContext): Page {
  const chosen = rangeOf(visit)
  const links = Object.entries(RANGES).map(
    ([range, { link }]) =>
      html`<li><a class="segment" href="${visit.base}?range=${range}"${range === chosen ? html` aria-current="true"` : ''}>${link}</a></li>`,
  )
  return html`<nav class="segments" aria-label="Time shown"><ul>${links}</ul></nav>`
}

async function firstSteps(visit: DashboardContext): Promise<Page> {
  const { base } = visit
  if (!mayOpen(visit, '/products/new'))
    return html`<section class="card begin"><h2>Nothing has been sold yet</h2><p>Revenue and orders appear here.</p></section>`
  const { rows } = await answeredRows(visit.call('GET /price_variants', { query: { limit: 1 } }))
  const hasPrice = rows.length > 0
  const steps = [
    hasPrice
      ? html`<strong>You have a product with a price.</strong> <a href="${base}/products">View your products</a>`
      : html`<a href="${base}/products/new"><strong>Add a product</strong></a> and its first price.`,
    html`<a href="${base}/checkout_links/new"><strong>Create a checkout link</strong></a> to share, or copy the purchase link of a price.`,
    html`<strong>Sell it.</strong> Revenue and orders appear here.`,
  ]
  return html`<section class="card begin" aria-labelledby="begin"><h2 id="begin">Nothing has been sold yet</h2><ol>${steps.map((step) => html`<li>${step}</li>`)}</ol><p class="lead">An agent can do all of this for you: <a href="${base}/developers/tokens">create a token for it</a>.</p></section>`
}

async function latestRuns(visit: DashboardContext): Promise<Page> {
  if (!mayOpen(visit, '/runs')) return html``
  const { rows: runs } = rowsIn(await visit.call('GET /runs', { query: { limit: ROWS } }))
  if (runs.length === 0) return html``
  return headed(visit, { path: 'runs', heading: 'Latest runs', all: 'All runs' }, runsInShort(visit, runs))
}

const MATTERS: Record<Attention, AttentionItem> = {
  disputed_orders: {
    one: 'order is disputed by its buyer',
    many: 'orders are disputed by their buyers',
    path: '/orders?status=disputed',
    bad: true,
  },
  disputes_to_answer: {
    one: 'dispute needs an answer',
    many: 'disputes need an answer',
    path: '/disputes?status=needs_response',
    bad: true,
  },
  past_due_invoices: {
    one: 'invoice is past due',
    many: 'invoices are past due',
    path: '/invoices?status=past_due',
    bad: true,
  },
  past_due_subscriptions: {
    one: 'subscription could not be charged',
    many: 'subscriptions could not be charged',
    path: '/recover',
    bad: true,
  },
  failing_endpoints: {
    one: 'webhook endpoint fails right now, and deliveries to it wait',
    many: 'webhook endpoints fail right now, and deliveries to them wait',
    path: '/webhook_endpoints',
    bad: true,
  },
  failed_deliveries: {
    one: 'webhook delivery failed in the last 7 days',
    many: 'webhook deliveries failed in the last 7 days',
    path: '/webhook_events?status=failed',
    bad: true,
  },
  waiting_plans: {
    one: 'agent plan is waiting for a decision',
    many: 'agent plans are waiting for a decision',
    path: '/plans?state=open',
  },
  task_runs_that_need_input: {
    one: 'task run is waiting for an answer',
    many: 'task runs are waiting for an answer',
    path: '/task_runs?status=needs_input',
  },
  failed_task_runs: {
    one: 'task run failed in the last 7 days',
    many: 'task runs failed in the last 7 days',
    path: '/task_runs?status=failed',
    bad: true,
  },
  failed_emails: {
    one: 'e-mail could not be sent in the last 7 days',
    many: 'e-mails could not be sent in the last 7 days',
    path: '/emails?status=failed',
    bad: true,
  },
}

/** Lists the matters that need attention, each with a link, or nothing if there are none. */
function attention(visit: DashboardContext, { attention: all }: Overview): Page {
  const { base, parts } = visit
  const matters: Record<string, AttentionItem> = Object.assign(
    { ...MATTERS },
    ...parts.features.flatMap(({ matters = [] }) => matters.map((one) => ({ [one.kind]: one }))),
  )
  const lines = all.flatMap(({ kind, count }) => {
    const matter = matters[kind]
    if (!matter || !mayOpen(visit, matter.path)) return []
    const number = count >= MOST_COUNTED ? `${MOST_COUNTED} or more` : String(count)
    return html`<li><a class="matter${matter.bad ? ' bad' : ''}" href="${base}${matter.path}"><strong>${number}</strong> ${nounFor(count, matter.one, matter.many)}</a></li>`
  })
  if (lines.length === 0) return html``
  return html`<section class="attention" aria-labelledby="attention"><h2 id="attention">Needs attention</h2><ul>${lines}</ul></section>`
}
