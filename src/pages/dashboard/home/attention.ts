import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'
import type { Visit } from '../kit/visit.ts'
import type { Overview } from './overview.ts'

/** The operation counts to here. */
const MOST_COUNTED = 100

interface Matter {
  one: string
  many: string
  path: string
  bad?: boolean
}

const MATTERS: Record<string, Matter> = {
  disputed_orders: {
    one: 'order is disputed by its buyer',
    many: 'orders are disputed by their buyers',
    path: '/orders?status=disputed',
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
    path: '/subscriptions?status=past_due&status=unpaid',
    bad: true,
  },
  failed_deliveries: {
    one: 'webhook delivery of the last 7 days failed',
    many: 'webhook deliveries of the last 7 days failed',
    path: '/webhook_events?status=failed',
    bad: true,
  },
  waiting_plans: {
    one: 'plan of an agent waits for you to decide',
    many: 'plans of agents wait for you to decide',
    path: '/plans?state=open',
  },
  task_runs_that_need_input: {
    one: 'run of a task waits for an answer',
    many: 'runs of tasks wait for an answer',
    path: '/task_runs?status=needs_input',
  },
}

/** What somebody should look at, each with its list; nothing when all is well. */
export function attention({ base }: Visit, { attention: found }: Overview): Page {
  const lines = found.flatMap(({ kind, count }) => {
    const matter = MATTERS[kind]
    if (!matter) return []
    const number = count >= MOST_COUNTED ? `${MOST_COUNTED} or more` : String(count)
    return html`<li><a class="matter${matter.bad ? ' bad' : ''}" href="${base}${matter.path}"><strong>${number}</strong> ${count === 1 ? matter.one : matter.many}</a></li>`
  })
  if (lines.length === 0) return html``
  return html`<section class="attention" aria-labelledby="attention"><h2 id="attention">Needs attention</h2><ul>${lines}</ul></section>`
}
