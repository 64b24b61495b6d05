import { isUser } from '../../../contract/caller.ts'
import { missingResource } from '../../../contract/errors.ts'
import type { Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import type { CustomPage } from '../../../records/custom.ts'
import { NEWEST_FIRST, page } from '../../../records/page.ts'
import { requireRow } from '../../../records/records.ts'
import { Connection } from './connection.ts'

/** Members see their own connections, and admins all of the account. Those that have ended are kept for runs to name. */
export function connectionPage(
  context: Context,
  { limit, starting_after }: Record<string, unknown>,
): Promise<CustomPage> {
  return page(context, Connection, {
    order: NEWEST_FIRST,
    limit: limit as number,
    startingAfter: starting_after as string | undefined,
    narrow: async (query) => {
      const active = query.where('status', '=', 'active')
      return seesAll(context) ? active : active.where('user_id', '=', userOf(context))
    },
  })
}

/** A connection that the caller may see. Throws `resource_missing`, as for one that there is not. */
export async function requireConnection(context: Context, id: string): Promise<Row<typeof Connection>> {
  const connection = await requireRow(context, Connection, id)
  requireSight(context, connection)
  return connection
}

/** Throws `resource_missing` for a connection of somebody else, unless the caller is an admin. */
export function requireSight(context: Context, { user_id }: Row<typeof Connection>): void {
  if (!seesAll(context) && user_id !== userOf(context)) throw missingResource(Connection.name)
}

function seesAll({ caller }: Context): boolean {
  return isUser(caller) && caller.role !== 'member'
}

function userOf({ caller }: Context): string {
  return isUser(caller) ? caller.userId : ''
}
