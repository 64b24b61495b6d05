import { type RawBuilder, sql } from 'kysely'
import type { Rule } from './finding.ts'

const ADVICE =
  'No money depends on it; ask the makers of Shopwright with the lines above, as a count should never be off.'
const PAID = sql.join(['succeeded', 'partially_refunded', 'refunded', 'disputed'].map((status) => sql.lit(status)))

/** Numbers that are kept in step with the rows that they count. */
export const COUNTERS: readonly Rule[] = [
  // The first order of an imported subscription may be a placeholder that was never paid.
  counter(
    'customers',
    'orders_count',
    sql`select count(*) from orders
    where orders.account_id = counting.account_id and orders.customer = counting.id and orders.status in (${PAID})
      and (orders.channel <> 'import' or orders.paid_at is not null)`,
  ),
  counter(
    'customers',
    'total_spend',
    sql`select coalesce(sum(orders.amount - orders.amount_refunded), 0) from orders
    where orders.account_id = counting.account_id and orders.customer = counting.id and orders.status in (${PAID})
      and orders.currency = (select default_currency from accounts where accounts.account_id = counting.account_id)`,
  ),
  counter(
    'discounts',
    'times_redeemed',
    sql`select count(*) from orders
    where orders.account_id = counting.account_id and orders.discount = counting.id and orders.status in (${PAID})
      and orders.checkout is not null`,
  ),
  counter(
    'forms',
    'submissions_count',
    sql`select count(*) from form_submissions
    where form_submissions.account_id = counting.account_id and form_submissions.form = counting.id`,
  ),
  counter(
    'products',
    'reviews_count',
    sql`select count(*) from reviews
    where reviews.account_id = counting.account_id and reviews.product = counting.id and reviews.published = 1`,
  ),
  counter(
    'tags',
    'customers_count',
    sql`select count(*) from customer_tags
    where customer_tags.account_id = counting.account_id and customer_tags.tag_id = counting.id`,
    sql`(select coalesce(sum(customers), 0) from customer_tags_counts as counts
    where counts.account_id = counting.account_id and counts.tag_id = counting.id)`,
  ),
  // The order that begins a free trial is no payment.
  counter(
    'subscriptions',
    'payments_count',
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

function counter(
  table: string,
  column: string,
  of: RawBuilder<unknown>,
  said: RawBuilder<unknown> = sql`counting.${sql.ref(column)}`,
): Rule {
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
