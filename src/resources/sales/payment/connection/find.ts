import { compileOnce } from '../../../../database/compile-once.ts'
import type { Context } from '../../../../records/context.ts'
import { memoize } from '../../../../records/memoize.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import type { Tables } from '../../../tables.ts'

export type ConnectionRow = Tables['payment_connections']

export const CONNECTION_PREFIX = 'pcon'

/** Whether the `provider` of a stored payment is the id of a connection, and not the name of one of the service's own providers. */
export function isConnection(provider: string): boolean {
  return provider.startsWith(`${CONNECTION_PREFIX}_`)
}

/** Includes former connections, oldest first. */
export async function connectionsOf(context: Pick<Context, 'db' | 'accountId'>): Promise<ConnectionRow[]> {
  const question = { name: 'payment connections', tables: ['payment_connections'] as const }
  return memoize(context, question, () => allOf(context.db, context.accountId))
}

const allOf = compileOnce((db: Context['db'], accountId: string) =>
  rowsOf({ db, accountId }, 'payment_connections').selectAll().orderBy('id'),
)

export async function currentConnection(
  context: Pick<Context, 'db' | 'accountId'>,
): Promise<ConnectionRow | undefined> {
  return (await connectionsOf(context)).find(({ status }) => status === 'current')
}

export async function findConnection(
  context: Pick<Context, 'db' | 'accountId'>,
  id: string,
): Promise<ConnectionRow | undefined> {
  return (await connectionsOf(context)).find((one) => one.id === id)
}

/** Returns the reason why a connection can charge no stored card, or null if it can. */
export async function whyHeld(
  context: Pick<Context, 'db' | 'accountId'>,
  provider: string,
): Promise<'refused' | 'removed' | null> {
  if (!isConnection(provider)) return null
  const connection = await findConnection(context, provider)
  if (connection?.status !== 'current' && connection?.status !== 'replaced') return 'removed'
  return connection.refused_at === null ? null : 'refused'
}
