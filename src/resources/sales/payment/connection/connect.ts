import { ApiError, invalid } from '../../../../contract/declarations/errors.ts'
import { newId } from '../../../../contract/values/ids.ts'
import {
  type ConnectedAccount,
  ConnectionRefusedError,
  KeyRefusedError,
  type PaymentConnector,
} from '../../../../providers/payments/connector.ts'
import type { Context, OutsideContext } from '../../../../records/context.ts'
import { writeLog } from '../../../../records/log.ts'
import { change, keepInspected, makeCurrent } from './current.ts'
import { CONNECTION_PREFIX, type ConnectionRow, connectionsOf, currentConnection } from './find.ts'
import { connectorOf, noticesPath, sealKey, sealSecrets, secretsOf } from './open.ts'

const OUTSIDE_MS = 25_000

/** The webhook endpoint at the provider and its signing secret; null if the provider cannot reach this service. */
type NoticesEndpoint = { id: string; secret: string } | null

/**
 * Connects a provider account by its API key, and makes it take new payments unless `onlyNeedsKey`. Replaces the key of an account that is
 * connected already. Throws a 422 for a refused key.
 */
export async function connectByKey(context: OutsideContext, provider: string, key: string): Promise<void> {
  requireLive(context)
  const signal = AbortSignal.timeout(OUTSIDE_MS)
  const connector = connectorOf(context, provider)
  const account = await unlessRefused(() => connector.inspect({ by: 'key', key }, signal))
  const known = await findByPlace(context, { provider, account })
  const id = known?.id ?? newId(CONNECTION_PREFIX)
  const place = { provider, account_id: context.accountId, id }
  const listening = await listenAt(connector, key, context.publicUrl + noticesPath(place), signal)
  try {
    await context.transaction((part) => store(part, { provider, id, account, key, listening }))
  } catch (error) {
    if (listening && !known) await connector.stopListening(key, listening.id, signal).catch(() => {})
    throw error
  }
}

export function requireLive({ test }: Pick<Context, 'test'>): void {
  if (test) throw new ApiError('invalid_state', 'This is a test account, so its payments are never real.')
}

async function unlessRefused<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ConnectionRefusedError) throw invalid({ key: [`was refused. ${error.message}`] })
    throw new ApiError('upstream_failed', 'The payment provider could not be reached. Nothing was changed. Try again.')
  }
}

/** Returns null if the provider cannot reach the URL, such as a local one; payments are polled then. */
async function listenAt(
  connector: PaymentConnector,
  key: string,
  url: string,
  signal: AbortSignal,
): Promise<NoticesEndpoint> {
  try {
    return await connector.listen(key, url, signal)
  } catch (error) {
    const isRefusedUrl = error instanceof ConnectionRefusedError && !(error instanceof KeyRefusedError)
    if (isRefusedUrl && !url.startsWith('https:')) return null
    return unlessRefused(() => Promise.reject(error))
  }
}

interface NewConnection {
  provider: string
  id: string
  account: ConnectedAccount
  key: string
  listening: NoticesEndpoint
}

async function findByPlace(
  context: Pick<Context, 'db' | 'accountId'>,
  { provider, account }: Pick<NewConnection, 'provider' | 'account'>,
): Promise<ConnectionRow | undefined> {
  return (await connectionsOf(context)).find(
    (one) => one.provider === provider && one.provider_account === account.id && one.live === Number(account.live),
  )
}

async function store(context: Context, { provider, id, account, key, listening }: NewConnection): Promise<void> {
  const known = await findByPlace(context, { provider, account })
  if (known && known.id !== id)
    throw new ApiError('invalid_state', 'Somebody else has just connected the same account. Look at it, and try again.')
  const row = { account_id: context.accountId, id }
  const secrets = [...(listening ? [listening.secret] : []), ...(known ? secretsOf(context, known) : [])].slice(0, 2)
  const values = {
    ...{ access: 'key' as const, sealed_key: sealKey(context, row, key), key_hint: key.slice(-4) },
    ...{ sealed_notices_secrets: sealSecrets(context, row, secrets), notices_id: listening?.id ?? null },
  }
  if (known && (await onlyNeedsKey(context, known))) {
    await change(context, id, values)
    await keepInspected(context, id, account)
  } else await makeCurrent(context, { provider, id, account, values })
  await writeLog(context.db, context.caller, {
    kind: 'operation',
    operation: 'connect_payments',
    resource: id,
    fields: ['key'],
  })
}

/** Whether the key only replaces the refused key of a former connection, while another connection takes new payments. */
async function onlyNeedsKey(context: Context, { id, status, refused_at }: ConnectionRow): Promise<boolean> {
  const isFormer = refused_at !== null && (status === 'replaced' || status === 'removed')
  const current = isFormer ? await currentConnection(context) : undefined
  return current !== undefined && current.id !== id
}
