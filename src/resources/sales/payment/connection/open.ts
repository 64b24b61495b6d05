import { ApiError } from '../../../../contract/declarations/errors.ts'
import type { Credentials, PaymentConnector } from '../../../../providers/payments/connector.ts'
import type { PaymentProvider } from '../../../../providers/payments/provider.ts'
import type { Context, VaultContext } from '../../../../records/context.ts'
import { type ConnectionRow, findConnection, isConnection } from './current.ts'

type ConnectionIds = Pick<ConnectionRow, 'account_id' | 'id'>

const KEY = 'payment_key'
const SECRETS = 'payment_notices'

/** The provider of the connection sends its webhooks to this path. */
export function noticesPath({ provider, account_id, id }: ConnectionIds & Pick<ConnectionRow, 'provider'>): string {
  return `/payments/${provider}/notices/${account_id}/${id}`
}

export function sealKey(context: VaultContext, row: ConnectionIds, key: string): string {
  return seal(context, KEY, row, key)
}

export function sealSecrets(context: VaultContext, row: ConnectionIds, secrets: readonly string[]): string {
  return seal(context, SECRETS, row, JSON.stringify(secrets))
}

export function secretsOf(context: VaultContext, row: ConnectionRow): string[] {
  const sealed = row.sealed_notices_secrets
  if (sealed === null) return []
  const secrets: string[] = JSON.parse(unseal(context, SECRETS, row, sealed))
  return secrets
}

function keyOf(context: VaultContext, row: ConnectionRow): string | null {
  return row.sealed_key === null ? null : unseal(context, KEY, row, row.sealed_key)
}

/** Returns null if the connection was deleted or has no key. */
export function credentialsOf(context: VaultContext, row: ConnectionRow): Credentials | null {
  if (row.status === 'deleted') return null
  if (row.access === 'platform') return { by: 'platform', providerAccount: row.provider_account, live: row.live === 1 }
  const key = keyOf(context, row)
  return key === null ? null : { by: 'key', key }
}

/** Throws a 400 if this service cannot connect to the provider, as in a restored copy. */
export function connectorOf({ services }: VaultContext, provider: string): PaymentConnector {
  const connector = services.payments.connectors.find(({ name }) => name === provider)
  if (!connector) throw new ApiError('invalid_state', 'This service connects no accounts to payment providers.')
  return connector
}

export function providerTitle({ services }: VaultContext, provider: string): string {
  const { options, all } = services.payments
  return [...options, ...all].find(({ name }) => name === provider)?.title ?? provider
}

/** Throws ConnectionGoneError if the connection was deleted. */
export function openConnection(context: VaultContext, row: ConnectionRow): PaymentProvider {
  const credentials = credentialsOf(context, row)
  if (credentials === null) throw new ConnectionGoneError(row)
  return connectorOf(context, row.provider).open({
    name: row.id,
    accountId: row.account_id,
    credentials,
    noticesSecrets: secretsOf(context, row),
    noticesPath: row.access === 'key' ? noticesPath(row) : null,
  })
}

/** Returns the connection to which a webhook is addressed; null if it is unknown or deleted. */
export async function listeningConnection(
  context: Context,
  provider: string,
  id: string,
): Promise<{ opened: PaymentProvider; key: string | null; isRefused: boolean } | null> {
  const connection = await findConnection(context, id)
  if (!connection || connection.provider !== provider || connection.status === 'deleted') return null
  const { sealed_key: key, refused_at } = connection
  return { opened: openConnection(context, connection), key, isRefused: refused_at !== null }
}

/** Thrown for a request through a deleted connection, which has no key any more. */
export class ConnectionGoneError extends Error {
  constructor({ name, provider_account }: Pick<ConnectionRow, 'name' | 'provider_account'>) {
    super(`The connection to ${name ?? provider_account} was removed.`)
  }
}

// The encrypted value contains the ids of its row, so that it is rejected in another row.
function seal({ services }: VaultContext, purpose: string, { account_id, id }: ConnectionIds, value: string): string {
  return services.vault.seal(purpose, JSON.stringify([account_id, id, value]))
}

function unseal(
  { services }: VaultContext,
  purpose: string,
  { account_id, id }: ConnectionIds,
  sealed: string,
): string {
  const [account, row, value = '']: string[] = JSON.parse(services.vault.open(purpose, sealed))
  if (account !== account_id || row !== id) throw new Error(`What is stored for the connection ${id} is another’s.`)
  return value
}

/** Throws a 400 for a payment whose connection was deleted or has a refused key. `elsewhere` says what to do at the provider. */
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
