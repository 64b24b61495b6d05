import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../records/context.ts'
import type { FoundIds } from '../../../records/search/by-words.ts'

/** Of the customers and products that were found, those whose orders are looked for. */
const OWNERS = 5

type IdRow = { id: string }

/** What is found by what it belongs to, newest first: it needs no entries of its own, so a sale writes none. */
export async function idsByRelation(context: Context, kind: string, found: FoundIds, most: number): Promise<string[]> {
  const customers = (found.get('customer') ?? []).slice(0, OWNERS)
  const products = (found.get('product') ?? []).slice(0, OWNERS)
  switch (kind) {
    case 'order':
      return newest(context, most, [
        ...customers.map((customer) => ofCustomer(context, 'orders', customer, most)),
        ...products.map((product) => ofProduct(context, product, most)),
      ])
    case 'subscription':
      return newest(
        context,
        most,
        customers.map((customer) => ofCustomer(context, 'subscriptions', customer, most)),
      )
    case 'invoice':
      return newest(
        context,
        most,
        customers.map((customer) => ofCustomer(context, 'invoices', customer, most)),
      )
    default:
      return []
  }
}

/** Ids sort by the time at which they were made. */
async function newest({ db }: Context, most: number, queries: RawBuilder<IdRow>[]): Promise<string[]> {
  if (queries.length === 0) return []
  const each = queries.map((query, at) => sql`select id from (${query}) as ${sql.id(`owner_${at}`)}`)
  const { rows } = await sql<IdRow>`${sql.join(each, sql` union all `)}`.execute(db)
  const ids = [...new Set(rows.map(({ id }) => id))]
  return ids.sort().reverse().slice(0, most)
}

function ofCustomer({ accountId }: Context, table: string, customer: string, most: number): RawBuilder<IdRow> {
  return sql`select id from ${sql.table(table)} where account_id = ${accountId} and customer = ${customer}
    order by id desc limit ${sql.lit(most)}`
}

/** A line has the place of its order in time, too. */
function ofProduct({ accountId }: Context, product: string, most: number): RawBuilder<IdRow> {
  return sql`select "order" as id from order_items where account_id = ${accountId} and product = ${product}
    order by order_items.id desc limit ${sql.lit(most)}`
}
