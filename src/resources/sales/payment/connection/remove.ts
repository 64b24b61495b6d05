import { ApiError, missingResource } from '../../../../contract/declarations/errors.ts'
import { KeyRefusedError } from '../../../../providers/payments/connector.ts'
import type { Context, OutsideContext } from '../../../../records/context.ts'
import { writeLog } from '../../../../records/log.ts'
import { change } from './current.ts'
import { type ConnectionRow, findConnection } from './find.ts'
import { connectorOf, credentialsOf } from './open.ts'

const OUTSIDE_MS = 25_000

/** Throws a 404 for an unknown or deleted connection. */
export async function requireConnection(
  context: Pick<Context, 'db' | 'accountId'>,
  id: string,
): Promise<ConnectionRow> {
  const connection = await findConnection(context, id)
  if (!connection || connection.status === 'deleted') throw missingResource('payment_connection')
  return connection
}

/** A removed connection takes no new sales, and renewals wait. Its key is kept for refunds, disputes and late webhooks. */
export async function removeConnection(context: Context, id: string): Promise<void> {
  const { status } = await requireConnection(context, id)
  if (status !== 'removed') await change(context, id, { status: 'removed', updated_at: context.realNow })
}

/** A deleted connection has no key or webhook endpoint, and can make no requests. */
export async function deleteConnection(context: OutsideContext, id: string): Promise<void> {
  const connection = await requireConnection(context, id)
  requireRemoved(connection)
  await endWebhook(context, connection)
  await context.transaction(async (part) => {
    requireRemoved(await requireConnection(part, id))
    const forgotten = { sealed_key: null, key_hint: null, sealed_notices_secrets: null, notices_id: null }
    const works = { refused_at: null, refused_reason: null }
    await change(part, id, { status: 'deleted', ...forgotten, ...works, updated_at: part.realNow })
    await writeLog(part.db, part.caller, { kind: 'operation', operation: 'delete_payment_connection', resource: id })
  })
}

function requireRemoved({ status }: ConnectionRow): void {
  if (status !== 'removed')
    throw new ApiError('invalid_state', 'Remove the connection first; delete its key once nothing needs it any more.')
}

/** Ignores a refused key, so that its connection can still be deleted. */
export async function endWebhook(place: Pick<Context, 'services'>, connection: ConnectionRow): Promise<void> {
  const credentials = credentialsOf(place, connection)
  if (credentials?.by !== 'key' || connection.notices_id === null) return
  const connector = connectorOf(place, connection.provider)
  try {
    await connector.stopListening(credentials.key, connection.notices_id, AbortSignal.timeout(OUTSIDE_MS))
  } catch (error) {
    if (error instanceof KeyRefusedError) return
    throw new ApiError('upstream_failed', `${connector.title} could not be reached. Nothing was changed. Try again.`)
  }
}
