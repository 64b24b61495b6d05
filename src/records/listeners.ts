import { sql } from 'kysely'
import { compileOnce } from '../database/compile-once.ts'
import type { Context, InAccount } from './context.ts'
import { memoize } from './memoize.ts'

/** The kinds of receivers of events that are active in an account. */
export interface Listeners {
  endpoints: boolean
  tasks: boolean
}

export function listenersOf(context: InAccount): Promise<Listeners> {
  return memoize(context, { name: 'listeners', tables: ['webhook_endpoints', 'tasks'] }, async () => {
    const [heard] = await read(context.db, context.accountId)
    return { endpoints: heard?.endpoints === 1, tasks: heard?.tasks === 1 }
  })
}

const read = compileOnce((db: Context['db'], accountId: string) =>
  db
    .selectFrom('accounts')
    .where('account_id', '=', accountId)
    .where('id', '=', accountId)
    .select([
      sql<number>`case when exists (
        select 1 from webhook_endpoints where webhook_endpoints.account_id = accounts.account_id and status = 'active'
      ) then 1 else 0 end`.as('endpoints'),
      sql<number>`case when exists (
        select 1 from tasks where tasks.account_id = accounts.account_id and trigger_type = 'event' and active = 1
      ) then 1 else 0 end`.as('tasks'),
    ]),
)
