import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import type { CustomPage } from '../../../records/custom.ts'
import { NEWEST_FIRST, page } from '../../../records/page.ts'
import { requireRow } from '../../../records/records.ts'
import { onlyUserOf, requireSight } from '../sight.ts'
import { Connection } from './connection.ts'

/** The active connections that the caller may see. Those that have ended are kept for runs to name. */
export function connectionPage(
  context: Context,
  { limit, starting_after }: Record<string, unknown>,
): Promise<CustomPage> {
  const only = onlyUserOf(context)
  return page(context, Connection, {
    order: NEWEST_FIRST,
    limit: limit as number,
    startingAfter: starting_after as string | undefined,
    narrow: async (query) => {
      const active = query.where('status', '=', 'active')
      return only === null ? active : active.where('user_id', '=', only)
    },
  })
}

/** A connection that the caller may see. Throws `resource_missing`, as for one that there is not. */
export async function requireConnection(context: Context, id: string): Promise<Row<typeof Connection>> {
  const connection = await requireRow(context, Connection, id)
  requireSight(context, Connection, connection)
  return connection
}
