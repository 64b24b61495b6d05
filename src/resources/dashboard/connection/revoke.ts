import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { deleteRowsOf, rowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import { requireSight } from '../sight.ts'
import { Connection } from './connection.ts'

type Ended = Row<typeof Connection>

/** Ends a connection with all its tokens. Whoever sees one may end it. */
export async function revokeConnection(context: Context, connection: Ended): Promise<Ended> {
  requireSight(context, Connection, connection)
  await endConnections(context, [connection.id])
  return { ...connection, ...endedAt(context.realNow) }
}

/** Ends what a person has let in, when the person leaves the account. */
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
}

function endedAt(moment: string) {
  return { status: 'revoked' as const, revoked_at: moment, updated_at: moment }
}
