import { sql } from 'kysely'
import type { ShopScope } from '../resources/tables.ts'

/** The number of events of one type on one date, by the account's clock. */
export interface DayOfEvents {
  date: string
  type: string
  count: number
}

/** Returns the id of an account's newest event, or an empty string if it has none. */
export async function lastEvent({ read }: ShopScope, accountId: string): Promise<string> {
  const newest = read.selectFrom('events').select('id').where('account_id', '=', accountId).orderBy('id', 'desc')
  return (await newest.limit(1).executeTakeFirst())?.id ?? ''
}

export async function eventsSince({ read }: ShopScope, accountId: string, event: string): Promise<DayOfEvents[]> {
  const date = sql<string>`substr(created_at, 1, 10)`
  return read
    .selectFrom('events')
    .select(({ fn }) => [date.as('date'), 'type', fn.countAll<number>().as('count')])
    .where('account_id', '=', accountId)
    .where('id', '>', event)
    .groupBy([date, 'type'])
    .orderBy(date)
    .orderBy('type')
    .execute()
}
