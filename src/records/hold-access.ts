import { PostgresAdapter } from 'kysely'
import type { Actor } from '../contract/declarations/caller.ts'
import type { InAccount } from './context.ts'
import { rowsOf } from './rows-of.ts'

/**
 * Returns whether each actor's token still works, and keeps it from being revoked until the end of the open transaction. On
 * PostgreSQL, a revocation since the transaction began is a conflict, and the transaction runs again.
 */
export async function holdAccess(context: InAccount, actors: readonly Actor[]): Promise<boolean> {
  const ids = actors.flatMap(({ tokenId }) => tokenId ?? [])
  if (ids.length === 0) return true
  const tokens = rowsOf(context, 'api_tokens').select('id').where('id', 'in', ids)
  const connections = rowsOf(context, 'connections').select('id').where('id', 'in', ids).where('status', '=', 'active')
  // The embedded engine has one writer, so nothing is revoked meanwhile.
  const locks = context.db.getExecutor().adapter instanceof PostgresAdapter
  const found = await (locks ? tokens.forKeyShare() : tokens).execute()
  if (found.length === ids.length) return true
  const connected = await (locks ? connections.forShare() : connections).execute()
  return found.length + connected.length === ids.length
}
