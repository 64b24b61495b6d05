import { type RawBuilder, sql } from 'kysely'
import type { Moment } from '../database/moment.ts'
import type { Db, Tables } from '../resources/tables.ts'
import { checkFiles } from './files.ts'
import { type Finding, findingOf, foundAt, KEEP_FIRST, LAST_RESORT, type Rule } from './finding.ts'
import { CREDITS, MONEY, PAID } from './money.ts'
import { type References, referenceRules } from './references.ts'

const ADVICE =
  'No money depends on it; ask the makers of Shopwright with the lines above, as a count should never be off.'

export const COUNTERS: readonly Rule[] = [
  // An imported subscription's first order may be a placeholder that was never paid, so it does not count.
  counter(
    'customers.orders_count',
    sql`select count(*) from orders
    where orders.account_id = counting.account_id and orders.customer = counting.id and orders.status in (${PAID})
      and (orders.channel <> 'import' or orders.paid_at is not null)`,
  ),
  counter(
    'customers.total_spend',
    sql`select coalesce(sum(orders.amount - orders.amount_refunded), 0) from orders
    where orders.account_id = counting.account_id and orders.customer = counting.id and orders.status in (${PAID})
      and orders.currency = (select default_currency from accounts where accounts.account_id = counting.account_id)`,
  ),
  counter(
    'discounts.times_redeemed',
    sql`select count(*) from orders
    where orders.account_id = counting.account_id and orders.discount = counting.id and orders.status in (${PAID})
      and orders.checkout is not null`,
  ),
  counter(
    'forms.submissions_count',
    sql`select count(*) from form_submissions
    where form_submissions.account_id = counting.account_id and form_submissions.form = counting.id`,
  ),
  counter(
    'products.reviews_count',
    sql`select count(*) from reviews
    where reviews.account_id = counting.account_id and reviews.product = counting.id and reviews.published = 1`,
  ),
  counter(
    'tags.customers_count',
    sql`select count(*) from customer_tags
    where customer_tags.account_id = counting.account_id and customer_tags.tag_id = counting.id`,
    sql`(select coalesce(sum(customers), 0) from customer_tags_counts as counts
    where counts.account_id = counting.account_id and counts.tag_id = counting.id)`,
  ),
  // The order that begins a free trial does not count as a payment.
  counter(
    'subscriptions.payments_count',
    sql`select counting.imported_payments_count + count(*) from orders
    where orders.account_id = counting.account_id and orders.subscription = counting.id and orders.status in (${PAID})
      and orders.channel <> 'import' and (counting.trial_ends_at is null or orders.created_at >= counting.trial_ends_at)`,
  ),
  {
    area: 'counters',
    problem: 'The next invoice of an account would get a number that is taken',
    advice: 'Set its row of counters to the highest sequence of its invoices.',
    query: sql`
      select account_id, 'invoices' as id, 'highest ' || highest as detail from (
        select account_id, max(sequence) as highest from invoices group by account_id) as numbered
      where highest > coalesce((select value from counters
        where counters.account_id = numbered.account_id and counters.name = 'invoices'), 0)`,
  },
]

export interface VerifyOptions {
  directory: string
  jobs: readonly string[]
  /** The references between rows of features. */
  references: References
  /** The queries of stored files of features. */
  storedFiles: readonly RawBuilder<unknown>[]
  /** Opens a new snapshot of the database, to see which data has changed since the first. */
  again(): Promise<Pick<Moment<Tables>, 'db' | 'close'>>
  hashes: boolean
}

export interface Verified {
  findings: Finding[]
  rules: number
  files: number
  bytes: number
  /** The number of files in external stores, which were not checked. */
  outside: number
}

export async function verify(moment: Moment<Tables>, options: VerifyOptions): Promise<Verified> {
  const damage = foundAt(await moment.damage(), {
    area: 'database',
    severity: 'wrong',
    problem: 'The file of the database is damaged',
    advice:
      'Stop the service, copy the data directory as it is to another disk, and check this one. Then restore a backup; what follows below may come of the damage.',
  })
  const rules = [
    ...(await referenceRules(moment.db, options.references)),
    ...MONEY,
    ...CREDITS,
    ...COUNTERS,
    ...jobRules(options.jobs),
  ]
  const findings: (Finding | null)[] = [damage]
  for (const rule of rules) findings.push(await findingOf(moment.db, rule))
  const { findings: ofFiles, ...looked } = await filesOf(moment.db, options)
  return {
    findings: [...findings.filter((finding) => finding !== null), ...ofFiles],
    rules: rules.length + 1,
    files: looked.count,
    bytes: looked.bytes,
    outside: looked.outside,
  }
}

async function filesOf(db: Db, { directory, storedFiles, hashes, again }: VerifyOptions) {
  const opened: Pick<Moment<Tables>, 'close'>[] = []
  const later = async () => {
    const moment = await again()
    opened.push(moment)
    return moment.db
  }
  try {
    return await checkFiles({ db, later, directory, storedFiles, hashes })
  } finally {
    for (const moment of opened) await moment.close()
  }
}

const HOUR_MS = 60 * 60 * 1000

/** Returns the rules for jobs. `names` are the types of jobs that this version can run. */
function jobRules(names: readonly string[], now = Date.now()): Rule[] {
  const lost = new Date(now - HOUR_MS).toISOString()
  const waits = sql`select 1 from jobs where jobs.account_id = waiting.account_id`
  const open = sql`jobs.state not in ('done', 'failed')`
  const rules: Omit<Rule, 'area'>[] = [
    {
      problem: 'Jobs are of a kind that this version does not know',
      advice: 'Start the version that made them: a newer one was used on this data.',
      query: sql`
        select account_id, id, name as detail from jobs
        where state not in ('done', 'failed') and name not in (${sql.join(names.map((name) => sql.lit(name)))})`,
    },
    {
      problem: 'Subscriptions have nothing planned, so they would never be renewed or end',
      advice: `${KEEP_FIRST} Then ask the makers of Shopwright with the lines above. ${LAST_RESORT}`,
      query: sql`
        select account_id, id, status as detail from subscriptions as waiting
        where status not in ('canceled', 'paused') and not exists (${waits} and jobs.id = waiting.due_job and ${open})`,
    },
    {
      problem: 'Uploads wait for bytes and would wait for ever',
      advice: 'Delete these files and create them again.',
      query: sql`
        select account_id, id from files as waiting
        where source = 'upload' and upload_status = 'pending' and expire_job is not null
          and not exists (${waits} and jobs.id = waiting.expire_job and ${open})`,
    },
    {
      severity: 'note',
      problem: 'Jobs failed for good in the last seven days',
      advice: 'Their messages say why; what they were for can be done again by hand.',
      query: sql`
        select account_id, id, name || ': ' || substr(coalesce(last_error, ''), 1, 100) as detail from jobs where state = 'failed'`,
    },
    {
      severity: 'note',
      problem: 'Jobs were begun more than an hour ago by a server that is gone',
      advice: 'A running server takes them up again by itself.',
      query: sql`select account_id, id, name as detail from jobs where state = 'working' and leased_until < ${lost}`,
    },
  ]
  return rules.map((rule) => ({ ...rule, area: 'jobs' }))
}

/** Declares that a column, such as `tags.customers_count`, has the value that `of` counts. */
function counter(counted: string, of: RawBuilder<unknown>, stored?: RawBuilder<unknown>): Rule {
  const [table = '', column = ''] = counted.split('.')
  const said = stored ?? sql`counting.${sql.ref(column)}`
  return {
    area: 'counters',
    problem: `${column} of ${table} is not what its rows add up to`,
    advice: ADVICE,
    query: sql`
      select account_id, id, 'says ' || said || ', not ' || found as detail from (
        select counting.account_id, counting.id, ${said} as said, (${of}) as found
        from ${sql.table(table)} as counting) as counted
      where said <> found`,
  }
}
