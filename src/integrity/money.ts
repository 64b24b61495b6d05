import { type RawBuilder, sql } from 'kysely'
import { KEEP_FIRST, LAST_RESORT, type Rule } from './finding.ts'

const ADVICE = `${KEEP_FIRST} Then compare these orders with the payment provider, and ask the makers of Shopwright with the lines above. ${LAST_RESORT}`
/** The statuses of paid orders, including those that were refunded or disputed later. */
export const PAID = sql.join(
  ['succeeded', 'partially_refunded', 'refunded', 'disputed'].map((status) => sql.lit(status)),
)

/** Imported orders were paid elsewhere and have no charges or refunds here, so their amounts count as 0. */
const takenHere = (amount: RawBuilder<unknown>) => sql`case when orders.channel = 'import' then 0 else ${amount} end`
const withItems = sql`exists (select 1 from order_items where order_items.account_id = orders.account_id and order_items."order" = orders.id)`

export const MONEY: readonly Rule[] = [
  orders('are paid, and their charges add up to another amount', {
    where: sql`orders.status in (${PAID})`,
    is: takenHere(sql`orders.amount`),
    of: sql`select coalesce(sum(amount), 0) from charges
      where charges.account_id = orders.account_id and charges."order" = orders.id and charges.status <> 'failed'`,
  }),
  orders('have items that add up to another amount', {
    where: withItems,
    is: sql`orders.amount`,
    of: sql`select coalesce(sum(amount), 0) from order_items
      where order_items.account_id = orders.account_id and order_items."order" = orders.id`,
  }),
  orders('have items that gave back another amount', {
    where: withItems,
    is: sql`orders.amount_refunded`,
    of: sql`select coalesce(sum(amount_refunded), 0) from order_items
      where order_items.account_id = orders.account_id and order_items."order" = orders.id`,
  }),
  orders('have refunds that add up to another amount', {
    where: sql`orders.status in (${PAID})`,
    is: takenHere(sql`orders.amount_refunded`),
    of: sql`select coalesce(sum(amount), 0) from refunds
      where refunds.account_id = orders.account_id and refunds."order" = orders.id and refunds.status = 'succeeded'`,
  }),
  orders('have charges that gave back another amount', {
    where: sql`orders.status in (${PAID}) and orders.charge is not null`,
    is: sql`orders.amount_refunded`,
    of: sql`select coalesce(sum(amount_refunded), 0) from charges
      where charges.account_id = orders.account_id and charges."order" = orders.id and charges.status <> 'failed'`,
  }),
  orders('have pending refunds that add up to another amount', {
    where: sql`orders.status in (${PAID})`,
    is: sql`orders.amount_refunding`,
    of: sql`select coalesce(sum(amount), 0) from refunds
      where refunds.account_id = orders.account_id and refunds."order" = orders.id and refunds.status = 'pending'`,
  }),
  {
    area: 'money',
    problem: 'Checkouts are complete without a paid order, or have a paid order without being complete',
    advice: ADVICE,
    query: sql`
      select checkouts.account_id, checkouts.id, checkouts.status as detail from checkouts
      where (checkouts.status = 'complete' and checkouts.formation is null and not exists (
        select 1 from orders where orders.account_id = checkouts.account_id and orders.id = checkouts."order"
          and orders.status in (${PAID})))
      or (checkouts.status <> 'complete' and checkouts."order" is not null and exists (
        select 1 from orders where orders.account_id = checkouts.account_id and orders.id = checkouts."order"
          and orders.status in (${PAID})))`,
  },
]

/** The rule that the credit entries of an account add up to its balance. */
export const CREDITS: readonly Rule[] = [
  {
    area: 'credits',
    problem: 'The credits of an account are not the sum of its entries',
    advice: 'Compare with npm run credits, and correct the balance with an entry.',
    query: sql`
      select account_id, id, cast(difference as text) as detail from (
        select accounts.account_id, accounts.id, accounts.credit_balance - coalesce((
          select sum(delta) from credit_entries where credit_entries.account_id = accounts.account_id), 0) as difference
        from accounts) as booked
      where difference <> 0`,
  },
]

interface Sum {
  where: RawBuilder<unknown>
  is: RawBuilder<unknown>
  /** A query for the sum of the rows that must add up to `is`. */
  of: RawBuilder<unknown>
}

function orders(says: string, { where, is, of }: Sum): Rule {
  return {
    area: 'money',
    problem: `Orders ${says}`,
    advice: ADVICE,
    query: sql`
      select account_id, id, 'says ' || said || ', not ' || found as detail from (
        select orders.account_id, orders.id, ${is} as said, (${of}) as found from orders where ${where}) as summed
      where said <> found`,
  }
}
