import { ApiError } from '../../../../contract/declarations/errors.ts'
import type { Context } from '../../../../records/context.ts'
import { findConnection, isConnection } from './find.ts'
import { providerTitle } from './open.ts'

/** Throws a 400 that says what to do about a payment whose connection takes no requests. `elsewhere` is what to do at the provider. */
export async function requireConnected(
  context: Context,
  { provider }: { provider: string },
  elsewhere: (title: string) => string,
): Promise<void> {
  const connection = isConnection(provider) ? await findConnection(context, provider) : undefined
  if (!connection || (connection.status !== 'deleted' && connection.refused_at === null)) return
  const title = providerTitle(context, connection.provider)
  const name = connection.name ?? connection.provider_account
  throw new ApiError(
    'invalid_state',
    connection.status === 'deleted'
      ? `This order was paid by a connection to ${title} (${name}) that was deleted. ${elsewhere(title)}`
      : `${title} no longer takes the key of ${name}, by which this order was paid. Enter a new key under Settings, Payments, and try again.`,
  )
}
