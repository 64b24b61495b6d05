import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import type { CustomPage } from '../../../records/custom.ts'
import { endWorkOf } from '../../../records/end-work.ts'
import { NEWEST_FIRST, page } from '../../../records/page.ts'
import { requireRow } from '../../../records/records.ts'
import { deleteRowsOf, rowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import { onlyUserOf, requireVisible } from '../sight.ts'
import { Connection } from './connection.ts'

type ConnectionRow = Row<typeof Connection>

/** Revokes a client's connection and its tokens. Anyone who may see a connection may revoke it. */
export async function revokeConnection(context: Context, connection: ConnectionRow): Promise<ConnectionRow> {
  requireVisible(context, Connection, connection)
  await endConnections(context, [connection.id])
  return { ...connection, ...endedAt(context.realNow) }
}

export async function endConnectionsOf(context: Context, userId: string): Promise<void> {
  const own = rowsOf(context, 'connections').select('id').where('user_id', '=', userId)
  const active = await own.where('status', '=', 'active').execute()
  await endConnections(
    context,
    active.map(({ id }) => id),
  )
}

async function endConnections(context: Context, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await updateRowsOf(context, 'connections').set(endedAt(context.realNow)).where('id', 'in', ids).execute()
  await deleteRowsOf(context, 'oauth_tokens').where('connection_id', 'in', ids).execute()
  await endWorkOf(context, ids)
}

function endedAt(moment: string) {
  return { status: 'revoked' as const, revoked_at: moment, updated_at: moment }
}

/** Lists the active connections that the caller may see. Revoked ones stay in the table because program runs refer to them. */
export function connectionPage(
  context: Context,
  { limit, starting_after }: Record<string, unknown>,
): Promise<CustomPage<ConnectionRow>> {
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

/** Throws `resource_missing` if the connection does not exist or the caller may not see it. */
export async function requireConnection(context: Context, id: string): Promise<ConnectionRow> {
  const connection = await requireRow(context, Connection, id)
  requireVisible(context, Connection, connection)
  return connection
}
