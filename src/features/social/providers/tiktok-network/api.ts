import { z } from 'zod'
import { AUDIENCES, type Audience, INTERACTIONS, type Interaction } from '../../../../contract/values/post-audiences.ts'
import { API_VERSIONS } from '../../../../providers/api-versions.ts'
import type { PostLimits } from '../limits.ts'
import {
  busyUntil,
  guardedFetch,
  isRefusedAlone,
  type JsonRequest,
  jsonRequest,
  MOST_WORDS,
  type NetworkParts,
  orElse,
  tokenIn,
} from '../network.ts'
import { type Credentials, PlatformBusyError, PlatformRefusedError, type Profile } from '../provider.ts'

const FIELDS = 'open_id,display_name,username,avatar_url,profile_deep_link,follower_count'

/** The envelope of every response (developers.tiktok.com, Error handling). */
const Wrapped = z.object({
  error: z.object({ code: z.string(), message: z.string().default('') }),
  data: z.unknown().optional(),
})

const UserInfo = z.object({
  user: z.object({
    open_id: z.string(),
    display_name: z.string().default(''),
    username: z.string(),
    avatar_url: z.string().optional(),
    profile_deep_link: z.string().optional(),
    follower_count: z.number().optional(),
  }),
})

export const CreatorInfo = z.object({
  creator_username: z.string(),
  privacy_level_options: z.array(z.string()),
  comment_disabled: z.boolean().default(false),
  duet_disabled: z.boolean().default(false),
  stitch_disabled: z.boolean().default(false),
  max_video_post_duration_sec: z.number().optional(),
})
export type CreatorInfo = z.output<typeof CreatorInfo>

export const Begun = z.object({ publish_id: z.string(), upload_url: z.string().optional() })

/** The state of a publishing process. Post ids exceed JavaScript's safe integers, so they are kept as strings. */
export const PostStatus = z.object({
  status: z.string(),
  fail_reason: z.string().optional(),
  publicaly_available_post_id: z.array(z.string()).nullish(),
  uploaded_bytes: z.number().optional(),
})
export type PostStatus = z.output<typeof PostStatus>

export const Videos = z.object({
  videos: z.array(
    z.object({
      id: z.string(),
      view_count: z.number().default(0),
      like_count: z.number().default(0),
      comment_count: z.number().default(0),
      share_count: z.number().default(0),
    }),
  ),
})

export interface Api {
  /** Sends a request. Rejects with a PlatformRefusedError if TikTok refuses it, and with a PlatformBusyError if it limits the rate. */
  get<Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.output<Shape>>
  post<Shape extends z.ZodType>(path: string, shape: Shape, body: Record<string, unknown>): Promise<z.output<Shape>>
}

/** A refusal with TikTok's code, such as `spam_risk_too_many_posts`. */
class CodedRefusalError extends PlatformRefusedError {
  readonly code: string

  constructor(message: string, code: string) {
    super(message, { expired: ENDED.includes(code) })
    this.code = code
  }
}

/** The codes for access that has ended or was never granted. */
const ENDED = ['access_token_invalid', 'scope_not_authorized']

/** Returns an API client. Throws a PlatformRefusedError for invalid credentials. */
export function apiOf({ web, addressOf }: NetworkParts, credentials: Credentials, signal: AbortSignal): Api {
  const token = tokenIn('TikTok', credentials)
  const fetch = guardedFetch(web, signal)
  const address = `${addressOf('https://open.tiktokapis.com')}/${API_VERSIONS.tiktok.version}`
  const call = async (path: string, request: JsonRequest): Promise<unknown> => {
    const answer = await fetch(address + path, jsonRequest(token, request))
    return dataIn(answer, await answer.text())
  }
  return {
    get: async (path, shape) => shape.parse(await call(path, {})),
    async post(path, shape, body) {
      const headers = { 'Content-Type': 'application/json; charset=UTF-8' }
      return shape.parse(await call(path, { method: 'POST', headers, body }))
    },
  }
}

/** Returns the data of a response. Temporary failures, such as timeouts and errors of TikTok, are ordinary errors. */
function dataIn({ status, headers }: Response, text: string): unknown {
  const { error, data } = wrappedIn(text) ?? { error: { code: String(status), message: '' } }
  if (error.code === 'ok' && status < 400) return data
  const said = (error.message || error.code).slice(0, MOST_WORDS)
  const until = busyUntil(error.code === 'rate_limit_exceeded' ? 429 : status, headers)
  if (until !== null) throw new PlatformBusyError(said, until)
  if (status >= 500 || status === 408 || error.code === 'internal_error' || error.code === 'ok')
    throw new Error(`TikTok answered with status ${status}: ${said}`)
  throw new CodedRefusalError(said, error.code)
}

function wrappedIn(text: string) {
  try {
    return Wrapped.parse(JSON.parse(text, withWholeIds))
  } catch {
    return null
  }
}

/** A reviver for JSON.parse, which keeps integers beyond the safe range as strings. */
function withWholeIds(_: string, value: unknown, { source }: { source?: string } = {}): unknown {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) ? source : value
}

export async function profileOf(api: Api): Promise<Profile> {
  const { user } = await api.get(`/user/info/?fields=${FIELDS}`, UserInfo)
  return {
    username: user.username,
    displayName: user.display_name || null,
    profileUrl: user.profile_deep_link ?? `https://www.tiktok.com/@${user.username}`,
    avatarUrl: user.avatar_url ?? null,
    followersCount: user.follower_count ?? null,
  }
}

/** Returns the settings that TikTok currently accepts for posts of this account. */
export function creatorOf(api: Api): Promise<CreatorInfo> {
  return api.post('/post/publish/creator_info/query/', CreatorInfo, {})
}

export function isAudited({ settings }: Pick<NetworkParts, 'settings'>): boolean {
  return settings.TIKTOK_AUDITED === 'true'
}

/** Returns the audiences for posts. An unaudited app may only publish posts for their author alone (Content Sharing Guidelines). */
export function audiencesOf({ privacy_level_options: offered }: CreatorInfo, isAudited: boolean): Audience[] {
  return AUDIENCES.filter((one) => offered.includes(one) && (isAudited || one === 'SELF_ONLY'))
}

/** Returns the account's own limits; undefined if TikTok does not report them, as for an account that may not post now. */
export async function limitsOf(api: Api, isAudited: boolean): Promise<PostLimits | undefined> {
  const creator = await orElse(creatorOf(api), null, isRefusedAlone)
  if (creator === null) return undefined
  const { max_video_post_duration_sec: videoSeconds } = creator
  return {
    ...(videoSeconds !== undefined && { videoSeconds }),
    ...{ audiences: audiencesOf(creator, isAudited), switchedOff: switchedOffBy(creator) },
  }
}

function switchedOffBy({ comment_disabled, duet_disabled, stitch_disabled }: CreatorInfo): Interaction[] {
  const off = { allow_comments: comment_disabled, allow_duets: duet_disabled, allow_stitches: stitch_disabled }
  return INTERACTIONS.filter((one) => off[one])
}
