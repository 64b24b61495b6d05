import { isUser } from '../../../../contract/declarations/caller.ts'
import { ApiError } from '../../../../contract/declarations/errors.ts'
import { type ConnectedAccount, KeyRefusedError } from '../../../../providers/payments/connector.ts'
import type { Context, OutsideContext } from '../../../../records/context.ts'
import { job } from '../../../../records/job.ts'
import { keepInspected, makeCurrent } from './current.ts'
import { type ConnectionRow, currentConnection, findConnection } from './find.ts'
import { connectorOf, credentialsOf } from './open.ts'
import { noteRefusal } from './refused.ts'
import { requireConnection } from './remove.ts'

const OUTSIDE_MS = 25_000

/** Reads the state of the account from the provider, so that a key works again after a missing permission was added. */
export async function checkConnection(context: OutsideContext, id: string): Promise<void> {
  const connection = await requireConnection(context, id)
  const { title } = connectorOf(context, connection.provider)
  try {
    await inspect(context, connection, AbortSignal.timeout(OUTSIDE_MS))
  } catch {
    throw new ApiError('upstream_failed', `${title} could not be reached. Nothing was changed. Try again.`)
  }
}

/** Enqueued when the provider reports that the account has changed. */
export const inspectConnection = job<{ connection: string }>('payment_connection.inspect', {
  async work(job, { connection: id }) {
    const connection = await job.read((context) => findConnection(context, id))
    if (connection && connection.status !== 'deleted') await inspect(job, connection, job.signal)
  },
})

type InspectContext = Pick<OutsideContext, 'services' | 'transaction'>

async function inspect(place: InspectContext, connection: ConnectionRow, signal: AbortSignal): Promise<void> {
  const { id, provider, sealed_key: key } = connection
  const credentials = credentialsOf(place, connection)
  if (credentials === null) return
  try {
    const account = await connectorOf(place, provider).inspect(credentials, signal)
    await place.transaction((part) => applyInspection(part, id, account))
  } catch (error) {
    if (!(error instanceof KeyRefusedError) || error.owner !== 'account') throw error
    const { message } = error
    await place.transaction((part) => noteRefusal(part, { name: id, key, message }))
  }
}

/** Makes a replaced account on the service's platform take new payments again; returns false if the provider does not allow it. */
export async function takeUpAgain(context: OutsideContext, { id }: ConnectionRow): Promise<boolean> {
  const connection = await requireConnection(context, id)
  const credentials = credentialsOf(context, connection)
  if (credentials === null) return false
  const { provider } = connection
  const account = await connectorOf(context, provider).inspect(credentials, AbortSignal.timeout(OUTSIDE_MS))
  if (!account.takesPayments) return false
  await context.transaction((part) => makeCurrent(part, { provider, id, account, values: BY_PLATFORM }))
  return true
}

/**
 * Stores an inspection. A newly onboarded account takes new payments; if another connection does already, only a person can change that.
 */
async function applyInspection(context: Context, id: string, account: ConnectedAccount): Promise<void> {
  const now = await findConnection(context, id)
  if (!now || now.status === 'deleted') return
  const isWanted = isUser(context.caller) || (await currentConnection(context)) === undefined
  if (now.status !== 'onboarding' || !account.takesPayments || !isWanted) return keepInspected(context, id, account)
  await makeCurrent(context, { provider: now.provider, id, account, values: BY_PLATFORM })
}

const NO_KEY = { sealed_key: null, key_hint: null, sealed_notices_secrets: null, notices_id: null }
/** An account on the platform of this service has no key or webhook of its own. */
export const BY_PLATFORM = { access: 'platform', ...NO_KEY } as const
