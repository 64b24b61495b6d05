import type { Context } from '../../../../records/context.ts'
import { findConnection, isConnection } from './find.ts'

/** Why nothing is charged by the provider that a stored card names, although the card may be good; null where it is. */
export async function whyHeld(
  context: Pick<Context, 'db' | 'accountId'>,
  provider: string,
): Promise<'refused' | 'removed' | null> {
  if (!isConnection(provider)) return null
  const connection = await findConnection(context, provider)
  if (connection?.status !== 'current' && connection?.status !== 'replaced') return 'removed'
  return connection.refused_at === null ? null : 'refused'
}
