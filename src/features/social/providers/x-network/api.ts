import { z } from 'zod'
import { API_VERSIONS } from '../../../../providers/api-versions.ts'
import {
  guardedFetch,
  type JsonRequest,
  jsonRequest,
  type NetworkParts,
  refusalOf,
  tokenIn,
  wordsIn,
} from '../network.ts'
import type { Credentials, PostLimits, Profile } from '../provider.ts'

const NAMES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' }

const FIELDS = 'name,username,profile_image_url,public_metrics,subscription_type'
/** The maximum number of characters of a post by a user who pays for X. */
const LONG_POSTS = 25_000
const PAYING = ['Basic', 'Premium', 'PremiumPlus']

/** The response fields that are used (docs.x.com, X API v2). */
const User = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  profile_image_url: z.string().optional(),
  public_metrics: z.object({ followers_count: z.number() }).optional(),
  subscription_type: z.string().optional(),
})
const Me = z.object({ data: User })

const Metrics = z.object({
  like_count: z.number(),
  reply_count: z.number(),
  retweet_count: z.number(),
  quote_count: z.number(),
  bookmark_count: z.number().optional(),
  impression_count: z.number().optional(),
})

const Link = z.object({ url: z.string(), expanded_url: z.string(), media_key: z.string().optional() })

const Post = z.object({
  id: z.string(),
  text: z.string(),
  /** The full text of a long post. */
  note_tweet: z.object({ text: z.string() }).optional(),
  author_id: z.string().optional(),
  created_at: z.string().optional(),
  conversation_id: z.string().optional(),
  referenced_tweets: z.array(z.object({ type: z.string(), id: z.string() })).optional(),
  entities: z.object({ urls: z.array(Link).optional() }).optional(),
  public_metrics: Metrics.optional(),
})
export type Post = z.output<typeof Post>

/** A page of posts; X omits `data` if there are none. */
export const Posts = z.object({
  data: z.array(Post).default([]),
  includes: z.object({ users: z.array(User).default([]) }).optional(),
})
export type Posts = z.output<typeof Posts>

export const Created = z.object({ data: z.object({ id: z.string() }) })

const Processing = z.object({
  state: z.enum(['pending', 'in_progress', 'succeeded', 'failed']),
  check_after_secs: z.number().optional(),
  error: z.object({ message: z.string() }).optional(),
})
export const Upload = z.object({ data: z.object({ id: z.string(), processing_info: Processing.optional() }) })
export type Upload = z.output<typeof Upload>

/** A response whose body is ignored. */
export const Anything = z.unknown()

const Refusal = z.object({
  title: z.string().optional(),
  detail: z.string().optional(),
  errors: z.array(z.object({ message: z.string().optional(), detail: z.string().optional() })).optional(),
})

export interface Api {
  userId: string
  /** Sends a request. Rejects with a PlatformRefusedError if X refuses it, and with a PlatformBusyError if it limits the rate. */
  call<Shape extends z.ZodType>(path: string, shape: Shape, request?: JsonRequest): Promise<z.output<Shape>>
}

/** Returns an API client. Throws a PlatformRefusedError for invalid credentials. */
export function apiOf({ web, addressOf }: NetworkParts, credentials: Credentials, signal: AbortSignal): Api {
  const token = tokenIn('X', credentials)
  const fetch = guardedFetch(web, signal)
  const address = `${addressOf('https://api.x.com')}/${API_VERSIONS.x.version}`
  return {
    userId: credentials.user_id ?? '',
    async call(path, shape, request = {}) {
      const answer = await fetch(address + path, jsonRequest(token, request))
      const text = await answer.text()
      if (answer.ok) return shape.parse(text === '' ? {} : JSON.parse(text))
      throw refusalOf(answer, { network: 'X', words: wordsIn('X', text, wordsOf) })
    },
  }
}

function wordsOf(json: unknown): string | undefined {
  const { title, detail, errors = [] } = Refusal.parse(json)
  const [first] = errors
  return first?.message ?? first?.detail ?? detail ?? title
}

export async function profileOf(api: Api): Promise<{ id: string; profile: Profile; limits: PostLimits | null }> {
  const { data } = await api.call(`/users/me?user.fields=${FIELDS}`, Me)
  const { id, username, name, profile_image_url, public_metrics, subscription_type = '' } = data
  return {
    id,
    profile: {
      username,
      displayName: name,
      profileUrl: `https://x.com/${username}`,
      avatarUrl: profile_image_url ?? null,
      followersCount: public_metrics?.followers_count ?? null,
    },
    limits: PAYING.includes(subscription_type) ? { characters: LONG_POSTS } : null,
  }
}

/** Returns the original text of a post: X shortens links, adds one for media, and escapes three characters. */
export function textOf({ text, note_tweet, entities }: Post): string {
  const links = entities?.urls ?? []
  const whole = note_tweet?.text ?? text
  const long = links.reduce(
    (words, { url, expanded_url, media_key }) => words.replaceAll(url, media_key === undefined ? expanded_url : ''),
    whole,
  )
  return long.replace(/&(amp|lt|gt);/g, (_, name: string) => NAMES[name] ?? '').trim()
}

/** Normalizes a text for comparison: ignores white space, and the scheme and trailing slash that X adds to links. */
export function comparable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/https?:\/\//g, '')
    .replace(/\/(?=\s|$)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
