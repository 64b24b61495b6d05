import { createHash } from 'node:crypto'
import type { TokenCaller } from '../../../contract/declarations/caller.ts'
import { ApiError, invalid } from '../../../contract/declarations/errors.ts'
import { actorsOf } from '../../../contract/declarations/rights.ts'
import type { EventType } from '../../../contract/documents/event-types.ts'
import { newId } from '../../../contract/values/ids.ts'
import { cut } from '../../../contract/values/values.ts'
import { SECRET_PURPOSE } from '../../../events/signing.ts'
import type { Context } from '../../../records/context.ts'
import { holdAccess } from '../../../records/hold-access.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { WebhookEndpoint, type WebhookEndpointRow } from './webhook-endpoint.ts'
import { deleteEndpoint, forgetFailures, insertEndpoint } from './write.ts'

/** The events that subscribing and unsubscribing write. */
export const SUBSCRIPTION_EMITS = ['created', 'updated', 'deleted'].map((event) => `webhook_endpoint.${event}`)

/** The maximum number of subscriptions. Each subscription costs a delivery whenever its event occurs. */
const MOST_OF_TOKEN = 20
const MOST_OF_ACCOUNT = 60

/** The URL and event that identify a subscription of a token. */
interface SubscriptionKey {
  url: string
  event: string
}

/** Returns the id of a token's subscription, which is always the same for the same URL and event. */
export function subscriptionId({ accountId, tokenId }: TokenCaller, { url, event }: SubscriptionKey): string {
  const hash = createHash('sha256').update(JSON.stringify([accountId, tokenId, url, event]))
  return `sub_${hash.digest('hex').slice(0, 32)}`
}

/** Whether the caller may read the resource of an event. That includes what it embeds, as in responses with `expand`. */
export function mayReceive({ findNoun, mayRead }: Pick<Context, 'findNoun' | 'mayRead'>, type: EventType): boolean {
  const noun = findNoun(type.resource)
  return noun !== undefined && mayRead(noun)
}

type Reading = Pick<Context, 'db' | 'accountId' | 'realNow' | 'services'>

/** Whether a subscription is active, and its URL was verified with this secret. */
export async function isVerified(context: Reading, id: string, secret: string): Promise<boolean> {
  const endpoint = await findSubscription(context, id)
  if (!endpoint || !isActive(endpoint, context.realNow)) return false
  return context.services.vault.open(SECRET_PURPOSE, endpoint.sealed_secret) === secret
}

function isActive({ status, expires_at }: WebhookEndpointRow, now: string): boolean {
  return status === 'active' && expires_at !== null && expires_at > now
}

/**
 * Creates or renews a subscription whose URL was verified before. Throws a 403 if the token was revoked meanwhile, and a 422 if
 * there are too many subscriptions.
 */
export async function subscribe(
  context: Context,
  caller: TokenCaller,
  { url, event, secret, expiresAt }: SubscriptionKey & { secret: string; expiresAt: string },
): Promise<void> {
  if (!(await holdAccess(context, actorsOf(caller))))
    throw new ApiError('permission_denied', 'The token was revoked while its callback URL was verified.')
  const id = subscriptionId(caller, { url, event })
  await deleteExpired(context, id)
  const found = await findSubscription(context, id)
  if (found) return renew(context, found, { secret, expiresAt })
  await requireRoom(context, caller)
  const values = {
    url,
    enabled_events: [event],
    description: await describe(context, caller),
    subscription: id,
    subscriber_token: caller.tokenId,
    subscriber_user: caller.userId,
    expires_at: expiresAt,
  }
  context.emit(WebhookEndpoint, 'created', await insertEndpoint(context, values, secret))
}

export async function unsubscribe(context: Context, caller: TokenCaller, key: SubscriptionKey): Promise<boolean> {
  const found = await findSubscription(context, subscriptionId(caller, key))
  if (found) await deleteEndpoint(context, found)
  return found !== undefined
}

/** Renews a subscription. One that had ended receives only new events. */
async function renew(
  context: Context,
  endpoint: WebhookEndpointRow,
  { secret, expiresAt }: { secret: string; expiresAt: string },
): Promise<void> {
  const sealed_secret = context.services.vault.seal(SECRET_PURPOSE, secret)
  const restart = isActive(endpoint, context.realNow) ? {} : { status: 'active' as const, starts_after: newId('whev') }
  if (restart.status) await forgetFailures(context, endpoint.id)
  await context.remember(WebhookEndpoint, [endpoint])
  const changes = { sealed_secret, expires_at: expiresAt, ...restart }
  context.emit(WebhookEndpoint, 'updated', await changeRow(context, WebhookEndpoint, endpoint, changes))
}

async function requireRoom(context: Context, { tokenId }: TokenCaller): Promise<void> {
  const subscriptions = rowsOf(context, 'webhook_endpoints').where('subscription', 'is not', null)
  const tokens = await subscriptions.select('subscriber_token').execute()
  const own = tokens.filter(({ subscriber_token }) => subscriber_token === tokenId)
  if (own.length >= MOST_OF_TOKEN)
    throw invalid({ base: [`A token has at most ${MOST_OF_TOKEN} subscriptions; end one first`] })
  if (tokens.length >= MOST_OF_ACCOUNT)
    throw invalid({ base: [`An account has at most ${MOST_OF_ACCOUNT} subscriptions of MCP clients; end one first`] })
}

async function deleteExpired(context: Context, except: string): Promise<void> {
  const expired = rowsOf(context, 'webhook_endpoints').select('id').where('expires_at', '<=', context.realNow)
  for (const { id } of await expired.where('subscription', '!=', except).execute()) {
    const endpoint = await findRow(context, WebhookEndpoint, id)
    if (endpoint) await deleteEndpoint(context, endpoint)
  }
}

async function findSubscription(context: Reading, subscription: string): Promise<WebhookEndpointRow | undefined> {
  const found = rowsOf(context, 'webhook_endpoints').select('id').where('subscription', '=', subscription)
  const row = await found.executeTakeFirst()
  return row && ((await findRow(context, WebhookEndpoint, row.id)) ?? undefined)
}

/** Names the client, so that people can see who receives the events. */
async function describe(context: Context, { tokenId }: TokenCaller): Promise<string> {
  const token = await rowsOf(context, 'api_tokens').select('name').where('id', '=', tokenId).executeTakeFirst()
  const name = token?.name ?? tokenId
  return cut(
    `Subscription of an MCP client with ${token ? 'the API token' : 'the connection'} ${name}`,
    MOST_CHARACTERS,
  )
}

const MOST_CHARACTERS = 500
