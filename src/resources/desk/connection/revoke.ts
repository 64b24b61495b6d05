import type { Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import { deleteRowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import type { Connection } from './connection.ts'
import { requireSight } from './own.ts'

type Ended = Row<typeof Connection>

/** Ends a connection with all its tokens. Whoever sees one may end it. */
export async function revokeConnection(context: Context, connection: Ended): Promise<Ended> {
  requireSight(context, connection)
  const { realNow } = context
  const ended = { status: 'revoked' as const, revoked_at: realNow, updated_at: realNow }
  await updateRowsOf(context, 'connections').set(ended).where('id', '=', connection.id).execute()
  await deleteRowsOf(context, 'oauth_tokens').where('connection_id', '=', connection.id).execute()
  return { ...connection, ...ended }
}
