import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { Places } from '../../concurrency/places.ts'
import type { Caller, TokenCaller } from '../../contract/declarations/caller.ts'
import { ApiError } from '../../contract/declarations/errors.ts'
import { storable } from '../../contract/declarations/shared-schema.ts'
import type { EventType } from '../../contract/documents/event-types.ts'
import { didYouMean } from '../../contract/values/nearest.ts'
import { DAY_MS, MINUTE_MS, timestampOf } from '../../contract/values/values.ts'
import { challenge, refusedAddress } from '../../events/challenge.ts'
import type { Context } from '../../records/context.ts'

interface SubscriptionKey {
  url: string
  event: string
}

/** The subscriptions, which are webhook endpoints. */
interface Subscriptions {
  subscriptionId(caller: TokenCaller, key: SubscriptionKey): string
  mayReceive(context: Context, type: EventType): boolean
  isVerified(context: Context, id: string, secret: string): Promise<boolean>
  subscribe(
    context: Context,
    caller: TokenCaller,
    values: SubscriptionKey & { secret: string; expiresAt: string },
  ): Promise<void>
  unsubscribe(context: Context, caller: TokenCaller, key: SubscriptionKey): Promise<boolean>
}

export interface EventParts {
  subscriptions: Subscriptions
  /** Reads outside of any transaction. */
  look<Value>(caller: Caller, work: (context: Context) => Promise<Value>): Promise<Value>
  /** Writes in a transaction. The writes of one account run one after the other. */
  write<Value>(caller: Caller, work: (context: Context) => Promise<Value>): Promise<Value>
}

/** Limits the callbacks that are verified at once, in total and per account, because each can take ten seconds to respond. */
const CHALLENGES = new Places({ count: 100, each: 5 })
const FORBIDDEN = -32012
const CALLBACK_FAILED = -32015
const PAGE = 50
/** The minimum and maximum lifetime of a subscription that is not renewed. */
const SHORTEST_MS = MINUTE_MS
const LONGEST_MS = 7 * DAY_MS

const NO_ARGUMENTS = { type: 'object', properties: {}, additionalProperties: false }
/** The fields that all payloads have. */
const PAYLOAD = { type: 'object', properties: { id: { type: 'string' }, object: { type: 'string' } }, required: ['id'] }

/** The maximum length of a URL that can be stored. It is checked here, so that longer ones are not verified first. */
const MAX_URL = 2_048
/** Matches `whsec_` and 24 to 64 bytes in Base64. */
const SECRET = /^whsec_[A-Za-z0-9+/]{31,86}={0,2}$/
const key = { name: z.string().max(100), arguments: z.strictObject({}).optional() }
/** People read the URL in the dashboard, so it must not hide what it is. */
const url = storable()
  .max(MAX_URL)
  .regex(/^[^\s\p{C}]*$/u, 'must not contain spaces or invisible characters')
const listed = z.looseObject({ cursor: z.string().max(100).nullish() }).optional()
const subscribed = z.looseObject({
  ...key,
  delivery: z.looseObject({ mode: z.literal('webhook'), url, secret: z.string().regex(SECRET).refine(isLongEnough) }),
  cursor: z.string().max(1_000).nullish(),
  ttlMs: z.number().int().min(0).nullish(),
})
const unsubscribed = z.looseObject({ ...key, delivery: z.looseObject({ url }) })

/** Handles the extension for events (SEP-3415): each token can subscribe a URL to the events that it may read. */
export function answerEvents(
  server: Server,
  parts: EventParts,
  { caller, signal }: { caller: Caller; signal: AbortSignal },
): void {
  server.setRequestHandler('events/list', { params: listed }, (params) =>
    parts.look(caller, async (context) => list(parts, context, params?.cursor ?? '')),
  )
  server.setRequestHandler('events/subscribe', { params: subscribed }, ({ name, delivery, cursor, ttlMs }) =>
    parts.look(tokenOf(caller), async (context) => {
      const event = requireReceivable(parts, context, name).name
      const { url, secret } = delivery
      const id = await verify(parts, context, { caller: tokenOf(caller), signal }, { url, event, secret })
      const expiresAt = timestampOf(new Date(Date.now() + lifetimeOf(ttlMs)))
      await parts
        .write(caller, (writing) =>
          parts.subscriptions.subscribe(writing, tokenOf(caller), { url, event, secret, expiresAt }),
        )
        .catch(refuse)
      const isReplayAsked = typeof cursor === 'string'
      return { resultType: 'complete', id, refreshBefore: expiresAt, cursor: null, truncated: isReplayAsked }
    }),
  )
  server.setRequestHandler('events/unsubscribe', { params: unsubscribed }, async ({ name, delivery }) => {
    const ended = { url: delivery.url, event: name }
    await parts.write(tokenOf(caller), (context) => parts.subscriptions.unsubscribe(context, tokenOf(caller), ended))
    return { resultType: 'complete' }
  })
}

function list({ subscriptions }: EventParts, context: Context, after: string) {
  const following = context.eventTypes.all.filter(
    (type) => type.name > after && subscriptions.mayReceive(context, type),
  )
  const page = following.slice(0, PAGE)
  const events = page.map(({ name, description }) => ({
    ...{ name, description, delivery: ['webhook'] },
    ...{ inputSchema: NO_ARGUMENTS, payloadSchema: PAYLOAD },
  }))
  return { resultType: 'complete', events, ...(following.length > PAGE && { nextCursor: page.at(-1)?.name }) }
}

function requireReceivable({ subscriptions }: EventParts, context: Context, name: string): EventType {
  const type = context.eventTypes.find(name)
  if (!type) throw invalidParams(`${name} is not an event${didYouMean(name, context.eventTypes.names)}.`)
  if (!subscriptions.mayReceive(context, type))
    throw new ProtocolError(FORBIDDEN, `This token may not read ${type.resource}.`)
  return type
}

/** Returns the id of the subscription. Its URL must first echo a challenge, unless it has already done so. */
async function verify(
  { subscriptions }: EventParts,
  context: Context,
  { caller, signal }: { caller: TokenCaller; signal: AbortSignal },
  { secret, ...key }: SubscriptionKey & { secret: string },
): Promise<string> {
  const client = context.services.web.webhooks
  const id = subscriptions.subscriptionId(caller, key)
  await client.check(key.url).catch(refuse)
  if (await subscriptions.isVerified(context, id, secret)) return id
  const leave = await CHALLENGES.take(caller.accountId, signal)
  const reason = await challenge(client, { url: key.url, secret, subscription: id }).catch(refuse).finally(leave)
  if (reason !== null) throw new ProtocolError(CALLBACK_FAILED, 'The callback URL was not verified.', { reason })
  return id
}

function lifetimeOf(ttlMs: number | null | undefined): number {
  return Math.max(SHORTEST_MS, Math.min(LONGEST_MS, ttlMs ?? DAY_MS))
}

function isLongEnough(secret: string): boolean {
  const { length } = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return length >= 24 && length <= 64
}

function tokenOf(caller: Caller): TokenCaller {
  if (caller.kind === 'token') return caller
  throw new ProtocolError(FORBIDDEN, 'Only callers with an API token or a connection can subscribe.')
}

function refuse(error: unknown): never {
  const problem = refusedAddress(error)
  if (problem) throw invalidParams(`delivery.url ${problem}.`)
  if (!(error instanceof ApiError)) throw error
  throw error.code === 'permission_denied' ? new ProtocolError(FORBIDDEN, error.message) : invalidParams(error.message)
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}
