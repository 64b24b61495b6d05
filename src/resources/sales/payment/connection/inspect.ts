import { isUser } from '../../../../contract/declarations/caller.ts'
import { ApiError, missingResource } from '../../../../contract/declarations/errors.ts'
import { include } from '../../../../contract/declarations/role-rights.ts'
import { type ConnectedAccount, KeyRefusedError } from '../../../../providers/payments/connector.ts'
import type { Context, InAccount, OutsideContext, VaultContext } from '../../../../records/context.ts'
import { dueJob, job } from '../../../../records/job.ts'
import { writeLog } from '../../../../records/log.ts'
import { updateRowsOf } from '../../../../records/rows-of.ts'
import { currentAccount } from '../../../company/account/current.ts'
import { membersOf } from '../../../company/user/members.ts'
import { queuePaymentsStopped } from '../../../messages/email/service-mail.ts'
import { type ConnectionRow, change, currentConnection, findConnection, keepInspected, makeCurrent } from './current.ts'
import { connectorOf, credentialsOf, providerTitle } from './open.ts'

const OUTSIDE_MS = 25_000

/**
 * Reads the state of the account from the provider again. A refused key counts as working if the provider now accepts it, for
 * example because a missing permission was added.
 */
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

/** E-mails all members who may enter a new key, unless one was entered meanwhile. */
export const tellOfRefusal = dueJob<{ connection: string }>('payment_connection.tell_of_refusal', {
  emits: ['email.created'],
  async work(context: Context, { connection: id }) {
    const connection = await findConnection(context, id)
    if (!connection || connection.refused_at === null) return
    const { subdomain, name: account } = await currentAccount(context)
    const data = {
      account,
      provider: providerTitle(context, connection.provider),
      reason: connection.refused_reason ?? '',
      isCurrent: connection.status === 'current',
      url: `${context.publicUrl}/dashboard/${subdomain}/settings/payments`,
    }
    const members = [...(await membersOf(context)).values()]
    for (const { email: to } of members.filter(({ role }) => include([role], 'settings.write')))
      await queuePaymentsStopped(context, { to, customer: null }, data)
  },
})

const MAX_REASON = 300

interface KeyRefusal {
  name: string
  /** The encrypted key that was refused. */
  key: string | null
  message: string
}

/** Returns the error if an account's own key was refused, otherwise null. */
export function keyRefusalIn(error: unknown): KeyRefusedError | null {
  return error instanceof KeyRefusedError && error.owner === 'account' ? error : null
}

/** Records the refusal of a key, and e-mails the team once. Returns true if the key was replaced meanwhile. */
export async function noteRefusal(context: Context, { name, key, message }: KeyRefusal): Promise<boolean> {
  const connection = await findConnection(context, name)
  if (!connection) return false
  if (connection.sealed_key !== key) return connection.status !== 'deleted'
  if (connection.refused_at !== null) return false
  const refused = { refused_at: context.realNow, refused_reason: message.slice(0, MAX_REASON) }
  await updateRowsOf(context, 'payment_connections').set(refused).where('id', '=', name).execute()
  if (connection.status !== 'removed') await context.enqueue(tellOfRefusal, { connection: name }, { inRealTime: true })
  return false
}

/** Throws a 404 for an unknown or deleted connection. */
async function requireConnection(context: InAccount, id: string): Promise<ConnectionRow> {
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

/** Deletes the connection's webhook at the provider. A refused key is ignored, so that its connection can still be deleted. */
export async function endWebhook(place: VaultContext, connection: ConnectionRow): Promise<void> {
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
