import { isUser } from '../../../../contract/declarations/caller.ts'
import { ApiError, invalid } from '../../../../contract/declarations/errors.ts'
import { newId } from '../../../../contract/values/ids.ts'
import {
  type ConnectedAccount,
  ConnectionRefusedError,
  KeyRefusedError,
  type PaymentConnector,
  type PaymentPlatform,
} from '../../../../providers/payments/connector.ts'
import type { Context, InAccount, OutsideContext } from '../../../../records/context.ts'
import { writeLog } from '../../../../records/log.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import { membersOf } from '../../../company/user/members.ts'
import {
  CONNECTION_PREFIX,
  type ConnectionRow,
  change,
  connectionsOf,
  currentConnection,
  keepInspected,
  makeCurrent,
} from './current.ts'
import { BY_PLATFORM, takeUpAgain } from './inspect.ts'
import { connectorOf, noticesPath, sealKey, sealSecrets, secretsOf } from './open.ts'

const OUTSIDE_MS = 25_000

/** The webhook endpoint at the provider and its signing secret; null if the provider cannot reach this service. */
type NoticesEndpoint = { id: string; secret: string } | null

/**
 * Connects a provider account by its API key, or replaces the key if the account is connected already. The account takes new
 * payments from now on, unless it is a former connection with a refused key and another connection takes them. Throws a 422 for a
 * refused key.
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
  context: InAccount,
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

/**
 * Returns the URL of the page where the owner completes the account at the provider, or of the settings page if nothing is missing. The
 * first call creates an account on the platform of this service.
 */
export async function onboardingUrl(context: OutsideContext, provider: string): Promise<string> {
  requireLive(context)
  const { platform, title } = connectorOf(context, provider)
  if (platform === null) throw new ApiError('invalid_state', `This service makes no accounts at ${title}. Enter a key.`)
  const signal = AbortSignal.timeout(OUTSIDE_MS)
  try {
    const connection = await preparedConnection(context, { provider, platform, signal })
    const { subdomain } = await accountOf(context)
    const page = `${context.publicUrl}/dashboard/${subdomain}/settings/payments`
    if (connection.status === 'replaced' && (await takeUpAgain(context, connection))) return page
    return await platform.onboardingUrl({
      providerAccount: connection.provider_account,
      returnUrl: `${page}/${connection.id}/onboarded`,
      refreshUrl: page,
      signal,
    })
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (error instanceof ConnectionRefusedError) throw new ApiError('invalid_state', error.message)
    throw new ApiError('upstream_failed', `${title} could not be reached. Nothing was changed. Try again.`)
  }
}

interface PlatformTarget {
  provider: string
  platform: PaymentPlatform
  signal: AbortSignal
}

async function preparedConnection(
  context: OutsideContext,
  { provider, platform, signal }: PlatformTarget,
): Promise<ConnectionRow> {
  const known = await findByPlatform(context, { provider, platform })
  const account = known?.provider_account ?? (await platform.createAccount({ ...(await ownerOf(context)), signal }))
  return context.transaction(async (part) => {
    const there = await findByPlatform(part, { provider, platform })
    if (!there) return insert(part, { provider, account, live: platform.live })
    if (there.status === 'removed' || there.status === 'deleted')
      await change(part, there.id, { status: 'onboarding', updated_at: part.realNow })
    return there
  })
}

async function findByPlatform(
  context: InAccount,
  { provider, platform }: Pick<PlatformTarget, 'provider' | 'platform'>,
): Promise<ConnectionRow | undefined> {
  const live = Number(platform.live)
  return (await connectionsOf(context)).find(
    (one) => one.access === 'platform' && one.provider === provider && one.live === live,
  )
}

function accountOf(context: OutsideContext) {
  const account = rowsOf(context, 'accounts').select(['name', 'country', 'subdomain'])
  return account.where('id', '=', context.accountId).executeTakeFirstOrThrow()
}

async function ownerOf(context: OutsideContext) {
  const { name, country } = await accountOf(context)
  const { accountId, caller } = context
  const email = isUser(caller) ? (await membersOf(context)).get(caller.userId)?.email : undefined
  return { accountId, name, email: email ?? '', ...(country !== null && { country }) }
}

async function insert(
  context: Context,
  { provider, account, live }: { provider: string; account: string; live: boolean },
): Promise<ConnectionRow> {
  const all = await connectionsOf(context)
  if (all.some((one) => one.provider === provider && one.provider_account === account && one.live === Number(live)))
    throw new ApiError('invalid_state', KEPT_BY_KEY)
  const id = newId(CONNECTION_PREFIX)
  const times = { created_at: context.realNow, updated_at: context.realNow }
  const blank = { name: null, details: NOTHING_KNOWN, refused_at: null, refused_reason: null }
  const place = { account_id: context.accountId, id, provider, provider_account: account, live: Number(live) }
  const row: ConnectionRow = { ...place, ...BY_PLATFORM, ...blank, ...times, status: 'onboarding' }
  await context.db.insertInto('payment_connections').values(row).execute()
  await writeLog(context.db, context.caller, { kind: 'operation', operation: 'begin_payment_onboarding', resource: id })
  return row
}

/** Shown if the owner has connected the account on this service's platform by an API key. */
const KEPT_BY_KEY =
  'The account that this service made for you is connected by a key of its own. To use it again, enter a key of it.'

const NOTHING_KNOWN = JSON.stringify({ takesPayments: false, methods: [], payouts: null, missing: [] })
