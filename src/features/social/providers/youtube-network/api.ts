import { z } from 'zod'
import { DAY_MS } from '../../../../contract/values/values.ts'
import { momentOf, readingAt } from '../../../../contract/values/wall-clock.ts'
import { API_VERSIONS } from '../../../../providers/api-versions.ts'
import type { WebAnswer } from '../../../../providers/web/client.ts'
import {
  guardedFetch,
  type JsonRequest,
  jsonRequest,
  type NetworkParts,
  refusalOf,
  tokenIn,
  wordsIn,
} from '../network.ts'
import {
  type Choice,
  type Credentials,
  PlatformBusyError,
  PlatformRefusedError,
  type PostLimits,
  type Profile,
} from '../provider.ts'

/** The maximum video duration of channels without a verified telephone number. */
const UNVERIFIED_MOST_S = 15 * 60

const ZONE = 'America/Los_Angeles'

/** The response fields that are used (developers.google.com/youtube/v3/docs). Counts are strings. */
const count = z.coerce.number()

const Refusal = z.object({
  error: z.object({
    message: z.string(),
    errors: z.array(z.object({ reason: z.string().optional() })).optional(),
  }),
})

const Channels = z.object({
  items: z
    .array(
      z.object({
        id: z.string(),
        snippet: z.object({
          title: z.string(),
          customUrl: z.string().optional(),
          thumbnails: z.object({ default: z.object({ url: z.string() }).optional() }).optional(),
        }),
        statistics: z.object({ subscriberCount: count.optional(), hiddenSubscriberCount: z.boolean().optional() }),
        status: z.object({ longUploadsStatus: z.string().optional() }).optional(),
        contentDetails: z.object({ relatedPlaylists: z.object({ uploads: z.string() }) }),
      }),
    )
    .default([]),
})
export type Channel = z.output<typeof Channels>['items'][number]

export const Uploaded = z.object({ id: z.string() })

export const Videos = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      status: z
        .object({
          uploadStatus: z.string(),
          privacyStatus: z.string(),
          failureReason: z.string().optional(),
          rejectionReason: z.string().optional(),
        })
        .optional(),
      statistics: z
        .object({ viewCount: count.default(0), likeCount: count.default(0), commentCount: count.default(0) })
        .optional(),
    }),
  ),
})

export const PlaylistItems = z.object({
  items: z.array(
    z.object({
      snippet: z.object({ title: z.string(), description: z.string(), publishedAt: z.string() }),
      contentDetails: z.object({ videoId: z.string() }),
    }),
  ),
})

export const CommentShape = z.object({
  id: z.string(),
  snippet: z.object({
    textDisplay: z.string(),
    textOriginal: z.string().optional(),
    authorDisplayName: z.string().default(''),
    authorChannelId: z.object({ value: z.string() }).optional(),
    likeCount: z.number().default(0),
    parentId: z.string().optional(),
    publishedAt: z.string(),
  }),
})
export type Comment = z.output<typeof CommentShape>
export const Comments = z.object({ items: z.array(CommentShape) })

export const Threads = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      snippet: z.object({ topLevelComment: CommentShape, totalReplyCount: z.number().default(0) }),
      replies: z.object({ comments: z.array(CommentShape) }).optional(),
    }),
  ),
})

export const Anything = z.object({})

const BRIEFLY_MS = 60_000

export interface Api {
  channel: string
  token: string
  /** Sends a request. Rejects with a PlatformRefusedError if YouTube refuses it, and with a PlatformBusyError if a quota is used up. */
  call<Shape extends z.ZodType>(path: string, shape: Shape, request?: JsonRequest): Promise<z.output<Shape>>
}

/** A refusal with the API's reason, such as `commentsDisabled`. */
export class ReasonedRefusalError extends PlatformRefusedError {
  readonly reason: string

  constructor(message: string, reason: string, expired: boolean) {
    super(message, { expired })
    this.reason = reason
  }
}

/** Returns an API client. Throws a PlatformRefusedError for invalid credentials. */
export function apiOf({ web, addressOf }: NetworkParts, credentials: Credentials, signal: AbortSignal): Api {
  const token = tokenIn('YouTube', credentials)
  const fetch = guardedFetch(web, signal)
  const address = `${addressOf('https://www.googleapis.com')}/youtube/${API_VERSIONS.youtube.version}`
  return {
    ...{ channel: credentials.channel ?? '', token },
    async call(path, shape, request = {}) {
      const answer = await fetch(address + path, jsonRequest(token, request))
      const text = await answer.text()
      if (!answer.ok) throw refusedBy(answer, text)
      return shape.parse(text === '' ? {} : JSON.parse(text))
    },
  }
}

/** Returns the same error as `refusedBy` for a failed response with a binary body. */
export function refusalIn({ status, headers, body }: WebAnswer): Error {
  return refusedBy({ status, headers: new Headers(headers) }, Buffer.from(body).toString('utf8'))
}

function refusedBy(answer: Pick<Response, 'status' | 'headers'>, text: string): Error {
  let reason = ''
  const words = wordsIn('YouTube', text, (json) => {
    const { message, errors = [] } = Refusal.parse(json).error
    reason = errors[0]?.reason ?? ''
    // Some messages contain HTML links.
    return message.replace(/<[^>]*>/g, '').trim()
  })
  if (QUOTAS.includes(reason)) return new PlatformBusyError(words, quotaRenewedAt(Date.now()))
  if (RATES.includes(reason)) return new PlatformBusyError(words, Date.now() + BRIEFLY_MS)
  const refused = new ReasonedRefusalError(words, reason, answer.status === 401)
  return refusalOf(answer, { network: 'YouTube', words }, refused)
}

/** The reasons for a used-up daily quota and for a rate limit (Errors, Global domain). */
const QUOTAS = ['quotaExceeded', 'dailyLimitExceeded']
const RATES = ['rateLimitExceeded', 'userRateLimitExceeded']

/** Returns when quotas reset: the next midnight in Pacific time, in milliseconds since 1970. */
export function quotaRenewedAt(now: number): number {
  const days = Math.floor(readingAt(ZONE, now) / DAY_MS)
  return momentOf(ZONE, (days + 1) * DAY_MS)
}

export async function channelsOf(api: Api): Promise<Channel[]> {
  const { items } = await api.call('/channels?part=snippet,statistics,status,contentDetails&mine=true', Channels)
  return items
}

/** Returns the connected channel. Rejects with a PlatformRefusedError if the token gives no access to this channel. */
export async function channelOf(api: Api): Promise<Channel> {
  const channels = await channelsOf(api)
  const channel = api.channel === '' ? channels[0] : channels.find(({ id }) => id === api.channel)
  if (channel) return channel
  throw new PlatformRefusedError('The access to YouTube is not to this channel.', { expired: true })
}

export function choiceOf(channel: Channel, credentials: Credentials): Choice {
  return { profile: profileOf(channel), credentials: { ...credentials, channel: channel.id } }
}

export function profileOf({ id, snippet, statistics }: Channel): Profile {
  const { hiddenSubscriberCount: isHidden, subscriberCount } = statistics
  return {
    username: snippet.customUrl?.replace(/^@/, '') ?? id,
    displayName: snippet.title,
    profileUrl: `https://www.youtube.com/${snippet.customUrl ?? `channel/${id}`}`,
    avatarUrl: snippet.thumbnails?.default?.url ?? null,
    followersCount: isHidden ? null : (subscriberCount ?? null),
  }
}

export function limitsOf({ status }: Channel): PostLimits | null {
  const known = status?.longUploadsStatus
  return known === undefined || known === 'allowed' || known === 'longUploadsUnspecified'
    ? null
    : { videoSeconds: UNVERIFIED_MOST_S }
}
