import { html } from 'hono/html'
import { nounFor } from '../../../format/counts.ts'
import { type Attention, MOST_COUNTED } from '../../../resources/dashboard/overview/overview.ts'
import type { Page } from '../../parts/markup.ts'
import { mayOpen } from '../kit/page-rights.ts'
import type { AttentionItem, DashboardContext } from '../kit/visit.ts'
import type { Overview } from './figures.ts'

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
export function attention(visit: DashboardContext, { attention: all }: Overview): Page {
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
