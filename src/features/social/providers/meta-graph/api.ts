import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { MINUTE_MS } from '../../../../contract/values/values.ts'
import { API_VERSIONS } from '../../../../providers/api-versions.ts'
import { busyUntil, guardedFetch, MOST_WORDS, type NetworkParts, parsed } from '../network.ts'
import { PlatformBusyError, PlatformRefusedError, type Profile } from '../provider.ts'

/** The wait after a rate limit. Limits of apps and users count the calls of the last hour, and no response says when they reset. */
const DEFAULT_WAIT_MS = 10 * MINUTE_MS
/** The maximum wait after a rate limit: the request is then repeated even if the network asked for a longer wait. */
const LONGEST_WAIT_MS = 24 * 60 * MINUTE_MS
/** The wait after the quota of posts in 24 hours is used up, because no response says when the next post is allowed. */
export const QUOTA_WAIT_MS = 60 * MINUTE_MS

/** The format of an error response, which all Graph APIs share (Graph API, Handle errors). */
const Refusal = z.object({
  error: z.object({
    message: z.string().optional(),
    code: z.number().optional(),
    error_subcode: z.number().optional(),
    error_user_msg: z.string().optional(),
    is_transient: z.boolean().optional(),
  }),
})
type GraphError = z.output<typeof Refusal>['error']

/** The error codes for a token that has expired or was revoked, or whose session has ended. */
const EXPIRED = [102, 190, 463, 467]
/** Rate limits of the app, user, page or business (Graph API, Rate limits); codes from 80000 on are those of business use cases. */
const LIMITED = [4, 17, 32, 341, 613]
const USE_CASES = { first: 80_000, last: 80_014 }
/** The error codes for temporary errors of the network and for media that are still being processed: a retry may succeed. */
const TEMPORARY = [1, 2, 9007]
/** The code for too many posts in 24 hours. */
const QUOTA = { code: 9, subcode: 2_207_042 }
/** The code for an object that does not exist or is not visible to the account. */
const GONE = { code: 100, subcode: 33 }

/** The object no longer exists, or the account may not see it. */
class GoneError extends PlatformRefusedError {}

const NO_REASON = 'the network refused it without a reason'

/** The usage of a rate limit: all values are percentages except the last, the minutes until a business may call again. */
const Usage = z.object({
  call_count: z.number().default(0),
  total_time: z.number().default(0),
  total_cputime: z.number().default(0),
  estimated_time_to_regain_access: z.number().default(0),
})
const UseCases = z.record(z.string(), z.array(Usage))

/** The format of a response with only an id, which several of the networks share. */
export const Id = z.object({ id: z.string().min(1) })
/** A response whose body is ignored. */
export const Anything = z.unknown()

/** The number of posts that an account published in the last 24 hours, and the maximum. */
export const Quota = listOf(
  z.object({ quota_usage: z.number(), config: z.object({ quota_total: z.number() }).optional() }),
)
export type Quota = z.output<typeof Quota>

/** Metrics by name: each has a single value, or one value per day that ends at `end_time`. */
export const Insights = listOf(
  z.object({
    name: z.string(),
    values: z.array(z.object({ value: z.unknown(), end_time: z.string().optional() })).default([]),
    total_value: z.object({ value: z.unknown() }).optional(),
  }),
)
export type Insights = z.output<typeof Insights>

/** The version of the Graph API (Graph API, Versioning: each is supported for two years or more). */
export const GRAPH_VERSION = API_VERSIONS.metaGraph.version
export const GRAPH = `https://graph.facebook.com/${GRAPH_VERSION}`
export const GRAPH_VIDEO = `https://graph-video.facebook.com/${GRAPH_VERSION}`
/** The percentage of a rate limit above which less urgent work is postponed to another day. */
const MOST_USED = 90

type RequestValues = Record<string, string>

/** A Graph API client for one page, account or person. Each request rejects with a PlatformRefusedError or a PlatformBusyError. */
export interface Graph {
  get<Shape extends z.ZodType>(path: string, shape: Shape, query?: RequestValues): Promise<z.output<Shape>>
  /** Posts a form, or files as FormData. `to` is the URL of another host of the same API. */
  post<Shape extends z.ZodType>(
    path: string,
    shape: Shape,
    form: RequestValues | FormData,
    to?: string,
  ): Promise<z.output<Shape>>
  delete<Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.output<Shape>>
  /** Returns whether one of the rate limits is almost used up. */
  isAlmostUsedUp(): boolean
}

interface GraphOptions {
  /** The base URL with the version, such as `https://graph.facebook.com/v25.0`. */
  address: string
  token: string
  /** The app's secret for `appsecret_proof`; null if the API does not support it. */
  secret: string | null
  signal: AbortSignal
}

export function graphOf(
  { web, addressOf }: Pick<NetworkParts, 'web' | 'addressOf'>,
  { address, token, secret, signal }: GraphOptions,
): Graph {
  const access = { access_token: token, ...(secret !== null && { appsecret_proof: proofOf(token, secret) }) }
  const asking = { fetch: guardedFetch(web, signal), used: 0 }
  const at = (path: string, query: RequestValues) =>
    `${reached(addressOf, address)}${path}?${new URLSearchParams(query)}`
  return {
    get: (path, shape, query = {}) => ask(asking, at(path, { ...query, ...access }), shape),
    post: (path, shape, form, to = address) =>
      ask(asking, `${reached(addressOf, to)}${path}`, shape, postRequest(form, access)),
    delete: (path, shape) => ask(asking, at(path, access), shape, { method: 'DELETE' }),
    isAlmostUsedUp: () => asking.used >= MOST_USED,
  }
}

/** Calls an endpoint that needs no access token, such as the one that exchanges a code for a token. */
export async function askGraph<Shape extends z.ZodType>(
  { web, addressOf }: Pick<NetworkParts, 'web' | 'addressOf'>,
  {
    address,
    query = {},
    form,
    signal,
  }: { address: string; query?: RequestValues; form?: RequestValues; signal: AbortSignal },
  shape: Shape,
): Promise<z.output<Shape>> {
  const words = new URLSearchParams(query).toString()
  const url = reached(addressOf, address) + (words && `?${words}`)
  return ask({ fetch: guardedFetch(web, signal), used: 0 }, url, shape, form && postRequest(form, {}))
}

async function ask<Shape extends z.ZodType>(
  asking: { fetch: typeof fetch; used: number },
  url: string,
  shape: Shape,
  init?: RequestInit,
): Promise<z.output<Shape>> {
  const answer = await asking.fetch(url, init)
  const text = await answer.text()
  asking.used = usageIn(answer.headers)
  if (!answer.ok) throw errorOf(answer.status, answer.headers, text)
  return shape.parse(JSON.parse(text))
}

function reached(addressOf: NetworkParts['addressOf'], address: string): string {
  const { origin, pathname } = new URL(address)
  return addressOf(origin) + pathname
}

function postRequest(form: RequestValues | FormData, access: RequestValues): RequestInit {
  if (form instanceof FormData) {
    for (const [name, value] of Object.entries(access)) form.set(name, value)
    return { method: 'POST', body: form }
  }
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  return { method: 'POST', headers, body: new URLSearchParams({ ...form, ...access }).toString() }
}

/** Signs the token with the app's secret, so that a stolen token alone is useless (Graph API, Securing requests). */
function proofOf(token: string, secret: string): string {
  return createHmac('sha256', secret).update(token).digest('hex')
}

/** Encodes an id for use in a path. */
export function part(id: string): string {
  return encodeURIComponent(id)
}

export function listOf<Shape extends z.ZodType>(shape: Shape) {
  return z.object({ data: z.array(shape).default([]) })
}

export function isGone(error: unknown): boolean {
  return error instanceof GoneError
}

function errorOf(status: number, headers: Headers, text: string, now = Date.now()): Error {
  const said: GraphError = parsed(Refusal, text)?.error ?? {}
  const { code = 0, error_subcode: subcode = 0 } = said
  const words = (said.error_user_msg || said.message || NO_REASON).slice(0, MOST_WORDS)
  if (EXPIRED.includes(code)) return new PlatformRefusedError(words, { expired: true })
  if (code === QUOTA.code && subcode === QUOTA.subcode) return new PlatformBusyError(words, now + QUOTA_WAIT_MS)
  if (LIMITED.includes(code) || (code >= USE_CASES.first && code <= USE_CASES.last))
    return new PlatformBusyError(words, now + waitOf(headers))
  const until = busyUntil(status, headers, { now })
  if (until !== null) return new PlatformBusyError(words, until)
  if (status >= 500 || status === 408 || said.is_transient === true || TEMPORARY.includes(code))
    return new Error(`The network answered with status ${status}: ${words}`)
  if (code === GONE.code && subcode === GONE.subcode) return new GoneError(words)
  return new PlatformRefusedError(words, { expired: status === 401 && code === 0 })
}

function waitOf(headers: Headers): number {
  const minutes = usagesIn(headers).map((one) => one.estimated_time_to_regain_access)
  const longest = Math.max(0, ...minutes) * MINUTE_MS
  return longest > 0 ? Math.min(longest, LONGEST_WAIT_MS) : DEFAULT_WAIT_MS
}

/** Returns the usage of the most used rate limit as a percentage. */
function usageIn(headers: Headers): number {
  return Math.max(0, ...usagesIn(headers).flatMap((one) => [one.call_count, one.total_time, one.total_cputime]))
}

function usagesIn(headers: Headers): z.output<typeof Usage>[] {
  const app = parsed(Usage, headers.get('x-app-usage') ?? '')
  const useCases = parsed(UseCases, headers.get('x-business-use-case-usage') ?? '')
  return [...(app ? [app] : []), ...Object.values(useCases ?? {}).flat()]
}

export const Token = z.object({ access_token: z.string().min(1), expires_in: z.number().optional() })

export const Permissions = z.object({ data: z.array(z.object({ permission: z.string(), status: z.string() })) })

/** An Instagram professional account, with or without a page (Instagram Platform, IG User). */
export const InstagramUser = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string().optional(),
  profile_picture_url: z.string().optional(),
  followers_count: z.number().optional(),
})

/** The fields of a page's profile (Graph API, Page). */
export const PageProfile = z.object({
  id: z.string(),
  name: z.string(),
  username: z.string().optional(),
  link: z.string().optional(),
  picture: z.object({ data: z.object({ url: z.string().optional() }) }).optional(),
  followers_count: z.number().optional(),
})

/** A page that a person may manage. */
export const Page = PageProfile.extend({
  access_token: z.string(),
  tasks: z.array(z.string()).default([]),
  instagram_business_account: InstagramUser.optional(),
})
export type Page = z.output<typeof Page>

export const Accounts = z.object({
  data: z.array(Page),
  paging: z.object({ cursors: z.object({ after: z.string() }).optional(), next: z.string().optional() }).optional(),
})

/** Returns the profile of a page, with the page's id as the username if it has none. */
export function pageProfile(page: z.output<typeof PageProfile>): Profile {
  const { id, name, username, link, picture, followers_count } = page
  return {
    username: username ?? id,
    displayName: name,
    profileUrl: link ?? `https://www.facebook.com/${id}`,
    avatarUrl: picture?.data.url ?? null,
    followersCount: followers_count ?? null,
  }
}

export function instagramProfile(user: z.output<typeof InstagramUser>): Profile {
  const { username, name, profile_picture_url, followers_count } = user
  return {
    username,
    displayName: name || null,
    profileUrl: `https://www.instagram.com/${username}/`,
    avatarUrl: profile_picture_url ?? null,
    followersCount: followers_count ?? null,
  }
}
