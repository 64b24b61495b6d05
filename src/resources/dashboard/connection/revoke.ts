import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { endWorkOf } from '../../../records/end-work.ts'
import { deleteRowsOf, rowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import { requireVisible } from '../sight.ts'
import { Connection } from './connection.ts'

type ConnectionRow = Row<typeof Connection>

/** Revokes a client's connection and its tokens. Anyone who may see a connection may revoke it. */
export async function revokeConnection(context: Context, connection: ConnectionRow): Promise<ConnectionRow> {
  await requireVisible(context, Connection, connection.id)
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
