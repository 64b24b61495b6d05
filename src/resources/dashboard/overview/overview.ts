import { type RawBuilder, sql } from 'kysely'
import { laterBy } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { dashboardRead } from '../../../records/dashboard-read.ts'
import { seesPlan } from '../../../records/program-sight.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { currentAccount } from '../../company/account/current.ts'
import { countSimulated } from '../simulated-orders.ts'
import { periodOf, type Range } from './period.ts'
import { salesOf } from './sales.ts'
import { subscribersOf } from './subscribers.ts'

const RECENT_MS = 7 * 24 * 60 * 60 * 1000
/** The maximum number of open plans that are read to count those that the caller may see. */
const MOST_PLANS = 1_000

const ATTENTION = [
  'failing_endpoints',
  'failed_deliveries',
  'past_due_invoices',
  'past_due_subscriptions',
  'disputed_orders',
  'disputes_to_answer',
  'waiting_plans',
  'task_runs_that_need_input',
  'failed_task_runs',
  'failed_emails',
] as const
export type Attention = (typeof ATTENTION)[number]

/** The number at which counting stops; it means this number or more. */
export const MOST_COUNTED = 100

/** Shows sales and subscriptions over time, the account's own currency first, and counts the rows that need attention. */
export const overview = dashboardRead('account.read', async (context, range: Range, attention: AttentionQuery[]) => {
  const { timezone, default_currency: own } = await currentAccount(context)
  const period = periodOf(range, context.now, timezone)
  const sales = await salesOf(context, period)
  const simulated = await countSimulated(context, { from: period.starts[0]!, until: period.until })
  const { running, recurring } = await subscribersOf(context, period)
  const ownFirst = (one: { currency: string }, other: { currency: string }) =>
    Number(other.currency === own) - Number(one.currency === own)
  return {
    range,
    interval: period.interval,
    timezone,
    starts: period.starts,
    until: period.until,
    before_from: period.before.from,
    before_until: period.before.until,
    simulated_orders: simulated,
    sales: sales.toSorted(ownFirst),
    subscribers: running,
    recurring: recurring.toSorted(ownFirst),
    attention: await attentionOf(context, attention),
  }
})

/** Rows of a feature that need people's attention. `rows` returns the SQL that selects them, beginning with `from`. */
export interface AttentionQuery {
  kind: string
  rows(accountId: string): RawBuilder<unknown>
}

interface AttentionCount {
  kind: string
  count: number
}

async function attentionOf(context: Context, ofFeatures: readonly AttentionQuery[]): Promise<AttentionCount[]> {
  const { db, accountId, now, realNow } = context
  const since = new Date(Date.parse(realNow) - RECENT_MS).toISOString()
  const ofRuns = laterBy(now, -RECENT_MS)
  // The statuses are SQL literals, because partial indexes do not apply to parameters.
  const found: Record<Exclude<Attention, 'waiting_plans'>, RawBuilder<unknown>> = {
    failing_endpoints: sql`from webhook_queues join webhook_endpoints on webhook_endpoints.account_id = webhook_queues.account_id and webhook_endpoints.id = webhook_queues.endpoint_id where webhook_queues.account_id = ${accountId} and webhook_queues.failure_count > 0 and webhook_endpoints.status = 'active'`,
    failed_deliveries: sql`from webhook_events where account_id = ${accountId} and status = 'failed' and created_at >= ${since}`,
    past_due_invoices: sql`from invoices where account_id = ${accountId} and status = 'past_due'`,
    past_due_subscriptions: sql`from subscriptions where account_id = ${accountId} and status in ('past_due', 'unpaid')`,
    disputed_orders: sql`from orders where account_id = ${accountId} and status = 'disputed'`,
    disputes_to_answer: sql`from disputes where account_id = ${accountId} and status = 'needs_response'`,
    task_runs_that_need_input: sql`from task_runs where account_id = ${accountId} and status = 'needs_input'`,
    failed_task_runs: sql`from task_runs where account_id = ${accountId} and status = 'failed' and completed_at >= ${ofRuns}`,
    failed_emails: sql`from emails where account_id = ${accountId} and status = 'failed' and created_at >= ${ofRuns}`,
  }
  const queries = [...Object.entries(found), ...ofFeatures.map(({ kind, rows }) => [kind, rows(accountId)] as const)]
  const counts = queries.map(
    ([kind, rows]) =>
      sql`select ${sql.lit(kind)} as kind, count(*) as count from (select 1 ${rows} limit ${sql.lit(MOST_COUNTED)}) as counted`,
  )
  const { rows } = await sql<AttentionCount>`${sql.join(counts, sql` union all `)}`.execute(db)
  const byKind = new Map(rows.map(({ kind, count }) => [kind, count]))
  byKind.set('waiting_plans', await waitingPlans(context))
  const kinds = [...ATTENTION, ...ofFeatures.map(({ kind }) => kind)]
  return kinds.map((kind) => ({ kind, count: byKind.get(kind) ?? 0 })).filter(({ count }) => count > 0)
}

async function waitingPlans(context: Context): Promise<number> {
  const open = rowsOf(context, 'program_plans')
    .select(['caller_id', 'user_id', 'applier_id', 'state', 'decided_by', 'needs'])
    .where('state', '=', sql.lit('open'))
    .where('caller_kind', '<>', 'session')
    .where('expires_at', '>', context.realNow)
  const plans = await open.limit(MOST_PLANS).execute()
  return Math.min(plans.filter((plan) => seesPlan(context.caller, plan)).length, MOST_COUNTED)
}
