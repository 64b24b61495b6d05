import { KeyRefusedError } from '../../../../outside/payments/connector.ts'
import type { Context } from '../../../../records/context.ts'
import { updateRowsOf } from '../../../../records/rows-of.ts'
import { findConnection } from './find.ts'
import { TELL_OF_REFUSAL } from './tell_of_refusal.ts'

const MAX_REASON = 300

interface Refusal {
  /** The connection. */
  name: string
  /** The sealed key that was refused. */
  key: string | null
  message: string
}

/** The refusal of an account's key that an error is, or null. */
export function keyRefusalIn(error: unknown): KeyRefusedError | null {
  return error instanceof KeyRefusedError && error.owner === 'account' ? error : null
}

/**
 * Notes that the provider no longer takes the key of a connection, and tells the team once. True where another key
 * has taken its place meanwhile.
 */
export async function noteRefusal(context: Context, { name, key, message }: Refusal): Promise<boolean> {
  const connection = await findConnection(context, name)
  if (!connection) return false
  if (connection.sealed_key !== key) return connection.status !== 'deleted'
  if (connection.refused_at !== null) return false
  const refused = { refused_at: context.realNow, refused_reason: message.slice(0, MAX_REASON) }
  await updateRowsOf(context, 'payment_connections').set(refused).where('id', '=', name).execute()
  if (connection.status !== 'removed')
    await context.enqueue(TELL_OF_REFUSAL, { connection: name }, { inRealTime: true })
  return false
}
