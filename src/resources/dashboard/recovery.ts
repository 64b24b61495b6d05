import { sql } from 'kysely'
import { DAY_MS, laterBy } from '../../contract/values/values.ts'
import type { Context } from '../../records/context.ts'
import { dashboardRead } from '../../records/dashboard-read.ts'
import { currentAccount } from '../company/account/current.ts'
import type { Recovery as RecoveredBy } from '../sales/order/order.ts'

const WINDOWS = [30, 90]

/** The sum due in one currency for past_due and unpaid subscriptions and past_due invoices, and the number of each. */
interface RecoveryAtRisk {
  currency: string
  amount: number
  subscriptions: number
  invoices: number
}

/** The amounts of orders that were recovered and paid, less refunds. */
interface Recovered {
  currency: string
  recovered_by: RecoveredBy
  amount: number
  orders: number
  periods: number
}

/** The amounts due of subscriptions that ended with a period unpaid. */
interface Lost {
  currency: string
  amount: number
  subscriptions: number
}

/** Shows the amounts at risk, recovered and lost, with the account's own currency first. Each sum reads only a partial index. */
export const recovery = dashboardRead('sales.read', async (context) => {
  const { default_currency: own } = await currentAccount(context)
  const ownFirst = (one: { currency: string }, other: { currency: string }) =>
    Number(other.currency === own) - Number(one.currency === own) || one.currency.localeCompare(other.currency)
  const windows = []
  for (const days of WINDOWS) {
    const found = await windowOf(context, days)
    windows.push({ ...found, recovered: found.recovered.toSorted(ownFirst), lost: found.lost.toSorted(ownFirst) })
  }
  return { at: context.now, at_risk: (await atRisk(context)).toSorted(ownFirst), windows }
})

/** Sums the amounts at risk by currency. The statuses are SQL literals, because partial indexes do not apply to parameters. */
async function atRisk({ db, accountId }: Context): Promise<RecoveryAtRisk[]> {
  const { rows } = await sql<RecoveryAtRisk>`
    select currency, sum(amount) as amount, sum(subscriptions) as subscriptions, sum(invoices) as invoices from (
      select currency, coalesce(sum(amount_due), 0) as amount, count(*) as subscriptions, 0 as invoices
      from subscriptions where account_id = ${accountId} and status in ('past_due', 'unpaid') group by currency
      union all
      select currency, sum(amount) as amount, 0 as subscriptions, count(*) as invoices
      from invoices where account_id = ${accountId} and status = 'past_due' group by currency
    ) as owed group by currency
  `.execute(db)
  return rows
}

async function windowOf(context: Context, days: number) {
  const from = laterBy(context.now, -days * DAY_MS)
  const [recovered, lost] = [await recoveredSince(context, from), await lostSince(context, from)]
  return {
    days,
    from,
    recovered: recovered.map(({ periods: _, ...one }) => one),
    lost,
    periods_recovered: recovered.reduce((sum, one) => sum + one.periods, 0),
    periods_lost: lost.reduce((sum, one) => sum + one.subscriptions, 0),
  }
}

async function recoveredSince({ db, accountId }: Context, from: string): Promise<Recovered[]> {
  const { rows } = await sql<Recovered>`
    select currency, recovered_by, sum(amount - amount_refunded) as amount, count(*) as orders,
      count(case when invoice is null and recovered_by <> 'second_try' then 1 end) as periods
    from orders where account_id = ${accountId} and recovered_by is not null and paid_at >= ${from}
    group by currency, recovered_by order by currency, recovered_by
  `.execute(db)
  return rows
}

async function lostSince({ db, accountId }: Context, from: string): Promise<Lost[]> {
  const { rows } = await sql<Lost>`
    select currency, coalesce(sum(amount_due), 0) as amount, count(*) as subscriptions from subscriptions
    where account_id = ${accountId} and status = 'canceled' and unpaid_since is not null and ends_at >= ${from}
    group by currency order by currency
  `.execute(db)
  return rows
}
